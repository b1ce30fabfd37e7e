"""The dimensions that a reduction goes over."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..support.arguments import Dims, is_integer
from ..support.shapes import wrap_dim


def axes(dim: Dims, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce, counted from the front; all for None and for an empty list."""
    if dim.__class__ is int and 0 <= dim < ndim:  # the usual
        return (dim,)
    if dim is None:
        return tuple(range(ndim))
    dims: Any = dim
    if not isinstance(dims, tuple) and is_integer(dims):
        axis = wrap_dim(dims, ndim)
        return (axis,) if ndim else ()
    if not dims:
        return tuple(range(ndim))
    wrapped = tuple([wrap_dim(each, ndim) for each in dims])
    if len(set(wrapped)) < len(wrapped):
        twice = next(each for each in wrapped if wrapped.count(each) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    return wrapped if ndim else ()


def in_c_order(reduced: Any) -> Any:
    """The result of a reduction, in C order in memory, however the input is laid out."""
    return np.ascontiguousarray(reduced) if reduced.ndim > 1 else reduced


def count(shape: tuple[int, ...], dim: Dims) -> int:
    """How many elements of an array of `shape` go into one element of its reduction over `dim`."""
    return math.prod(shape[axis] for axis in axes(dim, len(shape)))


def restored(shape: tuple[int, ...], dim: Dims) -> list[int]:
    """`shape` with length 1 in the reduced dimensions."""
    reduced = axes(dim, len(shape))
    return [1 if axis in reduced else length for axis, length in enumerate(shape)]
