"""The limits of dtypes, and what their names tell."""

import torch
from show import attempt

floating = (torch.float16, torch.float32, torch.float64)
integers = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
for dtype in (*floating, *integers, torch.bool):
    print(dtype, dtype.is_floating_point, dtype.is_signed, dtype.is_complex)
    attempt("finfo", lambda: torch.finfo(dtype))
    attempt("iinfo", lambda: torch.iinfo(dtype))
print(torch.short)
for dtype in floating:
    limits = torch.finfo(dtype)
    print(limits.bits, limits.eps, limits.max, limits.min, limits.tiny, limits.smallest_normal)
    print(limits.resolution, limits.dtype, limits == torch.finfo(dtype))
for dtype in integers:
    limits = torch.iinfo(dtype)
    print(limits.bits, limits.max, limits.min, limits.dtype, limits == torch.iinfo(dtype))
print(torch.finfo(), type(torch.finfo()))
print(torch.log(torch.zeros(2) + torch.finfo(torch.float32).tiny))
attempt("of a tensor", lambda: torch.finfo(torch.ones(2)))
attempt("of a number", lambda: torch.iinfo(3))
