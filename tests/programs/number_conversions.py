"""Changing the dtype is an operation, unless there is nothing to change."""

import torch

x = torch.tensor([1.5, -2.5], requires_grad=True)
for name, converted in {
    "double": x.double(),
    "float": x.float(),
    "to(float64)": x.to(torch.float64),
    "to(float32)": x.to(torch.float32),
    "long": x.long(),
    "int": x.int(),
    "bool": x.bool(),
}.items():
    print(name, converted, converted is x, converted.requires_grad)
(x.double() ** 2).sum().backward()
print(x.grad, x.grad.dtype)
print(x.dtype, x.dtype == torch.float32, torch.float, torch.long, torch.double, torch.int)
print(x.is_floating_point(), torch.tensor(1).is_floating_point(), x.dim(), x.ndim)
