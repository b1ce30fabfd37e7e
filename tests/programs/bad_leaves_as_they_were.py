"""A failing hook leaves its leaf, graph and grad mode unchanged; backward can be repeated."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([0.25, 0.5], requires_grad=True)
out = (x * w).exp().sum()
failing = True


def hook(gradient):
    if failing:
        raise ArithmeticError("not yet")


x.register_hook(hook)
attempt("first", lambda: out.backward(retain_graph=True))
print(x.grad, torch.is_grad_enabled(), (x * 2).requires_grad)
w.grad = None
failing = False
attempt("second", out.backward)
print(x.grad, w.grad)
