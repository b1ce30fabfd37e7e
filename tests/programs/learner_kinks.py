"""Learners ask: what is the gradient at a kink, of a tie, where a branch is not finite?"""

import torch
from show import attempt

F = torch.nn.functional
zero = torch.zeros(1)
print("-- at 0")
for name, f in {
    "relu": torch.relu,
    "clamp(min=0)": lambda x: x.clamp(min=0),
    "clamp(max=0)": lambda x: x.clamp(max=0),
    "maximum": lambda x: torch.maximum(x, zero),
    "where": lambda x: torch.where(x > 0, x, zero),
    "hardtanh": lambda x: F.hardtanh(x, 0.0, 1.0),
    "leaky_relu": F.leaky_relu,
    "elu": F.elu,
    "abs": torch.abs,
    "sign": torch.sign,
    "sqrt": torch.sqrt,
    "x ** 0.5": lambda x: x**0.5,
    "x ** 0": lambda x: x**0,
    "x ** 1.5": lambda x: x**1.5,
    "log": torch.log,
    "log1p": torch.log1p,
    "norm": torch.norm,
    "1 / x": lambda x: 1 / x,
}.items():
    x = torch.zeros(1, requires_grad=True)
    f(x).sum().backward()
    print(name, x.grad)

print("-- ties")
tied = torch.tensor([3.0, 3.0, 1.0], requires_grad=True)
for name, f in {
    "max": lambda x: x.max(),
    "max(dim)": lambda x: x.max(dim=0).values,
    "amax": lambda x: x.amax(dim=0),
    "last of sorted": lambda x: x.sort().values[-1],
    "at argmax": lambda x: x[x.argmax()],
    "topk": lambda x: x.topk(2).values.sum(),
    "maximum": lambda x: torch.maximum(x, torch.tensor([3.0, 1.0, 4.0])).sum(),
    "minimum": lambda x: torch.minimum(x, torch.tensor([3.0, 1.0, 4.0])).sum(),
}.items():
    attempt(name, lambda: torch.autograd.grad(f(tied), tied))

print("-- the branch that was not taken")
x = torch.tensor([0.0, 4.0], requires_grad=True)
nothing, one = torch.zeros(2), torch.ones(2)
for name, f in {
    "where": lambda x: torch.where(x > 0, x.sqrt(), nothing),
    "a product": lambda x: x.sqrt() * (x > 0),
    "chosen after": lambda x: x.sqrt()[x > 0],
    "where inside": lambda x: torch.where(x > 0, torch.where(x > 0, x, one).sqrt(), nothing),
    "chosen before": lambda x: x[x > 0].sqrt(),
}.items():
    attempt(name, lambda: (f(x), torch.autograd.grad(f(x).sum(), x)))

print("-- distances")
point = torch.tensor([1.0, 2.0], requires_grad=True)
other = torch.tensor([1.0, 2.0])
for name, f in {
    "norm": lambda p: (p - other).norm(),
    "root of squares": lambda p: ((p - other) ** 2).sum().sqrt(),
    "with a little more": lambda p: (((p - other) ** 2).sum() + 1e-12).sqrt(),
    "squared": lambda p: ((p - other) ** 2).sum(),
}.items():
    attempt(name, lambda: torch.autograd.grad(f(point), point))

print("-- powers")
for base, exponent in [(-2.0, 2.0), (0.0, 2.0), (0.0, 0.0), (0.0, -1.0), (-2.0, 0.5)]:
    a = torch.tensor(base, requires_grad=True)
    b = torch.tensor(exponent, requires_grad=True)
    power = a**b
    power.backward()
    print(base, exponent, power, a.grad, b.grad)

print("-- signs of zero, and bools")
zeros, flags = torch.tensor([-0.0, 0.0]), torch.tensor([True, False])
print(torch.nn.functional.elu(zeros).tolist(), (1 // torch.nn.functional.elu(zeros)).tolist())
attempt("hardtanh", lambda: torch.nn.functional.hardtanh(flags))
logits = torch.nn.functional.binary_cross_entropy_with_logits
attempt("logits", lambda: logits(flags, torch.ones(2)))
