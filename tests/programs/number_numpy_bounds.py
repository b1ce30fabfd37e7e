"""NumPy's numbers as arguments: they do not change the dtype of a result."""

import numpy as np
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
for name in ("float16", "float32", "float64", "int64"):
    number = getattr(np, name)(2)
    for result in (x.clamp(number), x.clamp(max=number), x * number, number - x):
        print(name, result, result.dtype, result.element_size())
        (grad,) = torch.autograd.grad(result.sum(), x)
        print(grad, grad.dtype)
