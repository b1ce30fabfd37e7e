"""Gradients of the wrong shape or type passed to backward(). Ends in an exception."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x**2
attempt("none", y.backward)
attempt("longer", lambda: y.backward(torch.ones(3)))
attempt("0-d", lambda: y.backward(torch.tensor(1.0)))
attempt("2-d", lambda: y.backward(torch.ones(1, 2)))
attempt("number", lambda: y.backward(1.0))
attempt("list", lambda: y.backward([1.0, 1.0]))
attempt("integers", lambda: y.backward(torch.tensor([1, 1]), retain_graph=True))
attempt("double", lambda: y.backward(torch.ones(2, dtype=torch.float64), retain_graph=True))
attempt("with a graph", lambda: y.backward(x * 1, retain_graph=True))
print(x.grad)
x.grad = None
attempt("grad, none", lambda: torch.autograd.grad(y, x))
attempt("grad, longer", lambda: torch.autograd.grad(y, x, torch.ones(3)))
print("untouched", x, x.grad, y)
y.backward(torch.ones(2))
print("still works", x.grad)
y.backward(torch.ones(3))
