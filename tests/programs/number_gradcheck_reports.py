"""What gradcheck reports of a backward that is not what it should be."""

import torch
from show import attempt

gradcheck = torch.autograd.gradcheck
x = torch.tensor([0.5, 1.5], dtype=torch.float64, requires_grad=True)
number = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
runs = iter(range(1000))


def doubling(backward, materialize=True):
    """Make a function that doubles, whose derivative is the user's word for it."""

    class Doubling(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.set_materialize_grads(materialize)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return backward(grad)

    return Doubling.apply


def wants_a_gradient(grad):
    if grad is None:
        raise RuntimeError("no gradient")
    return grad * 2


functions = {
    "too much": doubling(lambda grad: grad * 3),
    "nothing": doubling(lambda grad: None),
    "the same for every cotangent": doubling(lambda grad: torch.full_like(grad, 2.0)),
    "right, and then a bit": doubling(lambda grad: grad * 2 + (grad == 0) * 1e-9),
    "another one each time": doubling(lambda grad: grad * (2 + next(runs) * 1e-7)),
    "wrong and another one each time": doubling(lambda grad: grad * (3 + next(runs))),
    "something for no gradient": doubling(
        lambda grad: torch.ones(2, dtype=torch.float64) if grad is None else grad * 2, False
    ),
    "an error for no gradient": doubling(wants_a_gradient, False),
    "a TypeError for no gradient": doubling(lambda grad: grad * 2, False),
    "single precision, which is cast": doubling(lambda grad: grad.float() * 2),
    "of another size": doubling(lambda grad: grad[:1].expand(4)),
    "no tensor": doubling(lambda grad: "2"),
    "one too many": doubling(lambda grad: (grad * 2, grad)),
}
for name, f in functions.items():
    attempt(name, lambda: gradcheck(f, x, check_grad_dtypes=True))
attempt("of a number", lambda: gradcheck(functions["too much"], number))
attempt("noise allowed", lambda: gradcheck(functions["another one each time"], x, nondet_tol=1e-3))
attempt("not undefined", lambda: gradcheck(wants_a_gradient, x, check_undefined_grad=False))


class SumAndMore(torch.autograd.Function):
    """Two inputs, two outputs; the gradient of the second input is wrong."""

    @staticmethod
    def forward(ctx, a, b):
        return a + b, a + 2 * b

    @staticmethod
    def backward(ctx, first, second):
        return first + second, first + second


class NeedsBoth(torch.autograd.Function):
    """Copes when neither output has a gradient, and when both have one."""

    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, first, second):
        if first is None and second is None:
            return None
        if first is None:
            return second * 3
        return first * 2 + (1 if second is None else second * 3)


class Marked(torch.autograd.Function):
    """The second output has no gradient."""

    @staticmethod
    def forward(ctx, x):
        y = x * 3
        ctx.mark_non_differentiable(y)
        return x * 2, y

    @staticmethod
    def backward(ctx, first, second):
        return first * 2


attempt("which output, which input", lambda: gradcheck(SumAndMore.apply, (x, number)))
attempt("both or none", lambda: gradcheck(NeedsBoth.apply, x))
attempt("marked", lambda: gradcheck(Marked.apply, x))

print("-- kinks, poles and tolerances")
kink = torch.tensor([0.0, 1.0], dtype=torch.float64, requires_grad=True)
for name in ("relu", "abs", "sqrt", "sign"):
    attempt(name, lambda: gradcheck(getattr(torch, name), kink))
attempt("1 / 0", lambda: gradcheck(lambda x: 1 / x, kink))
attempt("0 * inf", lambda: gradcheck(lambda x: x / 0 * 0, kink))
attempt("coarse", lambda: gradcheck(lambda x: x**3, x, eps=0.5))
attempt("coarse, within atol", lambda: gradcheck(lambda x: x**3, x, eps=0.5, atol=0.25))
attempt("coarse, within rtol", lambda: gradcheck(lambda x: x**3, x, eps=0.5, rtol=0.25))
attempt("at once", lambda: gradcheck(lambda x: x**3, x, atol=0, rtol=0, raise_exception=False))
