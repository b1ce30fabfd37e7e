"""Functions without forward or backward, instances, and outputs that are not tensors."""

import torch
from show import attempt


class NoBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class NoForward(torch.autograd.Function):
    @staticmethod
    def backward(ctx, gradient):
        return gradient


class ReturnsNumber(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return 5.0

    @staticmethod
    def backward(ctx, gradient):
        return gradient


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = NoBackward.apply(x)
print(y)
attempt("no backward", y.sum().backward)
attempt("no forward", lambda: NoForward.apply(x))
attempt("a number", lambda: ReturnsNumber.apply(x))
attempt("an instance called", lambda: NoBackward()(x))
