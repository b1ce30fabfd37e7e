"""Numbers and tensors as short text: one format, four digits, no more than fits a box."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from minigrad.viz.protocol import ArrayLike, TensorLike, elements_of

MOST_NUMBERS = 9
"""A tensor with more elements is described by its shape."""


def number(value: Any) -> str:
    """Write one element with a mathematical minus sign, the same in boxes and in equations.

    >>> number(125.0), number(0.6000000238418579), number(-1e-9), number(3)
    ('125', '0.6', '−1e−09', '3')
    """
    text = str(value)
    if isinstance(value, float) and math.isfinite(value):
        decimals = 1 <= abs(value) < 1e5
        text = f"{value:.4f}".rstrip("0").rstrip(".") if decimals else f"{value:.4g}"
    return text.replace("-", "−")


def numbers(tensor: ArrayLike) -> tuple[float, ...] | None:
    """Return the elements of a small tensor in reading order, None if it is large or unreadable."""
    if math.prod(tensor.shape) > MOST_NUMBERS:
        return None
    nested = elements_of(tensor)
    return None if nested is None else tuple(np.ravel(nested).tolist())


def short(tensor: ArrayLike) -> str:
    """Write a tensor on one line: its elements, or its shape if there are many."""
    return " ".join(lines(tensor))


def grad_of(tensor: TensorLike) -> str:
    """Write the `.grad` of a tensor on one line."""
    return "None" if tensor.grad is None else short(tensor.grad)


def lines(tensor: ArrayLike) -> list[str]:
    """Write a tensor, with a line for each row of a small matrix."""
    nested = elements_of(tensor) if math.prod(tensor.shape) <= MOST_NUMBERS else None
    if nested is None or not math.prod(tensor.shape):
        return [f"shape {tuple(tensor.shape)}"]
    rows = [_nested_text(row) for row in nested] if len(tensor.shape) == 2 else []
    if len(rows) > 1:
        return ["[" + rows[0] + ",", *(row + "," for row in rows[1:-1]), rows[-1] + "]"]
    return [_nested_text(nested)]


def dtype_name(tensor: ArrayLike) -> str:
    """Return "float64" for `torch.float64`."""
    return str(tensor.dtype).rpartition(".")[2]


def _nested_text(nested: Any) -> str:
    if isinstance(nested, Sequence):
        return "[" + ", ".join(map(_nested_text, nested)) + "]"
    return number(nested)
