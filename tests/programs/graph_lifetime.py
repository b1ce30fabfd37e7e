"""With the garbage collector off, a graph and what it saved are freed with its last tensor."""

import gc
import weakref

import torch


class Keep(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, gradient):
        return gradient * 2


gc.collect()
gc.disable()
x = torch.tensor([1.0, 2.0], requires_grad=True)
inner = x.exp()
outer = Keep.apply(inner).sum()
watched = {"inner": weakref.ref(inner), "outer": weakref.ref(outer)}


def alive():
    return {name: reference() is not None for name, reference in watched.items()}


print(alive())
del outer
print(alive())
del inner
print(alive())
y = x.exp().sqrt()
watched = {"y": weakref.ref(y), "x": weakref.ref(x)}
y.sum().backward()
print(alive(), x.grad)
del y
print(alive())
del x
print(alive())
gc.enable()
