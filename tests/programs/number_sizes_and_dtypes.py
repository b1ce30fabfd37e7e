"""Shapes and dtypes as values: what one can do with them, and how they print."""

import copy
import pickle

import torch
from show import attempt

print("== shapes")
shape = torch.Size([2, 3, 4])
for name, action in {
    "as text": lambda: (str(shape), f"{shape}", "%s" % (shape,)),
    "parts": lambda: (shape[0], shape[-1], shape[1:], shape[::-1], shape[:0]),
    "longer": lambda: (shape + (1,), (1,) + shape, shape + shape),
    "repeated": lambda: (shape * 2, 2 * shape),
    "and a list": lambda: shape + [1],
    "and a number": lambda: shape + 1,
    "compared": lambda: (shape == (2, 3, 4), shape == [2, 3, 4], shape < (3,), shape != shape),
    "as a key": lambda: {shape: 1}[(2, 3, 4)],
    "unpacked": lambda: (*shape, len(shape), sum(shape), max(shape), 3 in shape),
    "numel": lambda: (shape.numel(), torch.Size([]).numel(), torch.Size([0, 2]).numel()),
    "made": lambda: (torch.Size(), torch.Size((1,)), torch.Size(range(3))),
    "of a number": lambda: torch.Size(3),
    "index and count": lambda: (shape.index(3), shape.count(4)),
    "copied": lambda: (copy.deepcopy(shape), pickle.loads(pickle.dumps(shape))),
    "types": lambda: (type(shape), type(shape[0]), isinstance(shape, tuple)),
    "a tensor's": lambda: (torch.ones(2, 3).shape, torch.ones(2, 3).size(), torch.ones(()).shape),
    "one dimension": lambda: (torch.ones(2, 3).size(-1), torch.ones(2, 3).size(dim=0)),
    "no such dimension": lambda: torch.ones(2, 3).size(2),
    "to make a tensor": lambda: torch.zeros(shape[1:]),
}.items():
    attempt(name, action)

print("== dtypes")
floating = (torch.float16, torch.float32, torch.float64)
integers = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)
for dtype in (*floating, *integers, torch.bool):
    print(dtype, [dtype], f"{dtype}", dtype.itemsize)
    print(dtype.is_floating_point)
    print(pickle.loads(pickle.dumps(dtype)) is dtype, copy.deepcopy(dtype) is dtype)
print(torch.half, torch.float, torch.double, torch.int, torch.long)
print(torch.float is torch.float32, torch.float == "float32", type(torch.float))
