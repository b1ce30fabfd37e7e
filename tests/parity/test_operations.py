"""Dtypes combine as they do in PyTorch, with one another and with numbers."""

import itertools
from functools import partial
from typing import Any

import pytest
import torch

import minigrad
from tests.goldens.record_operations import error_line, run

DTYPES = [
    "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool",
]  # fmt: skip
PROGRAMS = [
    "x + y", "x - y", "x * y", "x / y", "x == y", "x < y", "x & y", "torch.stack([x[()], y[()]])",
    "torch.cat([x[None], y[None]])", "torch.where(torch.tensor(True), x, y)", "x @ y",
    "z = x * 1; z += y; z",
    "z = x * 1; z *= y; z", "z = x * 1; z /= y; z", "z = x * 1; z.copy_(y); z",
]  # fmt: skip
NUMBERS = [True, 2, 2.5]


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("shapes", [((2,), (2,)), ((2,), ()), ((), (2,)), ((), ())])
def test_dtypes_combine_the_same(program: str, shapes: tuple[Any, Any]) -> None:
    for dtypes in itertools.product(DTYPES, DTYPES):
        expected, actual = (
            dtype_or_error(library, program, *map(partial(filled, library), shapes, dtypes))
            for library in (torch, minigrad)
        )
        assert expected.startswith("NotImplementedError") or actual == expected, dtypes


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("order", [1, -1], ids=["tensor first", "number first"])
def test_numbers_combine_the_same(program: str, order: int) -> None:
    for dtype, number, shape in itertools.product(DTYPES, NUMBERS, [(2,), ()]):
        expected, actual = (
            dtype_or_error(library, program, *[filled(library, shape, dtype), number][::order])
            for library in (torch, minigrad)
        )
        unknown = expected.startswith("NotImplementedError")
        assert unknown or actual == expected, (dtype, number, shape)


def filled(library: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return library.ones(shape, dtype=getattr(library, dtype))


def dtype_or_error(library: Any, program: str, x: Any, y: Any) -> str:
    """The dtype of what the program gives, or its error.

    NotImplementedError is a kernel that PyTorch does not have, for bools mostly; NumPy may have it.
    """
    try:
        return str(run(program, {"torch": library, "x": x, "y": y}).dtype)
    except (RuntimeError, TypeError, AttributeError) as error:
        return error_line(error)
