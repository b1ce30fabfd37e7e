"""Long chains do not overflow the stack, neither forward nor backward, nor when they are freed."""

import torch

x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(5_000):
    y = y + 1
y.backward()
print(y, x.grad)
del y

z = x
for _ in range(2_000):
    z = z * 1.0001
print(z)
z.backward()
print(x.grad)
del z

w = x
for _ in range(5_000):
    w = w - 1
print(w)
del w
print("dropped without a backward")
