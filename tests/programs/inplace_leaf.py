"""A leaf that requires grad may not be changed in place. Ends in an exception."""

import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
(w**2).sum().backward()
with torch.no_grad():
    w -= 0.1 * w.grad
print(w, w.is_leaf, w._version)
try:
    w -= 0.1 * w.grad
finally:
    print("unchanged:", w, w._version)
