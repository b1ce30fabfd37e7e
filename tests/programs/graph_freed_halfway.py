"""Two losses on one trunk: the second finds the trunk freed; a sum or a list does not."""

import torch

w = torch.tensor(3.0, requires_grad=True)


def heads():
    trunk = w**2
    return trunk * 2, trunk * 5


first, second = heads()
(first + second).backward()
print("sum", w.grad)
w.grad = None
torch.autograd.backward(heads())
print("list", w.grad)
w.grad = None
first, second = heads()
first.backward()
print("first", w.grad)
try:
    second.backward()
finally:
    print("still the first", w.grad)
