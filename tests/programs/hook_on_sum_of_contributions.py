"""A hook sees the sum of all contributions, once."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.register_hook(lambda gradient: print("y", gradient))
x.register_hook(lambda gradient: print("x", gradient))
(y * 3 + y * 4 + y + x).sum().backward()
print(x.grad)
