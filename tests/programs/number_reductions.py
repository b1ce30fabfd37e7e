"""sum and mean: dimensions, keepdim, dtypes, empty tensors, gradients."""

import torch
from show import attempt

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
for name, reduced in {
    "sum": x.sum(),
    "sum(0)": x.sum(0),
    "sum(-1)": x.sum(-1),
    "sum(dim=1, keepdim)": x.sum(dim=1, keepdim=True),
    "sum((0, 1))": x.sum((0, 1)),
    "torch.sum": torch.sum(x, 1),
    "mean": x.mean(),
    "mean(0)": x.mean(0),
    "mean(1, keepdim)": x.mean(1, keepdim=True),
    "torch.mean": torch.mean(x, dim=(0, 1)),
}.items():
    x.grad = None
    (reduced * reduced).sum().backward()
    print(name, reduced, x.grad)
empty = torch.zeros(0, 3, requires_grad=True)
print(empty.sum(), empty.mean(), empty.sum(0), empty.mean(1))
print(torch.tensor([True, True]).sum(), torch.tensor([1, 2], dtype=torch.int32).sum())
print(x.sum(dtype=torch.float64))
attempt("mean of integers", lambda: torch.tensor([1, 2]).mean())
attempt("dim", lambda: x.sum(2))
attempt("dim twice", lambda: x.sum((0, 0)))
