"""A line fitted by hand-written gradient descent."""

import torch

x = torch.tensor([0.0, 1.0, 2.0, 3.0], dtype=torch.float64)
y = 2 * x + 1
slope = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
offset = torch.zeros(1, dtype=torch.float64, requires_grad=True)
for step in range(60):
    loss = ((slope * x + offset - y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for parameter in (slope, offset):
            parameter -= 0.1 * parameter.grad
            parameter.grad.zero_()
    if step % 20 == 0:
        print(step, loss, slope, offset)
print(f"{slope.item():.2f} {offset.item():.2f}", slope.is_leaf, slope._version)
slope = slope - 0.1
print("rebinding makes another tensor:", slope, slope.is_leaf)
