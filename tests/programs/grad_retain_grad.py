"""retain_grad: idempotent, no effect on a leaf, an error without a graph, too late afterwards."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)
x.retain_grad()
print("leaf", x.retains_grad)
y = x**2
y.retain_grad()
y.retain_grad()
late = y * 3
late.sum().backward(retain_graph=True)
late.retain_grad()
print("too late", late.grad, "y", y.grad)
late.sum().backward()
print("the second time", late.grad, "y accumulates", y.grad)
y.grad = None
print("cleared", y.grad, y.retains_grad)
attempt("no graph", torch.ones(2).retain_grad)
with torch.no_grad():
    attempt("under no_grad", lambda: (x * 2).retain_grad())
