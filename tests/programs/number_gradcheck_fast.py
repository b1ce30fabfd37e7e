"""The fast mode of gradcheck: one number of each Jacobian, along random vectors."""

import torch

gradcheck, gradgradcheck = torch.autograd.gradcheck, torch.autograd.gradgradcheck
x = torch.tensor([0.5, 1.5, -2.0], dtype=torch.float64, requires_grad=True)
m = torch.tensor([[0.5, 1.5, 1.0], [2.0, -1.0, 0.25]], dtype=torch.float64, requires_grad=True)
number = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
empty = torch.zeros(0, 3, dtype=torch.float64, requires_grad=True)


def attempt(label, action):
    """Print what it returns, or the first line of what it raises: the numbers follow below it."""
    try:
        text = repr(action())
    except Exception as error:
        text = f"{type(error).__name__}: {error}".splitlines()[0]
    print(f"{label}: {text}")


class Made(torch.autograd.Function):
    """Squares; what its derivative is says the user."""

    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return x * x

    @staticmethod
    def backward(ctx, grad):
        return ctx.slope(grad, *ctx.saved_tensors), None


runs = iter(range(1000))


for name, f, inputs in [
    ("one input", torch.sin, x),
    ("a matrix", lambda m: m.exp() @ m.t(), m),
    ("two inputs, two outputs", lambda x, m: (m @ x, m * x), (x, m)),
    ("a number", lambda a: a**3, number),
    ("nothing", lambda e: e * 2, empty),
    ("a constant beside it", lambda x, c: x * c, (x, torch.ones(3).double())),
    ("an input not used", lambda x, m: x * 2, (x, m)),
    ("an integer output last", lambda x: (x * 2, x.long()), x),
    ("no gradient", lambda x: x.detach() * 0 + 1, x),
    ("no gradient, and it depends", lambda x: x.detach() * 2, x),
    ("right", lambda x: Made.apply(x, lambda grad, x: grad * 2 * x), x),
    ("too much", lambda x: Made.apply(x, lambda grad, x: grad * 3 * x), x),
    ("of a number", lambda x: Made.apply(x, lambda grad, x: grad * x), number),
    ("one element", lambda x: Made.apply(x, lambda grad, x: grad * 2 * x + (x > 1)), x),
    ("not proportional", lambda x: Made.apply(x, lambda grad, x: 2 * x + grad * 0), x),
    ("another each time", lambda x: Made.apply(x, lambda g, x: g * 2 * x + next(runs)), x),
    ("the second output", lambda x: (x, Made.apply(x, lambda grad, x: grad * 5)), x),
    ("of a matrix", lambda m: Made.apply(m, lambda grad, m: grad * m).sum(0), m),
]:
    attempt(name, lambda: gradcheck(f, inputs, fast_mode=True))
attempt("asked", lambda: gradcheck(lambda x: Made.apply(x, torch.mul), x, fast_mode=True,
                                   raise_exception=False))  # fmt: skip
print(gradcheck(torch.sin, x, fast_mode=True), x, x._version, x.grad)
print(gradgradcheck(lambda x: x**3, x, fast_mode=True))
print(gradgradcheck(torch.mul, (x, m), fast_mode=True))
torch.manual_seed(7)
gradcheck(torch.sin, x, fast_mode=True)
print(torch.rand(1))
attempt("forward", lambda: gradcheck(torch.sin, x, fast_mode=True, check_backward_ad=False))
