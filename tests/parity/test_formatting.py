"""Thousands of generated tensors print the same under minigrad and PyTorch, option by option."""

from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch._tensor_str import get_printoptions as torch_printoptions

import minigrad
from minigrad.support import formatting
from minigrad.support.formatting import set_printoptions, tensor_repr
from tests.goldens.record_formatting import torch_repr

FLOATS = ["float16", "float32", "float64"]
DTYPES = [*FLOATS, "int8", "int16", "int32", "int64", "uint8", "bool"]
# Where a rule changes: rounding carries, the limits of scientific notation, signed zeros.
LIMITS = [0.0, 1.0, 1e-4, 5e-5, 0.99995, 0.00995, 1000.0, 999.99995, 1001.0, 1e8, 99999999.5, 0.5]


def floats(rng: np.random.Generator, size: int, dtype: str) -> NDArray[Any]:
    """Draw numbers of one kind (whole, alike, far apart, any bits at all), some made special."""
    kind = rng.integers(5)
    if kind == 0:
        values = rng.integers(-(10 ** rng.integers(1, 10)), 10 ** rng.integers(1, 10), size)
    elif kind == 1:
        values = rng.normal(size=size) * 10.0 ** rng.integers(-12, 12)
    elif kind == 2:
        values = rng.normal(size=size) * 10.0 ** rng.uniform(-4, rng.uniform(-4, 9), size)
    elif kind == 3:
        values = np.frombuffer(rng.bytes(size * np.dtype(dtype).itemsize), dtype)
    else:
        least_step = np.finfo(dtype).eps / 2
        nudged = np.outer([1 - least_step, 1, 1 + 2 * least_step], [*LIMITS, *np.negative(LIMITS)])
        values = rng.choice(rng.choice(nudged.ravel(), 3), size)
    with np.errstate(over="ignore"):  # in float16, 1e8 is inf
        values = values.astype(dtype)
    special = rng.choice([0.0, -0.0, np.nan, np.inf, -np.inf], size)
    return np.where(rng.random(size) < rng.choice([0, 0, 0.2, 1]), special, values).astype(dtype)


def array(rng: np.random.Generator, dtype: str) -> NDArray[Any]:
    """Draw an array: any number of dimensions up to five, empty and summarised ones included."""
    shape = tuple(rng.integers(rng.integers(2), 9, rng.integers(6)).tolist())
    if rng.random() < 0.5:
        shape = shape[:2]
    if rng.random() < 0.05:
        shape = (*shape[:1], 1001)
    size = int(np.prod(shape))
    if dtype in FLOATS:
        return floats(rng, size, dtype).reshape(shape)
    if dtype == "bool":
        return rng.random(shape) < 0.5
    limits = np.iinfo(dtype)
    shift = rng.integers(8)  # narrow columns as well as the widest
    low, high = limits.min >> shift, limits.max >> shift
    return rng.integers(low, high, shape, dtype, endpoint=True)


def print_options(rng: np.random.Generator) -> dict[str, Any]:
    """Draw arguments for set_printoptions, each present or absent."""
    drawn = {
        "precision": int(rng.integers(9)),
        "threshold": int(rng.integers(40)),
        "edgeitems": int(rng.integers(4)),
        "linewidth": int(rng.integers(1, 120)),
        "profile": str(rng.choice(["default", "short", "full", "none of these"])),
        "sci_mode": bool(rng.integers(2)),
    }
    return {name: value for name, value in drawn.items() if rng.random() < 0.25}


def ending(rng: np.random.Generator, dtype: str) -> list[str]:
    """Draw the suffix of a tensor of autograd, of any length."""
    suffixes = [[], ["requires_grad=True"], [f"grad_fn=<{'N' * rng.integers(1, 60)}Backward>"]]
    return suffixes[rng.integers(3)] if dtype in FLOATS else []


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("optional", [False, True], ids=["defaults", "options"])
def test_generated_tensors_print_the_same(dtype: str, optional: bool) -> None:
    rng = np.random.default_rng([DTYPES.index(dtype), optional])
    for _ in range(800 if dtype in FLOATS else 200):
        data, suffixes = array(rng, dtype), ending(rng, dtype)
        options = print_options(rng) if optional else {}
        prefix = "Parameterised(" if optional and rng.random() < 0.2 else "tensor("
        set_printoptions(**options)
        text = tensor_repr(data, suffixes, prefix=prefix)
        set_printoptions(profile="default")
        assert text == torch_repr(data, options, suffixes, prefix), (options, data.tolist())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("spec", ["", ".3f", "10.2e", "<9", "g"])
def test_generated_numbers_format_the_same(dtype: str, spec: str) -> None:
    rng = np.random.default_rng(DTYPES.index(dtype))
    for _ in range(40):
        data = floats(rng, 1, dtype) if dtype in FLOATS else rng.integers(0, 2, 1).astype(dtype)
        assert format(minigrad.tensor(data[0]), spec) == format(torch.from_numpy(data)[0], spec)


def test_printoptions_change_the_same() -> None:
    rng = np.random.default_rng(0)
    try:
        for _ in range(200):
            options = print_options(rng)
            set_printoptions(**options)
            torch.set_printoptions(**options)
            assert formatting._options._asdict() == torch_printoptions()
    finally:
        set_printoptions(profile="default")
        torch.set_printoptions(profile="default")
