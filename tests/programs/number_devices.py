"""The CPU is the only device, and programs that ask for one run unchanged."""

import torch
from show import attempt

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print(device, repr(device), device.type, device.index, device == torch.device("cpu"))
x = torch.tensor([1.0, 2.0], device=device, requires_grad=True)
print(x.device, x.is_cuda, x.to(device) is x, x.cpu() is x, x.to(device, torch.float64))
print(torch.zeros(2, device="cpu"), torch.randn(2, 3, device=device).shape)
print(torch.ones_like(x, device=device), torch.arange(3, device="cpu"))
print(x.type(), x.long().type(), x.type(torch.float64), x.ndimension())
print(torch.inf, torch.nan, torch.pi, torch.numel(x), torch.concat((x, x)))
attempt("no attribute", lambda: x.to("cpu").no_such_attribute)
matrix = torch.eye(3)
print(matrix[1].storage_offset(), matrix[1:, 2].storage_offset(), matrix.storage_offset())
print(x.size(0), x.size(-1), matrix.shape[:1], matrix.shape + x.shape)
attempt("size of a number", lambda: torch.tensor(5.0).size(0))
attempt("too far", lambda: x.size(3))
