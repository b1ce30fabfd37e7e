"""Record how PyTorch prints tensors: ``python -m tests.goldens.record_formatting``, with torch.

Each case of `formatting.json` holds the ingredients of a tensor and the text that PyTorch prints
for it; the values are repeated until the shape is full (`numpy.resize`). The unit tests read the
file without torch; the parity tests check that torch still prints the same. Nothing is computed
here, so every processor records the same text.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

GOLDENS = Path(__file__).with_name("formatting.json")
FLOATS = ("float32", "float64")
INTEGERS = ("int8", "int16", "int32", "int64", "uint8")

VALUES: dict[str, list[Any]] = {
    "whole": [1, 2, 3],
    "whole, signs": [-1, 0, 12],
    "zeros": [0.0, -0.0],
    "fractions": [0.1, -2.5, 3.14159],
    "wide": [0.5, 1234.5],
    "just not scientific": [1.0, 1000.0, 0.5],
    "just scientific": [1.0, 1001.0],
    "large whole": [1e8],
    "larger whole": [1.2e8, -3.0],
    "8 digits": [12345678.0],
    "small": [1e-4, 2e-4],
    "tiny": [1e-5, -1e-12],
    "mixed magnitudes": [0.0, 1e-7, 1.0, 1e7],
    "not finite": ["nan", "inf", "-inf"],
    "not finite, whole": ["nan", 1, "-inf", -20],
    "not finite, fractions": ["nan", 0.25, "-inf", 0],
    "not finite, scientific": ["nan", 1e-9, "-inf", 0],
    "float32 rounds": [0.6, 16777217.0, 1 / 3],
}


def numpy_array(case: dict[str, Any]) -> NDArray[Any]:
    """Build the array that a case describes."""
    return np.resize(np.array(case["values"], case["dtype"]), case["shape"])


def dress(tensor: torch.Tensor, suffixes: Sequence[str], prefix: str) -> torch.Tensor:
    """Give a tensor what makes PyTorch print these suffixes (at most one) and this prefix."""
    kind = prefix.removesuffix("(")
    if kind != "tensor":
        tensor = tensor.as_subclass(type(kind, (torch.Tensor,), {}))
    for suffix in suffixes:
        tensor = tensor.requires_grad_()
        if suffix != "requires_grad=True":
            name = suffix.removeprefix("grad_fn=<").removesuffix("Backward>")
            tensor = type(name, (_Same,), {}).apply(tensor)
    return tensor


class _Same(torch.autograd.Function):
    """The identity; a subclass called ``Name`` prints as ``grad_fn=<NameBackward>``."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad


def torch_repr(
    array: NDArray[Any],
    options: dict[str, Any],
    suffixes: Sequence[str] = (),
    prefix: str = "tensor(",
) -> str:
    """Print an array as PyTorch does under these print options."""
    torch.set_printoptions(**options)
    try:
        return repr(dress(torch.from_numpy(np.array(array)), suffixes, prefix))
    finally:
        torch.set_printoptions(profile="default")


def case(
    dtype: str,
    shape: Iterable[int],
    values: Iterable[Any],
    options: dict[str, Any] | None = None,
    suffixes: Iterable[str] = (),
    prefix: str = "tensor(",
) -> dict[str, Any]:
    """Describe one tensor to print."""
    return {
        "dtype": dtype,
        "shape": list(shape),
        "values": list(values),
        "options": options or {},
        "suffixes": list(suffixes),
        "prefix": prefix,
    }


def cases() -> Iterator[dict[str, Any]]:
    """Yield every case, without its text."""
    for dtype, values in itertools.product(FLOATS, VALUES.values()):
        yield case(dtype, (len(values),), values)
    for value in (0.6, 3.0, -0.0, 1e-5, 1e9, 12345678.0, "nan", "-inf"):
        yield case("float32", (), [value])
    for dtype in ("float16", *FLOATS, *INTEGERS, "bool"):
        yield case(dtype, (), [1])
        yield case(dtype, (5,), [1, 0, 100 if dtype != "bool" else 1])
        for shape in [(0,), (0, 3), (2, 0, 1)]:
            yield case(dtype, shape, [])
    yield case("int64", (3,), [-(2**63), 0, 2**63 - 1])
    yield from layouts()
    yield from optional()
    yield from suffixed()


