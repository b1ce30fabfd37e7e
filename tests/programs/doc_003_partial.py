"""3.2: the partial derivatives of x² + y² at (4, 2)."""

import torch

x = torch.tensor([4.0], requires_grad=True)
y = torch.tensor([2.0], requires_grad=True)
total = x**2 + y**2
print(f"total: {total}")
total.backward()
for name, leaf in (("x", x), ("y", y)):
    print(f"{name}: {leaf}, gradient {leaf.grad}")
