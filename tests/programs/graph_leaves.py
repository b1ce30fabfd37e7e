"""Leaves: tensors that no recorded operation made, including results of constants."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
k = torch.tensor([3.0, 4.0])
for name, tensor in {"x": x, "k": k, "k * k": k * k, "x * k": x * k, "k * x": k * x}.items():
    print(name, tensor.is_leaf, tensor.requires_grad, tensor.grad_fn is None)
y = x * x
try:
    y.requires_grad = False
except RuntimeError as error:
    print("RuntimeError:", str(error))
print(y.requires_grad, (y * k).is_leaf)
