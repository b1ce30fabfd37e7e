"""A view of such a leaf may not be changed, either. Ends in an exception."""

import torch

w = torch.zeros(2, 2, requires_grad=True)
with torch.no_grad():
    w[0] = 1.0
    w[1].fill_(3)
print(w, w._version)
try:
    w[0] = 2.0
finally:
    print("unchanged:", w, w._version)
