"""A weight that is used several times receives the sum."""

import torch

w = torch.tensor(3.0, requires_grad=True)
(w * w + 2 * w).backward()
print("2w + 2 =", w.grad)

x = torch.tensor(2.0, requires_grad=True)
y = x
for _ in range(4):
    y = y * x
y.backward()
print("5x⁴ =", x.grad)

layer = torch.nn.Linear(1, 1, bias=False)
with torch.no_grad():
    layer.weight.fill_(2.0)
layer(layer(torch.ones(1, 1))).sum().backward()
print("shared layer", layer.weight.grad, layer.bias)
