"""What gradcheck takes: inputs and outputs of every kind, and how it uses the function."""

import torch
from show import attempt

gradcheck = torch.autograd.gradcheck


def double(*values):
    return torch.tensor(values, dtype=torch.float64, requires_grad=True)


x = double(0.5, 1.5, 2.5)
number = double(2.0)[0].detach().requires_grad_()
matrix = double([1.0, 2.0], [3.0, 4.0])
empty = double()

print("-- outputs")
outputs = {
    "the input itself": lambda x: x,
    "a view of it": lambda x: x.view(-1),
    "a list": lambda x: [x * 2, x * 3],
    "a named tuple": lambda x: x.max(0),
    "integers as well": lambda x: (x * 2, x.long()),
    "integers alone": lambda x: x.long(),
    "integers that jump": lambda x: (x * 2).long(),
    "bools as well": lambda x: (x * 2, x > 1),
    "bools alone": lambda x: x > 1,
    "detached as well": lambda x: (x * 2, x.detach() * 3),
    "detached alone": lambda x: x.detach() * 3,
    "a constant": lambda x: torch.ones(2, dtype=torch.float64),
    "nothing in it": lambda x: x[:0],
    "single precision": lambda x: x.float(),
    "None": lambda x: None,
    "a number": lambda x: 3.0,
    "None as well": lambda x: (x, None),
    "a shape that changes": lambda x: x[x > 0.5],
    "a dtype that changes": lambda x: x * 2 if x[0] >= 0.5 else x.float(),
    "the input, changed": lambda x: x.mul_(2),
    "a copy, changed": lambda x: x.clone().mul_(2),
}
for name, f in outputs.items():
    attempt(name, lambda: gradcheck(f, x))

print("-- inputs")
fixed = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64)
attempt("a list", lambda: gradcheck(torch.mul, [x, x]))
attempt("no tensor", lambda: gradcheck(lambda x, n: x**n, (x, 3)))
attempt("no tensor first", lambda: gradcheck(lambda n, x: x**n, (2, x)))
attempt("None", lambda: gradcheck(lambda x, n: x * 2, (x, None)))
attempt("fixed", lambda: gradcheck(torch.mul, (x, fixed)))
attempt("all fixed", lambda: gradcheck(torch.exp, (fixed,)))
attempt("all fixed, quietly", lambda: gradcheck(torch.exp, fixed, raise_exception=False))
attempt("a number", lambda: gradcheck(torch.exp, 3.0))
attempt("a tuple of tensors", lambda: gradcheck(lambda xs: xs[0], ((x, number),)))
attempt("changed on the way", lambda: gradcheck(lambda x, y: x * y.add_(1), (x, fixed.clone())))
attempt("empty", lambda: gradcheck(torch.exp, empty))
attempt("empty matrix", lambda: gradcheck(torch.exp, torch.zeros(0, 2).double().requires_grad_()))
attempt("0-d", lambda: gradcheck(torch.exp, number))
attempt("not a leaf", lambda: gradcheck(torch.exp, x * 2))
attempt("transposed", lambda: gradcheck(torch.exp, matrix.detach().t().requires_grad_()))
attempt("unsqueezed", lambda: gradcheck(torch.exp, fixed.unsqueeze(0).requires_grad_()))
attempt("overlapping", lambda: gradcheck(torch.exp, fixed[:1].expand(3).requires_grad_()))
attempt("overlapping, fixed", lambda: gradcheck(torch.mul, (x, fixed[:1].expand(3))))
attempt("one unused", lambda: gradcheck(lambda x, y: x * 2, (x, matrix)))
attempt("a module", lambda: gradcheck(torch.nn.Linear(3, 2).double(), x))
for dtype in (torch.float16, torch.float32):
    attempt(str(dtype), lambda: gradcheck(lambda x: x * 2, x.detach().to(dtype).requires_grad_()))

print("-- arguments")
attempt("by position", lambda: gradcheck(torch.exp, x, 1e-6))
attempt("unknown", lambda: gradcheck(torch.exp, x, epsilon=1e-6))
attempt("masked", lambda: gradcheck(torch.exp, x, masked=True))
attempt("neither mode", lambda: gradcheck(torch.exp, x, check_backward_ad=False))
with torch.no_grad():
    attempt("unrecorded", lambda: gradcheck(torch.exp, x))

print("-- how often, and with what")
calls, cotangents = [], []


class Watched(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        calls.append(x.tolist())
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        cotangents.append(grad.tolist())
        return grad * 2


attempt("watched", lambda: gradcheck(Watched.apply, x))
print(*calls, sep="\n")
print(*cotangents, sep="\n")
calls.clear()
attempt("two outputs", lambda: gradcheck(lambda x: (Watched.apply(x), x), x))
print(len(calls))
print(x, x.grad, x._version, matrix, number)
