"""What random graphs turned up: NumPy's numbers, bools, broadcasting and names of nodes."""

import numpy as np
import torch
from show import attempt

x = torch.tensor([-0.5, 0.5, -1.0, 1.7], requires_grad=True)

for number in (np.float32(0.5), np.float64(0.5), np.int64(2), np.float16(2)):
    result = torch.remainder(x, number)
    print("remainder", result.dtype, result.grad_fn.name(), result.tolist())
for divisor in (0.5, -0.5, torch.tensor(0.5), torch.tensor([-0.3, torch.inf, -torch.inf, 0.7])):
    print((x.detach() % divisor).tolist())
print(torch.tensor(-0.5) % 0.5, torch.tensor([-5, 7, -1]) % -3)

flags = torch.tensor([[False, True], [True, True]])
print(flags.max(0), flags.min(1, keepdim=True), torch.tensor(False).max(0))

print(torch.add(flags, flags, alpha=2), torch.add(flags, flags, alpha=True))
whole = torch.tensor([1, 2])
for alpha in (2, 2.5, True, np.float32(2), np.int64(2)):
    attempt(f"of integers {alpha!r}", lambda a=alpha: torch.add(whole, whole, alpha=a))
    attempt(f"of halves {alpha!r}", lambda a=alpha: torch.sub(whole.half(), whole.half(), alpha=a))

a, b, c = torch.ones(3), torch.ones(2), torch.ones(4)
attempt("lerp", lambda: torch.lerp(a, a, b))
attempt("addcmul", lambda: torch.addcmul(a, b, c))
attempt("addcdiv", lambda: torch.addcdiv(a, a, c))
attempt("where", lambda: torch.where(c > 0, a, b))

for number in (np.float32(0.5), np.float16(0.5), np.float64(0.5), np.int32(2), np.bool_(True), 2):
    target = torch.zeros(3)
    for index in (0, [0], target > 1, slice(None), ..., None, True):
        assign = lambda t=target, n=number, i=index: t.__setitem__(i, n)  # noqa: E731
        attempt(f"{type(number).__name__} at {index}", assign)
    print(target)
for mask in (torch.tensor([True]), torch.tensor([False]), [True], (True, 0)):
    target = torch.tensor([4.0])
    attempt("one element", lambda m=mask, t=target: t.__setitem__(m, torch.tensor(1)))
    print(target)

attempt("one dimension", lambda: torch.ones(1).mT)

for index in ([5], 5, torch.tensor([5]), torch.tensor([True, False]), [0, 5]):
    attempt(f"a leaf at {index}", lambda i=index: x.__setitem__(i, 1.0))
    attempt(f"no leaf at {index}", lambda i=index: (x * 1).__setitem__(i, 1.0))

attempt("too many", lambda: torch.tensor(1.0, requires_grad=True).__setitem__([0, -1], 1.0))
attempt("cumsum", lambda: torch.tensor(1.0).cumsum(1))
attempt("cumprod", lambda: torch.tensor(1.0).cumprod(1))

# Bools and whole numbers where PyTorch has no kernel for them, or one of its own.
attempt("abs", lambda: flags.abs())
for exponent in (True, False, 2):
    print(flags**exponent)
for base in (True, False, 2):
    attempt(f"{base} to the power of bools", lambda b=base: b**flags)
negative = torch.tensor([[-1, -2, 0], [3, -3, 1]])
for base in (2, 1, -1, 0, torch.tensor([2, 1, -1]), torch.tensor([0, -2, 3])):
    print(base**negative)

# Operands of several dtypes: those without dimensions count less.
third = torch.tensor([1.0, 2.0, 4.0])
for other in (torch.tensor(2), torch.tensor(True), torch.tensor(2.0).double(), torch.arange(1, 4)):
    for name in ("addcmul", "addcdiv"):
        function = getattr(torch, name)
        attempt(name, lambda f=function, o=other: f(third, o, third))
        attempt(name, lambda f=function, o=other: f(o, third, o))
        attempt(name, lambda f=function, o=other: f(o, o, o))
weights = torch.tensor([-0.75, -0.25, 0.75])
far = torch.tensor([torch.inf, torch.inf, -torch.inf])
print(torch.lerp(third, far, weights), torch.lerp(third, far, -0.75), torch.lerp(far, third, -0.5))

# What is checked first.
empty = torch.tensor([])
for name in ("var", "std"):
    attempt(name, lambda n=name: getattr(torch, n)(empty, 5))
print(empty.roll(1, 5), torch.ones(2, 0).roll(1, 5))
try:
    third.masked_fill(third > 1, [1, 2])
except TypeError as error:
    print(str(error).split("\n")[0])
block = torch.ones(1, 3, 2)
for index in (torch.tensor([True, False]), torch.tensor([5]), [5], (0, [5])):
    attempt("written to itself", lambda i=index: block.__setitem__(i, block))
for index in ([0, 2, 1], [2, 1], [0, -3, 5], [5, -3], [[0, 1, 2], [1, 0, 2]]):
    attempt(f"at {index}", lambda i=index: block[torch.tensor(i)])
attempt("as it lies in memory", lambda: block[torch.tensor([[0, 1], [2, 0]]).t()])
for shape, dim in (((0,), 0), ((0, 0), 0), ((0, 3), 1), ((3, 0), 1), ((2, 3), 1)):
    for where in ([], [0, 0], [5, 6]):
        numbers = torch.tensor(where, dtype=torch.int64)
        select = torch.ones(shape).index_select
        attempt(f"{shape} at {where}", lambda s=select, d=dim, n=numbers: s(d, n))
