"""autograd.grad returns gradients, leaves .grad alone, and with create_graph can be repeated."""

import torch
from show import describe, describe_all

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
out = (x**3).sum()

(first,) = torch.autograd.grad(out, x, create_graph=True)
describe_all("first derivative", x=x, out=out, first=first)
(second,) = torch.autograd.grad(first.sum(), x, create_graph=True)
describe("second", second)
(third,) = torch.autograd.grad(second.sum(), x)
describe("third", third)

print(torch.autograd.grad((x * 2).sum(), [x]))
print("x.grad", x.grad)
