"""Checkpointing: the forward runs again in backward, with the same random numbers."""

import torch
from show import attempt

checkpoint = torch.utils.checkpoint.checkpoint


def noisy(x, w, factor=2.0):
    print("runs", torch.is_grad_enabled())
    y = (x * w).exp()
    z = (y * factor).sin()
    print("has saved everything")
    return z


x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([0.5, 0.25], requires_grad=True)
y = checkpoint(noisy, x, w, use_reentrant=False, factor=3.0)
print(y)
y.sum().backward(retain_graph=True)
y.sum().backward()
print(x.grad, w.grad)
attempt("freed", lambda: y.sum().backward())


def outer(x):
    print("outer")
    return checkpoint(inner, x.sin(), use_reentrant=False).cos()


def inner(x):
    print("inner")
    return (x * x).exp()


x.grad = None
checkpoint(outer, x, use_reentrant=False).sum().backward()
print(x.grad)

print("-- outputs that are no tensors, second derivatives, nothing to save, no_grad")
square, text, sine = checkpoint(lambda x: (x * x, "text", x.sin()), x, use_reentrant=False)
print(text, torch.autograd.grad((square + sine).sum(), x))
cube = checkpoint(lambda x: (x**3).sum(), x, use_reentrant=False)
(first,) = torch.autograd.grad(cube, x, create_graph=True)
print(first, torch.autograd.grad(first.sum(), x))
print(torch.autograd.grad(checkpoint(lambda x: x + 1, x, use_reentrant=False).sum(), x))
with torch.no_grad():
    print(checkpoint(inner, x, use_reentrant=False))

print("-- random numbers")
many = torch.ones(100, requires_grad=True)
dropped = checkpoint(
    lambda x: torch.nn.functional.dropout(x * x, 0.5) * x, many, use_reentrant=False
)
torch.manual_seed(3)
expected = torch.rand(2)
torch.manual_seed(3)
dropped.sum().backward()
print(bool(((dropped == 0) == (many.grad == 0)).all()), bool((torch.rand(2) == expected).all()))

print("-- not the same again")
runs = []


def fewer(x):
    runs.append(x)
    return x.exp() if len(runs) > 1 else (x * x).exp()


def longer(x):
    runs.append(x)
    return x.exp() if len(runs) > 1 else x[:1].exp()


def first_lines(function):
    """What backward says, up to the advice that PyTorch appends."""
    runs.clear()
    y = checkpoint(function, x, use_reentrant=False)
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(type(error).__name__, *str(error).splitlines()[:3], sep="\n")


first_lines(fewer)
first_lines(longer)
changed = x * 1
y = checkpoint(torch.exp, changed, use_reentrant=False)
changed.add_(1)
attempt("changed", lambda: y.sum().backward())
