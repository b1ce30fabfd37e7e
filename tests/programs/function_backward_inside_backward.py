"""A backward that runs another backward, nested twenty deep."""

import torch


class Nested(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, depth):
        ctx.save_for_backward(x)
        ctx.depth = depth
        return x * 1

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        if ctx.depth == 0:
            return gradient * 2, None
        with torch.enable_grad():
            inner = x.detach().requires_grad_()
            Nested.apply(inner, ctx.depth - 1).sum().backward()
        return gradient * inner.grad * 1.5, None


x = torch.tensor([1.0, 2.0], requires_grad=True)
for depth in (0, 1, 2, 20):
    x.grad = None
    Nested.apply(x, depth).sum().backward()
    print(depth, x.grad)
