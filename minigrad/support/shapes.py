"""Checks and conversions of shapes and dimensions."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import errors


def expandable(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether an array of `shape` can be broadcast to `target`."""
    lead = len(target) - len(shape)
    return lead >= 0 and all(n in (1, m) for n, m in zip(shape, target[lead:], strict=True))


def broadcastable(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether two shapes can be broadcast together."""
    return all(n == m or 1 in (n, m) for n, m in zip(reversed(a), reversed(b), strict=False))


def broadcast_shape(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """The shape to which all of these are broadcast together. RuntimeError if they cannot be."""
    together: tuple[int, ...] = ()
    for shape in shapes:
        if not broadcastable(together, shape):
            raise errors.does_not_broadcast(together, shape)
        together = np.broadcast_shapes(together, shape)
    return together


def wrap_dim(dim: int, ndim: int) -> int:
    """`dim` as a non-negative number. IndexError if out of range; a 0-d tensor allows -1 and 0."""
    rank = max(ndim, 1)
    if not -rank <= dim < rank:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got"
            f" {dim})"
        )
    return dim % rank


def has_no_gaps(array: Any) -> bool:
    """Whether the elements of an array fill its memory, in any order of its dimensions."""
    if array.flags.forc or array.size < 2:
        return True
    expected = array.itemsize
    for step, length in sorted(zip(array.strides, array.shape, strict=True)):
        if length != 1 and step != expected:
            return False
        expected *= length
    return True
