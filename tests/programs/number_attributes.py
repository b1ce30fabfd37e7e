"""Attributes of a tensor that cannot be set, and transposes of matrices by name."""

import torch

x = torch.ones(2, 2)
for name in ("name", "layout", "H", "mH", "T", "mT", "is_cuda", "is_sparse", "is_quantized",
             "is_cpu", "is_meta", "shape", "device", "ndim"):  # fmt: skip
    print(name, getattr(x, name))
    for change in (lambda name=name: setattr(x, name, 1), lambda name=name: delattr(x, name)):
        try:
            change()
        except AttributeError as error:
            print(error)

print(torch.strided, isinstance(x.layout, torch.layout))
for shape in ((), (2,), (2, 3), (2, 2, 3)):
    for name in ("H", "mH", "mT"):
        try:
            y = getattr(torch.zeros(shape, requires_grad=True), name)
            print(y.grad_fn, y.shape)
        except RuntimeError as error:
            print(error)
