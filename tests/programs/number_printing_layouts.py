"""How numbers print: notation and rounding, line breaks, summaries, options, suffixes that wrap."""

import numpy as np
import torch
from show import attempt


class Same(torch.autograd.Function):
    """The identity; a subclass called `Name` prints as `grad_fn=<NameBackward>`."""

    @staticmethod
    def forward(ctx, x):
        return x.clone()

    @staticmethod
    def backward(ctx, grad):
        return grad


def made(dtype, shape, values):
    """A tensor of these values, repeated until the shape is full."""
    return torch.from_numpy(np.resize(np.array(values, dtype), shape))


INTEGERS = ["int8", "int16", "int32", "int64", "uint8"]

print("== notation")
for values in (
    [1, 2, 3], [-1, 0, 12], [0.0, -0.0], [0.1, -2.5, 3.14159], [0.5, 1234.5], [1.0, 1000.0, 0.5],
    [1.0, 1000.0], [1.0, 1001.0], [1e8], [1.2e8, -3.0], [12345678.0], [1e-4, 2e-4], [1e-5, -1e-12],
    [0.0, 1e-7, 1.0, 1e7], ["nan", "inf", "-inf"], ["nan", 1, "-inf", -20],
    ["nan", 0.25, "-inf", 0], ["nan", 1e-9, "-inf", 0], [0.6, 16777217.0, 1 / 3],
):  # fmt: skip
    for dtype in ("float32", "float64"):
        print(made(dtype, len(values), values))
for value in (0.6, 3.0, -0.0, 1e-5, 1e9, 12345678.0, "nan", "-inf"):
    print(made("float32", (), value))
for dtype in ("float16", "float32", "float64", *INTEGERS, "bool"):
    print(made(dtype, (), 1), made(dtype, 5, [1, 0, 100 if dtype != "bool" else 1]))
    print(*(made(dtype, shape, []) for shape in [(0,), (0, 3), (2, 0, 1)]))
print(made("int64", 3, [-(2**63), 0, 2**63 - 1]))
print(made("float64", 2, [1e300, 1e-300]))

print("== line breaks and summaries")
for shape in [(1, 1), (2, 3), (3, 2, 2), (2, 1, 2, 2), (1, 1, 1, 1, 1), (4, 30), (2, 2, 26)]:
    print(made("float32", shape, [0.5, -1.25, 30]), made("int64", shape, range(12)), sep="\n")
for shape in [(1000,), (1001,), (7, 143), (6, 167), (7, 144), (11, 10, 10), (2, 501), (501, 2)]:
    print(made("float32", shape, [1.5, 2.5]))
print(made("int64", 1001, [7, -500, 12345]), made("bool", (40, 40), [True, False, True]))
print(made("float32", 100, 0.0))
print(made("float32", (2, 3, 4), range(24)).mT, made("float32", 6, range(6)).flip(0)[::2])

print("== options")
several = (made("float32", (4, 5), [0.5, -1234.56789, 3.0]), made("int32", 11, range(11)))
hidden = made("float32", 6, [0.5, 1.5, 1e9, -1e9, 2.5, 3.5])  # a summary leaves the large ones out
few = (made("float32", (), 1e-5), made("float64", 3, ["nan", 0.0, "inf"]), torch.zeros(2, 0))
for options in (
    {"precision": 0}, {"precision": 2}, {"precision": 10}, {"sci_mode": True}, {"sci_mode": False},
    {"linewidth": 20}, {"linewidth": 1}, {"profile": "short"}, {"profile": "short", "precision": 6},
    {"threshold": 0}, {"threshold": 5}, {"threshold": 5, "edgeitems": 1},
    {"threshold": 5, "edgeitems": 2}, {"threshold": 5, "edgeitems": 0}, {"edgeitems": 0},
    {"threshold": 5, "edgeitems": 3, "linewidth": 20},
):  # fmt: skip
    torch.set_printoptions(**options)
    print(options, *several, hidden, *few, sep="\n")
    torch.set_printoptions(profile="default")
torch.set_printoptions(profile="full", linewidth=8000)
print(made("float32", 1100, 1.0))

print("== options that stay, and a profile that replaces them")
for options in (
    {"linewidth": 40}, {"precision": 2, "sci_mode": True}, {"edgeitems": 1, "threshold": 7}, {},
    {"profile": "none"}, {"profile": "short"}, {"profile": "full"}, {"profile": "default"},
):  # fmt: skip
    torch.set_printoptions(**options)
    print(options, *several, made("float32", 1001, 1.5), sep="\n")

print("== suffixes")
for suffix in (None, "Add", "x" * 30):
    for dtype, shape in (*(("float32", (n,)) for n in (1, 5, 6, 7, 8, 9, 10)),
                         ("float64", (2, 4)), ("float64", (0, 2))):  # fmt: skip
        leaf = made(dtype, shape, 0.5).requires_grad_()
        print(leaf if suffix is None else type(suffix, (Same,), {}).apply(leaf))
for dtype, shape, lengths in (("float32", 5, range(11, 15)), ("float64", (2, 7), range(34, 38))):
    for length in lengths:  # the last that fits behind the line, the first that does not
        leaf = made(dtype, shape, 0.5).requires_grad_()
        print(type("x" * length, (Same,), {}).apply(leaf))
for name in ("Weight", "AVeryLongNameForAKindOfTensor"):
    kind = type(name, (torch.Tensor,), {})
    leaf = made("float64", (2, 7), 0.25).as_subclass(kind).requires_grad_()
    attempt(name, lambda: type("Add", (Same,), {}).apply(leaf))
    print(made("float32", (), 0.25).as_subclass(kind).requires_grad_())
