"""Learners ask: why is the gradient of my own Function wrong? The usual slips."""

import torch
from show import attempt

Function = torch.autograd.Function


def made(name, forward, backward):
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (Function,), members).apply


x = torch.tensor([1.0, 2.0], requires_grad=True)
row = torch.zeros(3, requires_grad=True)
table = torch.zeros(2, 3, requires_grad=True)


def gradient_of(f, *inputs):
    for each in inputs:
        each.grad = None
    f(*inputs).sum().backward()
    return [each.grad for each in inputs]


print("-- straight through")
straight = made("Straight", lambda ctx, x: x.round(), lambda ctx, grad: grad)
for name, f in {
    "round": torch.round,
    "detached difference": lambda x: x + (x.round() - x).detach(),
    "Function": straight,
}.items():
    attempt(name, lambda: gradient_of(lambda x: f(x * 0.4) ** 2, x))


class Reverse(Function):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.strength = strength
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad, None


class SavesNumber(Reverse):
    @staticmethod
    def forward(ctx, x, strength):
        ctx.save_for_backward(x, strength)
        return x.view_as(x)


class OneGradient(Reverse):
    @staticmethod
    def backward(ctx, grad):
        return -ctx.strength * grad


print("-- a number beside the tensor")
attempt("reversed", lambda: gradient_of(lambda x: Reverse.apply(x, 0.5), x))
attempt("saved", lambda: SavesNumber.apply(x, 0.5))
attempt("forgotten", lambda: gradient_of(lambda x: OneGradient.apply(x, 0.5), x))

print("-- shapes")
add = made("Add", lambda ctx, a, b: a + b, lambda ctx, grad: (grad, grad))
mean = made("Mean", lambda ctx, a: a.mean(), lambda ctx, grad: grad / 6)
attempt("too large is summed", lambda: gradient_of(add, table, row))
attempt("too small is not expanded", lambda: gradient_of(mean, table))

print("-- grad_output that was left out")


class ReadyMade(Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(2 * x)
        return (x**2).sum()

    @staticmethod
    def backward(ctx, grad):
        return ctx.saved_tensors[0]


attempt("alone", lambda: gradient_of(ReadyMade.apply, x))
attempt("halved", lambda: gradient_of(lambda x: ReadyMade.apply(x) / 2, x))
precise = x.detach().double().requires_grad_()
attempt("gradcheck alone", lambda: torch.autograd.gradcheck(ReadyMade.apply, precise))
half = lambda x: ReadyMade.apply(x) / 2  # noqa: E731
attempt("gradcheck halved", lambda: torch.autograd.gradcheck(half, precise))

print("-- kept on ctx, or saved")


class Square(Function):
    @staticmethod
    def forward(ctx, x, save):
        ctx.save_for_backward(*([x] if save else []))
        ctx.x = None if save else x
        return x * x

    @staticmethod
    def backward(ctx, grad):
        x = ctx.saved_tensors[0] if ctx.x is None else ctx.x
        print("needs_input_grad:", ctx.needs_input_grad)
        return grad * 2 * x, None


for save in (False, True):
    hidden = x * 1
    squared = Square.apply(hidden, save)
    hidden += 100
    x.grad = None
    attempt(f"saved {save}", squared.sum().backward)
    print(x.grad)

print("-- an input that was changed")


class AddTen(Function):
    @staticmethod
    def forward(ctx, x, mark):
        if mark:
            ctx.mark_dirty(x)
        return x.add_(10)

    @staticmethod
    def backward(ctx, grad):
        return grad, None


for mark in (False, True):
    x.grad = None
    hidden = x * 1
    other = hidden**2
    attempt(f"marked {mark}", lambda: (other + AddTen.apply(hidden, mark)).sum().backward())
    print(x.grad)

print("-- twice")
cube = made(
    "Cube",
    lambda ctx, x: ctx.save_for_backward(3 * x * x) or x**3,
    lambda ctx, grad: grad * ctx.saved_tensors[0],
)
for name, f in {"x ** 3": lambda x: x**3, "Cube": cube}.items():
    (first,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    attempt(name, lambda: torch.autograd.grad(first.sum(), x))
attempt("an instance", lambda: Reverse()(x, 0.5))
