"""A checkpointed function that calls backward itself, and the options and errors of checkpoint."""

import torch


def checkpoint(*args, **options):
    return torch.utils.checkpoint.checkpoint(*args, use_reentrant=False, **options)


x = torch.tensor([1.0, 2.0], requires_grad=True)


def slope(t):
    return torch.autograd.grad(t.exp().sum(), t, create_graph=True)[0]


def with_backward(t):
    (t * t).sum().backward()
    return t.exp()


y = checkpoint(slope, x)
print(y)
y.sum().backward()
print(x.grad)
y = checkpoint(with_backward, x)
print(x.grad)
y.sum().backward()
print(x.grad)
y = checkpoint(lambda t: checkpoint(slope, t) * t, x)
y.sum().backward()
print(x.grad)


class Changing:
    """Computes something else each time."""

    def __init__(self, *functions):
        self.functions = list(functions)

    def __call__(self, t):
        return self.functions.pop(0)(t)


def attempt(function, **options):
    try:
        y = checkpoint(function, x, **options)
        y.sum().backward()
        print("fine")
    except (RuntimeError, ValueError) as error:
        print(error)


attempt(Changing(lambda t: t.exp().sin(), torch.exp))
attempt(Changing(torch.exp, lambda t: t[:1].exp()))
attempt(Changing(torch.exp, torch.exp), determinism_check="none")
attempt(Changing(torch.exp, torch.exp), debug=False, early_stop=False)
attempt(torch.exp, determinism_check="all")