def layouts() -> Iterator[dict[str, Any]]:
    """Yield what line breaks and summaries depend on: shape, width and number of elements."""
    for shape in [(1, 1), (2, 3), (3, 2, 2), (2, 1, 2, 2), (1, 1, 1, 1, 1), (4, 30), (2, 2, 26)]:
        yield case("float32", shape, [0.5, -1.25, 30])
        yield case("int64", shape, range(12))
    for shape in [(1000,), (1001,), (7, 143), (6, 167), (7, 144), (11, 10, 10), (2, 501), (501, 2)]:
        yield case("float32", shape, [1.5, 2.5])
    yield case("int64", (1001,), [7, -500, 12345])
    yield case("bool", (40, 40), [True, False, True])
    hidden = [0.5, 1.5, 1e9, -1e9, 2.5, 3.5]  # what a summary leaves out does not count
    yield case("float32", (6,), hidden, {"threshold": 5, "edgeitems": 2})
    yield case("float32", (100,), [0.0])


def optional() -> Iterator[dict[str, Any]]:
    """Yield tensors that print differently under each print option."""
    numbers = [0.5, -1234.56789, 3.0]
    for options in [
        {"precision": 0}, {"precision": 2}, {"precision": 10}, {"sci_mode": True},
        {"sci_mode": False}, {"linewidth": 20}, {"linewidth": 1}, {"profile": "short"},
        {"profile": "short", "precision": 6}, {"threshold": 5}, {"threshold": 5, "edgeitems": 1},
        {"threshold": 5, "edgeitems": 2}, {"threshold": 5, "edgeitems": 0}, {"edgeitems": 0},
        {"threshold": 5, "edgeitems": 3, "linewidth": 20},
    ]:  # fmt: skip
        yield case("float32", (4, 5), numbers, options)
        yield case("int32", (11,), range(11), options)
    yield case("float32", (1100,), [1.0], {"profile": "full", "linewidth": 8000})
    for options in [{"sci_mode": True}, {"sci_mode": False}, {"threshold": 0}, {"edgeitems": 0}]:
        yield case("float32", (), [1e-5], options)
        yield case("float64", (3,), ["nan", 0.0, "inf"], options)
        yield case("float32", (2, 0), [], options)


def suffixed() -> Iterator[dict[str, Any]]:
    """Yield tensors of autograd, whose suffixes wrap at the line width."""
    grad_fns = [
        ["requires_grad=True"],
        ["grad_fn=<AddBackward>"],
        [f"grad_fn=<{'x' * 30}Backward>"],
    ]
    for suffixes in grad_fns:
        for length in (1, 5, 6, 7, 8, 9, 10):
            yield case("float32", (length,), [0.5], suffixes=suffixes)
        yield case("float64", (2, 4), [0.5], suffixes=suffixes)
        yield case("float64", (0, 2), [], suffixes=suffixes)
    for length in range(11, 15):  # the last that fits behind the numbers, the first that does not
        yield case("float32", (5,), [0.5], suffixes=[f"grad_fn=<{'x' * length}Backward>"])
    for length in range(34, 38):  # the same behind a dtype that wrapped
        yield case("float64", (2, 7), [0.5], suffixes=[f"grad_fn=<{'x' * length}Backward>"])
    for prefix in ("Weight(", "AVeryLongNameForAKindOfTensor("):
        yield case("float64", (2, 7), [0.25], suffixes=grad_fns[1], prefix=prefix)
        yield case("float32", (), [0.25], suffixes=grad_fns[0], prefix=prefix)


def record() -> list[dict[str, Any]]:
    """Return every case with the lines that PyTorch prints for it."""
    recorded = []
    for one in cases():
        text = torch_repr(numpy_array(one), one["options"], one["suffixes"], one["prefix"])
        recorded.append(one | {"text": text.split("\n")})
    return recorded


if __name__ == "__main__":
    rows = ",\n".join(json.dumps(row, allow_nan=False) for row in record())
    GOLDENS.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
