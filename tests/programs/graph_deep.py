"""Long chains do not overflow the stack, neither forward nor backward, nor when they are freed."""

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
