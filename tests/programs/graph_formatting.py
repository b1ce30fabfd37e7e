"""str, repr and format of tensors with and without a graph, alone and inside containers."""

import torch
from show import attempt

x = torch.tensor(5.0, requires_grad=True)
y = x * 0.1
v = torch.tensor([1.0, -2.5, 1000.0], requires_grad=True)
for tensor in (x, y, y.detach(), v, v * 2, v.sum(), torch.tensor(7), torch.tensor(True)):
    print(str(tensor), repr(tensor), f"{tensor}", f"{tensor!r}")
print(f"{y:.3f} {y:8.2e} {torch.tensor(7):03d}", float(y.detach()), round(y.item(), 2))
attempt("format of a vector", lambda: f"{v.detach():.2f}")
print([x, y], (v,), {"y": y})
print(x.shape, v.shape, v.size(), v.size(0), x.dtype, torch.float64, v.dim(), v.numel())
print(torch.Size([2, 3]), torch.zeros(2, 0).shape, repr(torch.zeros(0, 3)))
print(torch.tensor([1.0, 2.0], dtype=torch.float64, requires_grad=True) * 2)
print(torch.zeros(2, 3, requires_grad=True) @ torch.ones(3, 2))
print(torch.tensor([0.1 + i / 7 for i in range(14)], requires_grad=True).exp())
