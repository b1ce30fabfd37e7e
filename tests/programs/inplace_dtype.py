"""An in-place operation keeps the dtype and the shape, or refuses."""

import torch
from show import attempt

whole = torch.tensor([1, 2])
single = torch.tensor([1.0, 2.0])
double = torch.tensor([1.0, 2.0], dtype=torch.float64)
print(single.add_(double))
print(single.mul_(whole))
attempt("int += float", lambda: whole.add_(1.5))
attempt("int /= int", lambda: whole.div_(2))
attempt("bool += int", lambda: torch.tensor([True]).add_(1))
attempt("shape", lambda: single.add_(torch.ones(2, 2)))
print(whole, single, whole._version, single._version)
