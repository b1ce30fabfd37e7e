"""What may be assigned to .grad."""

import torch
from show import attempt

x = torch.tensor([1.0, 2.0], requires_grad=True)
for label, value in {
    "shape": torch.ones(3),
    "dtype": torch.ones(2, dtype=torch.float64),
    "list": [1.0, 1.0],
    "itself": x,
}.items():
    attempt(label, lambda: setattr(x, "grad", value))
attempt("good", lambda: setattr(x, "grad", torch.ones(2)))
print(x.grad)
x.grad = None
data = torch.ones(2)
data.grad = torch.zeros(2)
print(data.grad, data.requires_grad)
