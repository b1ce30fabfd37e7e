"""Long chains neither overflow the stack forward, backward, nor when they are dropped."""

import torch

x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(3_000):
    y = y * 1.0001
y.backward()
print(y, x.grad)
del y

z = x
for _ in range(3_000):
    z = z - 1
print(z)
del z
print("dropped without a backward")

(x + 1).backward()
print(x.grad)
