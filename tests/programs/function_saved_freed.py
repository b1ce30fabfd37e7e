"""saved_tensors after they were freed. Ends in an exception."""

import torch
from show import attempt


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x, None)
        ctx.kept = x * 2
        return x * x

    @staticmethod
    def backward(ctx, gradient):
        x, _nothing = ctx.saved_tensors
        return gradient * 2 * x


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Square.apply(x)
node = y.grad_fn
print(node, node.saved_tensors, node.kept)
y.sum().backward()
print(x.grad, node.kept)
attempt("saved_tensors", lambda: node.saved_tensors)
y.sum().backward()
