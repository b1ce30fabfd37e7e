"""gradcheck over the built-in operations, and everything it complains about."""

import torch
from show import attempt

gradcheck = torch.autograd.gradcheck
a = torch.tensor([0.5, 1.5, 2.5], dtype=torch.float64, requires_grad=True)
b = torch.tensor([[1.5], [0.5]], dtype=torch.float64, requires_grad=True)
for name, f in {
    "a * b + a / b - b": lambda a, b: a * b + a / b - b,
    "a ** b": lambda a, b: a**b,
    "log, exp, sqrt": lambda a, b: a.log() * b.exp() + a.sqrt(),
    "sin, cos, tanh": lambda a, b: a.sin() * b.cos() + a.tanh(),
    "sigmoid, relu, abs": lambda a, b: a.sigmoid() * b.relu() + a.abs(),
    "several outputs": lambda a, b: (a.sum(), b.mean(0), a[1:] * b),
    "matmul": lambda a, b: b @ a.reshape(1, 3),
    "shapes": lambda a, b: torch.cat([a.expand(2, 3), b], 1).T,
}.items():
    attempt(name, lambda: gradcheck(f, (a, b)))


class HalfRight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**2

    @staticmethod
    def backward(ctx, gradient):
        (x,) = ctx.saved_tensors
        return gradient * x


attempt("wrong", lambda: gradcheck(HalfRight.apply, (a,)))
attempt("wrong, quietly", lambda: gradcheck(HalfRight.apply, (a,), raise_exception=False))
attempt("nothing to check", lambda: gradcheck(lambda x: x * 2, (a.detach(),)))
attempt("a single tensor", lambda: gradcheck(lambda x: x * 2, a))
attempt("tolerances", lambda: gradcheck(lambda x: x**3, (a,), eps=1e-2, atol=1e-2))
attempt("gradgradcheck", lambda: torch.autograd.gradgradcheck(lambda x: x**3, (a,)))
print(a.grad, b.grad)
