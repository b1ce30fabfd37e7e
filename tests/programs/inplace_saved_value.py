"""The version shows that a saved value has been changed. Ends in an exception."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 1
z = (y**2).sum()
y += 100
print(y, y._version)
try:
    z.backward()
finally:
    print("nothing arrived:", x.grad)
