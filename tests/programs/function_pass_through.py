"""Straight-through rounding and gradient reversal: gradients that are not derivatives."""

import torch


class Binarize(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return (x > 0.5) * 1.0

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return -ctx.strength * gradient, None


x = torch.tensor([0.2, 0.7], requires_grad=True)
y = Binarize.apply(x)
print(y)
(y * torch.tensor([3.0, 5.0])).sum().backward()
print(x.grad)
x.grad = None
z = Reverse.apply(x, 0.5)
print(z, z.data_ptr() == x.data_ptr())
z.sum().backward()
print(x.grad)
