"""create_graph in backward: the gradient itself has a grad_fn and leads to second derivatives."""

import torch
from show import describe_all

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = (x**3).sum()
out.backward(create_graph=True)
describe_all("first derivative", x=x, of_x=x.grad)

gradient = x.grad
x.grad = None
gradient.sum().backward()
describe_all("second derivative", x=x, gradient=gradient)
