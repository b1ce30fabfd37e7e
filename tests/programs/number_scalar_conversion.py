"""float() of a tensor that requires grad warns; item() and tolist() cut the graph silently."""

import math

import torch

w = torch.tensor(2.0, requires_grad=True)
print(math.pow(w, 3))
print(w.item(), w.tolist())
print(torch.tensor([w * 1, w * 2]))
print(math.pow(w.detach(), 3))
(w**3).backward()
print(w.grad)
