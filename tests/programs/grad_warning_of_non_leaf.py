"""Reading .grad of a non-leaf tensor warns, unless it retains its gradient."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
print("leaf", x.grad)
print("not a leaf", y.grad)
print("without a graph", (torch.ones(2) * 2).grad)
print("detached", y.detach().grad)
y.retain_grad()
print("retains", y.grad, y.retains_grad)
y.sum().backward()
print("after", y.grad, x.grad)
print("flags", x.retains_grad, (y * 1).retains_grad)
