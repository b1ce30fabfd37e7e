"""A gradient is cast to its leaf's dtype and summed to its leaf's shape."""

import torch
from show import describe

single = torch.tensor([1.0, 2.0], requires_grad=True)
double = torch.tensor([3.0, 4.0], dtype=torch.float64, requires_grad=True)
product = single * double
print(product, product.grad_fn.next_functions)
product.sum().backward()
describe("single", single)
describe("double", double)

scalar = torch.tensor(2.0, requires_grad=True)
(scalar * double).sum().backward()
describe("scalar", scalar)

row = torch.tensor([[1.0, 2.0, 3.0]], requires_grad=True)
column = torch.tensor([[1.0], [2.0]], requires_grad=True)
(row * column + row - column).sum().backward()
print(row.grad, column.grad)
converted = single.double()
print(converted, converted.grad_fn.next_functions)
single.grad = None
converted.sum().backward()
print(single.grad)
