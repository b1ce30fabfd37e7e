"""Expanded tensors, whose elements share memory: which writes are allowed."""

import torch
from show import attempt


def expanded():
    return torch.ones(1).expand(3)


attempt("zero_", lambda: expanded().zero_())
attempt("fill_", lambda: expanded().fill_(2))
attempt("mul_", lambda: expanded().mul_(2))
attempt("copy_", lambda: expanded().copy_(torch.ones(3)))
attempt("one element", lambda: expanded().select(0, 1).fill_(2))

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = torch.tensor([3.0, 4.0], requires_grad=True)
y.register_hook(lambda grad: (grad.zero_(), None)[1])
y.sum().backward()
print(x.grad, y.grad)

x = torch.tensor([1.0, 2.0, 3.0])
attempt("itself by a list", lambda: x.__setitem__([0, 1, 2], x))
attempt("its element by a list", lambda: x.__setitem__([0, 2], x[1]))
print(x)
