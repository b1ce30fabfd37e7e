"""An exception in backward reaches the caller unchanged, grad mode is restored. Ends in it."""

import torch


class Trouble(Exception):
    pass


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        print("grad mode inside", torch.is_grad_enabled())
        raise Trouble(f"cannot go on with {gradient}")


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Fails.apply(x * 3).sum()
try:
    torch.autograd.grad(y, x, create_graph=True)
except Trouble as trouble:
    print("caught", trouble, torch.is_grad_enabled(), x.grad)
try:
    y.backward()
except Trouble as trouble:
    print("caught", trouble, torch.is_grad_enabled(), x.grad)
(x * x).sum().backward()
print("still usable", x.grad)
Fails.apply(x).sum().backward()
