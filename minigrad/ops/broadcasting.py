"""Undoing a broadcast: the gradient of a stretched input is the sum over the copies."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .table import TENSORS


def expandable(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether an array of `shape` can be broadcast to `target`."""
    lead = len(target) - len(shape)
    if lead < 0:
        return False
    end = target[lead:]
    return shape == end or all(n in (1, m) for n, m in zip(shape, end, strict=True))


def broadcastable(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether two shapes can be broadcast to a common one."""
    return all(n == m or 1 in (n, m) for n, m in zip(reversed(a), reversed(b), strict=False))


def sum_to(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum `grad`, an array or a tensor, over the dimensions along which `shape` was broadcast."""
    is_array = isinstance(grad, (np.ndarray, np.generic))
    if not shape:
        return np.add.reduce(grad, axis=None) if is_array else grad.sum()
    if is_array and grad.ndim == 2 and grad.flags.c_contiguous and grad.dtype.char in "fd":
        rows, columns = grad.shape
        if shape in ((columns,), (1, columns)) and 1 < rows <= LONGEST:
            total = ones(rows, grad.dtype.char).dot(grad)
            return total if len(shape) == 1 else total.reshape(shape)
        if shape == (rows, 1) and 1 < columns <= LONGEST:
            return grad.dot(ones(columns, grad.dtype.char)).reshape(shape)
    lead = grad.ndim - len(shape)
    dims = tuple(
        dim
        for dim in range(grad.ndim)
        if dim < lead or (shape[dim - lead] == 1 and grad.shape[dim] != 1)
    )
    if is_array:
        return np.add.reduce(grad, dims, keepdims=True).reshape(shape) if dims else grad
    if dims:
        grad = TENSORS["sum_dim"](grad, dims, True, None)
    return TENSORS["view_as_shape"](grad, shape) if lead else grad


LONGEST = 2**16  # of the vectors below, which stay in memory


@functools.lru_cache(16)
def ones(count: int, code: str) -> Any:
    """A vector of ones: times a matrix it is the sum of the rows, or of the columns, which BLAS has
    in half the time that a reduction takes, and as exactly.
    """
    return np.ones(count, code)
