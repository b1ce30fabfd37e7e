"""The engine runs the newest node first, once every gradient that it waits for has arrived."""

import torch


class Named(torch.autograd.Function):
    @staticmethod
    def forward(ctx, name, *tensors):
        ctx.name, ctx.count = name, len(tensors)
        return sum(tensors[1:], tensors[0] * 1)

    @staticmethod
    def backward(ctx, gradient):
        print(ctx.name, gradient.item())
        return None, *[gradient * 2] * ctx.count


def node(name, *tensors):
    return Named.apply(name, *tensors)


x = torch.tensor(1.0, requires_grad=True)
stem = node("stem", x)
left = node("left", stem)
right = node("right", stem)
long_way = node("long 2", node("long 1", right))
joined = node("join", right, long_way, left)
extra = node("extra", left)
print("--- one root")
joined.backward(retain_graph=True)
print(x.grad)
print("--- two roots")
torch.autograd.backward([joined, extra])
print(x.grad)
