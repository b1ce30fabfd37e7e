"""gradgradcheck: second derivatives, right, wrong and missing."""

import torch
from show import attempt

gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck


def double(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


x, y, cotangent = double(0.5, 1.5, 2.5), double(3.0, 4.0, 5.0), double(1.0, 2.0, 3.0)
kink = double(0.0, 1.0)


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3


class HalfSecond(Cube):
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x * x.detach()


class OnlyOnce(Cube):
    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x * x


for f in (HalfSecond, OnlyOnce):
    attempt(f"{f.__name__}, first", lambda: gradcheck(f.apply, x))
    attempt(f"{f.__name__}, second", lambda: gradgradcheck(f.apply, x, cotangent))
    attempt("fixed cotangent", lambda: gradgradcheck(f.apply, x, cotangent.detach()))
    attempt("random cotangent", lambda: gradgradcheck(f.apply, x, raise_exception=False))

print("-- functions")
functions = {
    "x ** 3 * y": lambda x, y: x**3 * y,
    "two outputs": lambda x, y: (x.exp(), (x * y).sum()),
    "linear": lambda x, y: x + y,
    "shapes": lambda x, y: (x[:2].expand(2, 2) @ y[1:]).flip(0),
    "with integers": lambda x, y: (x.sin() * y, x.long()),
    "matrix": lambda x, y: x.outer(y).tanh(),
}
for name, f in functions.items():
    attempt(name, lambda: gradgradcheck(f, (x, y)))
    attempt("with gaps", lambda: gradgradcheck(f, (x, y), gen_non_contig_grad_outputs=True))
attempt("no tensor", lambda: gradgradcheck(lambda x, n: x**n, (x, 3)))
attempt("one input", lambda: gradgradcheck(lambda x: x**4, x, masked=True))

print("-- where second derivatives jump")
for name in ("relu", "abs", "sqrt"):
    f = getattr(torch, name)
    attempt(name, lambda: gradgradcheck(f, kink, cotangent[:2].detach().requires_grad_()))
attempt("max", lambda: gradgradcheck(torch.max, double(1.0, 1.0), double(1.0)[0].detach()))

print("-- misuse")
attempt("too few", lambda: gradgradcheck(lambda x: (x * 2, x * 3), x, cotangent))
attempt("too many", lambda: gradgradcheck(lambda x: x * 2, x, (cotangent, cotangent)))
attempt("wrong shape", lambda: gradgradcheck(lambda x: x**2, x, kink))
attempt("wrong dtype", lambda: gradgradcheck(lambda x: x**2, x, cotangent.detach().float()))
attempt("no grad", lambda: gradgradcheck(lambda x: x**2, x.detach(), cotangent.detach()))
attempt("by position", lambda: gradgradcheck(lambda x: x**2, x, cotangent, 1e-6))
attempt("coarse", lambda: gradgradcheck(lambda x: x**5, x, cotangent, eps=0.5))
attempt("neither mode", lambda: gradgradcheck(lambda x: x**2, x, check_rev_over_rev=False))
print(x.grad, cotangent.grad, x)
