"""NumPy's numbers as operands: its bools count as floats, the others as Python's numbers."""

import numpy as np
import torch
from show import attempt

YES = np.bool_(True)
x = torch.tensor([1.0, 2.0], requires_grad=True)
counts, flags = torch.tensor([1, 2]), torch.tensor([True, False])

for operand in (YES, np.float64(1.5), np.float32(1.5), np.int64(2), np.uint8(3)):
    print(type(operand).__name__)
    attempt("x + n", lambda n=operand: x + n)
    attempt("x - n", lambda n=operand: x - n)
    attempt("n - x", lambda n=operand: n - x)
    attempt("x * n", lambda n=operand: x * n)
    attempt("x / n", lambda n=operand: x / n)
    attempt("x ** n", lambda n=operand: x**n)
    attempt("n ** x", lambda n=operand: n**x)
    attempt("x % n", lambda n=operand: x % n)
    attempt("x > n", lambda n=operand: x > n)
    attempt("counts + n", lambda n=operand: counts + n)
    attempt("flags * n", lambda n=operand: flags * n)
    attempt("sub_ with alpha", lambda n=operand: (x * 1).sub_(n, alpha=0.5))
    attempt("clamp", lambda n=operand: x.clamp(min=n))
    attempt("clamp_min", lambda n=operand: torch.clamp_min(x, n))
    attempt("clamp_max", lambda n=operand: x.clamp_max(n))

zeros = torch.tensor([-0.0, 0.0, -1.0])
print(1 / zeros.clamp(min=0), 1 / zeros.clamp(max=0), 1 / zeros.clamp(0, 1))
