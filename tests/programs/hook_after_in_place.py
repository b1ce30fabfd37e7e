"""After an in-place operation old hooks stay with the old node; retain_grad moves on."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 2
y.register_hook(lambda gradient: print("before the edit", gradient))
y.retain_grad()
old = y.grad_fn
y.mul_(5)
y.register_hook(lambda gradient: print("after the edit", gradient))
print(y, y.grad_fn is old, y.grad_fn.next_functions[0][0] is old, y.retains_grad)
(y * 3).sum().backward()
print("retained", y.grad, "leaf", x.grad)
