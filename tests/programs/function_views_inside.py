"""Views that a Function returns, changed in place: what is refused, and with which message."""

import torch
from show import attempt, state


class Part(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[:2]

    @staticmethod
    def backward(ctx, gradient):
        return torch.cat([gradient, gradient[:1] * 0])


class Parts(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x[:2], x[2]

    @staticmethod
    def backward(ctx, gradient, last):
        return torch.cat([gradient, last[None]])


class Itself(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, gradient):
        return gradient


class Constant(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        part = x[:2]
        ctx.mark_non_differentiable(part)
        return part, x * 2

    @staticmethod
    def backward(ctx, gradient, other):
        return other * 2


class Kept(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.part = x[:2]
        return x * 1

    @staticmethod
    def backward(ctx, gradient):
        return gradient


def refusal(change):
    """Whether `change` goes through, or what the error says, and the beginning of why."""
    try:
        change()
    except RuntimeError as error:
        what, _, why = str(error).partition(". ")
        return f"{what}. {why[:60]}"
    return "changed"


def leaf():
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


INPUTS = {
    "a leaf": leaf,
    "a result": lambda: leaf() * 1,
    "a view": lambda: (leaf() * 1)[:],
    "a constant": lambda: torch.ones(3),
    "a view of a constant": lambda: torch.ones(3)[:],
}
CHANGES = {
    "by a number": lambda x, out: out.mul_(2),
    "by what requires grad": lambda x, out: out.mul_(leaf().sum()),
    "an element": lambda x, out: out.__setitem__(..., 5.0),
    "the base": lambda x, out: x.mul_(2),
    "a view of it": lambda x, out: out.view(-1).mul_(leaf().sum()),
}
for function in (Part, Parts, Itself, Constant):
    for kind, make in INPUTS.items():
        for what, change in CHANGES.items():
            x = make()
            out = function.apply(x)
            out = out[0] if isinstance(out, tuple) else out
            label = f"{function.__name__} of {kind}, {what}"
            print(label, "-", refusal(lambda x=x, out=out, change=change: change(x, out)))
            if what == "by a number":
                state("  it is", out)
        x = make()
        out = function.apply(x)
        out = out[0] if isinstance(out, tuple) else out
        with torch.no_grad():
            out.mul_(2)
        state("  changed while nothing is recorded", out)

for make in (leaf, lambda: leaf() * 1):
    x = make()
    node = Kept.apply(x).grad_fn
    attempt("a view left on ctx", lambda node=node: node.part.mul_(2))
    attempt("its base", lambda x=x, node=node: (x.mul_(2), node.part.grad_fn))
