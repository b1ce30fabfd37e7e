"""autograd.grad with respect to a leaf runs the leaf's own hooks."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)


def triple(gradient):
    print("hook", gradient)
    return gradient * 3


x.register_hook(triple)
y = x * 2
print(torch.autograd.grad(y.sum(), x))
print("untouched", x.grad)
(x * 2).sum().backward()
print("backward", x.grad)
