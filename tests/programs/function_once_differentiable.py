"""once_differentiable: a second derivative is refused instead of silently wrong."""

import torch
from show import attempt

once_differentiable = torch.autograd.function.once_differentiable


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @once_differentiable
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        print("grad mode in backward", torch.is_grad_enabled())
        return gradient * 3 * x * x


x = torch.tensor(2.0, requires_grad=True)
print("first", torch.autograd.grad(Cube.apply(x), x))
(gradient,) = torch.autograd.grad(Cube.apply(x), x, create_graph=True)
print("with create_graph", gradient.requires_grad)
attempt("second", gradient.backward)
(gradient,) = torch.autograd.grad(Cube.apply(x) * x, x, create_graph=True)
print("as part of a graph", gradient.requires_grad)
attempt("second", gradient.backward)
