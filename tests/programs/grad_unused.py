"""autograd.grad with inputs that the result does not depend on."""

import torch
from show import attempt

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0, requires_grad=True)
attempt("allowed", lambda: torch.autograd.grad(a**2, [a, b], allow_unused=True))
attempt("materialized", lambda: torch.autograd.grad(a**2, [a, b], materialize_grads=True))
attempt("refused", lambda: torch.autograd.grad(a**2, [a, b]))
attempt("a constant", lambda: torch.autograd.grad(a**2, torch.tensor(1.0)))
attempt("itself", lambda: torch.autograd.grad(a, a))
attempt("slice", lambda: torch.autograd.grad((b * 2).sum(), b.view(1)))
attempt("twice", lambda: torch.autograd.grad(a * b, [a, a, b]))
attempt("output no graph", lambda: torch.autograd.grad(torch.tensor(1.0), a))
print(a.grad, b.grad)
