"""Attributes that forward sets on ctx may have the names of ctx's own attributes."""

import torch
from show import attempt


def square_with(name):
    class Square(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            setattr(ctx, name, "mine")
            return x * x

        @staticmethod
        def backward(ctx, gradient):
            (x,) = ctx.saved_tensors
            print("found", getattr(ctx, name))
            return gradient * 2 * x

    return Square


x = torch.tensor([1.0, 2.0], requires_grad=True)
for name in (
    "function", "dirty", "constant", "positions", "materialize", "saved", "saved_values", "kept",
    "inputs", "args", "shape", "dim", "size", "data", "result", "output", "call", "forward",
):  # fmt: skip

    def run(name=name):
        y = square_with(name).apply(x)
        return torch.autograd.grad(y.sum(), x), getattr(y.grad_fn, name)

    attempt(name, run)
