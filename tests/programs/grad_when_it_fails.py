"""What the leaves' .grad holds when a backward fails, with no hook in the graph."""

import torch
from show import attempt

for steps in (1, 3):
    x, first, last, both = (torch.tensor(n, requires_grad=True) for n in (2.0, 3.0, 5.0, 7.0))
    y = x * 1.5
    u = y * first  # saves y
    v = u * both
    for _ in range(steps):
        v = v * last
    w = v * both * 2
    y.detach().mul_(2)
    attempt("backward", w.backward)
    print([leaf.grad for leaf in (x, first, last, both)])

print("--- a gradient of a wrong shape")


class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b

    @staticmethod
    def backward(ctx, grad):
        return grad, torch.ones(5)


a, b, c = (torch.ones(2, requires_grad=True) for _ in range(3))
attempt("backward", (Wrong.apply(a * 2, b) * c).sum().backward)
print([leaf.grad for leaf in (a, b, c)])
