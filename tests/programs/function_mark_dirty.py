"""mark_dirty: the Function changed its input in place and returns the same object."""

import torch
from show import attempt


class DoubleInPlace(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.mark_dirty(x)
        x.mul_(2)
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 1
before = y.grad_fn
z = DoubleInPlace.apply(y)
print(z is y, y, y._version, y.grad_fn is before, y.grad_fn.next_functions[0][0] is before)
z.sum().backward()
print(x.grad)

saved = x * 1
product = saved * saved
DoubleInPlace.apply(saved)
attempt("spoiled", product.sum().backward)
attempt("a leaf", lambda: DoubleInPlace.apply(x))
