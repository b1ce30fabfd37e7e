"""backward on a leaf: its gradient is the cotangent."""

import torch
from show import attempt

x = torch.tensor(2.0, requires_grad=True)
x.backward()
x.backward(torch.tensor(5.0))
print(x.grad)
v = torch.tensor([1.0, 2.0], requires_grad=True)
attempt("vector", v.backward)
cotangent = torch.tensor([3.0, 4.0])
v.backward(cotangent)
print(v.grad, v.grad is cotangent)
cotangent.zero_()
print(v.grad)
print(torch.autograd.grad(x, x))
