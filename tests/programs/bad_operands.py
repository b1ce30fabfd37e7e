"""Operands of the wrong shape or type leave every tensor unchanged."""

import torch
from show import attempt

a = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
b = torch.tensor([1.0, 2.0])
matrix = torch.ones(2, 2)
attempt("a + b", lambda: a + b)
attempt("a * b", lambda: a * b)
attempt("a / b", lambda: a / b)
attempt("a ** b", lambda: a**b)
attempt("a - matrix", lambda: a - matrix)
attempt("b += a", lambda: b.add_(a))
attempt("matrix @ a", lambda: matrix @ a)
attempt("a > b", lambda: a > b)
attempt("a + str", lambda: a + "1")
attempt("str + a", lambda: "1" + a)
attempt("a + None", lambda: a + None)
attempt("a * list", lambda: a * [1.0, 2.0, 3.0])
attempt("bool - bool", lambda: torch.tensor([True]) - torch.tensor([True]))
attempt("exp of a number", lambda: torch.exp(2.0))
attempt("unknown attribute", lambda: a.nonsense)
print(a, b, matrix, a.grad, b._version)
a + b
