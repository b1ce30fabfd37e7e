"""set_default_dtype: what floats become, what integers divided become, and what prints."""

import torch
from show import attempt

print(torch.get_default_dtype(), torch.tensor(1.5).dtype, torch.finfo())
try:
    torch.set_default_dtype(torch.float64)
    print(torch.get_default_dtype(), torch.tensor([1.5, 2.0]), torch.tensor([1, 2]))
    print(torch.tensor([0.1], dtype=torch.float32), torch.tensor([]), torch.zeros(2), torch.ones(1))
    print(torch.arange(3) / 2, torch.arange(1.0), torch.linspace(0, 1, 3), torch.eye(2))
    print(torch.tensor([1, 4]).sqrt(), torch.tensor([1, 2]) * 0.5, 2.0 ** torch.tensor([1, 2]))
    print(torch.rand(2).dtype, torch.full((2,), 0.1), torch.Tensor([1, 2]).dtype, torch.finfo())
    x = torch.tensor([0.1, 0.2], requires_grad=True)
    (x * torch.tensor([1, 2])).sum().backward()
    print(x, x.grad, x.float(), x * 2)
    layer = torch.nn.Linear(2, 1)
    print(layer.weight.dtype, layer(x).dtype)
finally:
    torch.set_default_dtype(torch.float32)
print(torch.tensor(1.5), torch.tensor([1.5], dtype=torch.float64), torch.arange(2) / 2)
attempt("an integer", lambda: torch.set_default_dtype(torch.int64))
attempt("a word", lambda: torch.set_default_dtype("float64"))
