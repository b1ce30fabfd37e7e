"""The helpers that the rules of `ops.indexing`, `gather_scatter` and `inplace` call, on arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import gather_scatter, indexing, inplace
from ...ops.flat import add_at, places, true_in
from ...support.shapes import wrap_dim
from ..arrays import Array, twin_of

twin_of(indexing.index_backward)(indexing.added_back)


@twin_of(inplace.index_drop)
def index_drop(grad: Array, indices: tuple[Any, ...]) -> Array:
    """A copy with zeros at `indices`; `grad` may be a NumPy scalar."""
    changed = np.array(grad)
    changed[indexing.checked(indices, changed.shape)] = 0
    return changed


@twin_of(gather_scatter.gather_backward)
def gather_backward(self: Array, shape: tuple[int, ...], dim: int, index: Array) -> Array:
    grad = np.zeros(shape, self.dtype)
    np.add.at(grad.reshape(-1), places(shape, dim, index).reshape(-1), self.reshape(-1))
    return grad[()]


@twin_of(gather_scatter.put_back)
def put_back(self: Array, shape: tuple[int, ...], dim: int, index: Array) -> Array:
    grad = np.zeros(shape, self.dtype)
    grad.reshape(-1)[places(shape, dim, index)] = self
    return grad[()]


@twin_of(gather_scatter.index_select_backward)
def index_select_backward(self: Array, shape: tuple[int, ...], dim: int, index: Array) -> Array:
    if not shape:
        return self.copy()
    grad = np.zeros(shape, self.dtype)
    add_at(grad, wrap_dim(dim, len(shape)), np.atleast_1d(index), self)
    return grad


@twin_of(gather_scatter.masked_select_backward)
def masked_select_backward(self: Array, shape: tuple[int, ...], mask: Array) -> Array:
    """Zeros of the given shape, with the elements of `self` where `mask` is true."""
    chosen = np.broadcast_to(mask, np.broadcast_shapes(shape, mask.shape))
    grad = np.zeros(chosen.shape, self.dtype)
    grad.reshape(-1)[true_in(chosen)] = self
    return grad[()]
