"""Zeroing the gradient in place between two backward passes."""

import torch
from show import describe_all

x = torch.tensor(5.0, requires_grad=True)
cubed = x**3
result = torch.log(cubed)
describe_all("before", x=x, cubed=cubed, result=result)

result.backward(retain_graph=True)
describe_all("after the first", x=x, cubed=cubed, result=result)

gradient = x.grad
print("zeroed", gradient.zero_(), x.grad is gradient, gradient._version)
result.backward()
describe_all("after the second", x=x, cubed=cubed, result=result)
print("still the same object:", x.grad is gradient)
