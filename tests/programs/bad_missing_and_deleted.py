"""A Function without its methods; attributes of a tensor that cannot be set or deleted."""

import torch
from show import attempt


class Empty(torch.autograd.Function):
    pass


class NoForward(torch.autograd.Function):
    @staticmethod
    def backward(ctx, gradient):
        return gradient


class NoBackward(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class OnlySetup(torch.autograd.Function):
    @staticmethod
    def setup_context(ctx, inputs, output):
        pass


x = torch.tensor([1.0, 2.0], requires_grad=True)
for function in (Empty, NoForward, NoBackward, OnlySetup, torch.autograd.Function):
    for arguments in ((), (x,), (1, x)):
        if function is not NoBackward or len(arguments) == 1:
            attempt(function.__name__, lambda f=function, args=arguments: f.apply(*args))
    attempt("by name", lambda f=function: f.apply(wrong=x))
attempt("backward", lambda: NoBackward.apply(x).sum().backward())
attempt("forward", lambda: Empty.forward(None, x))
attempt("backward", lambda: Empty.backward(None, x))
attempt("vjp", lambda: Empty.vjp(None, x))
attempt("jvp", lambda: Empty.jvp(None, x))
attempt("setup_context", lambda: Empty.setup_context(None, (), None))


def deleted(tensor, name):
    delattr(tensor, name)
    return getattr(tensor, name), tensor


NAMES = [
    *["data", "requires_grad", "grad", "grad_fn", "is_leaf", "output_nr", "retains_grad", "shape"],
    *["_version", "_base", "T", "mT", "ndim", "device", "nothing"],
]
for make in (lambda: x.detach().clone().requires_grad_(), lambda: x * 2, lambda: x.detach()):
    for name in NAMES:
        tensor = make()
        tensor.retain_grad() if tensor.requires_grad else None
        if tensor.is_leaf:
            tensor.grad = torch.zeros_like(tensor)
        attempt(f"del {name}", lambda tensor=tensor, name=name: deleted(tensor, name))
tensor = x.detach()
for name in ["grad_fn", "is_leaf", "output_nr", "retains_grad", "shape", "_version", "_base", "T"]:
    attempt(f"set {name}", lambda name=name: setattr(tensor, name, 5))
tensor.mine = 3
del tensor.mine
attempt("gone", lambda: tensor.mine)
