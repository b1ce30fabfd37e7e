"""Undoing a broadcast: the gradient of a stretched input is the sum over the copies."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


def expandable(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether an array of `shape` can be broadcast to `target`."""
    if len(shape) > len(target):
        return False
    return all(n in (1, m) for n, m in zip(reversed(shape), reversed(target), strict=False))


def broadcastable(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    """Whether two shapes can be broadcast to a common one."""
    return all(n == m or 1 in (n, m) for n, m in zip(reversed(a), reversed(b), strict=False))


@functools.lru_cache(64)
def ones(count: int, code: str) -> Any:
    """A vector of ones: times a matrix it is the sum of the rows, which BLAS has in half the time
    that a reduction takes.
    """
    return np.ones(count, code)


def sum_to(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum `grad`, an array or a tensor, over the dimensions along which `shape` was broadcast."""
    is_array = isinstance(grad, (np.ndarray, np.generic))
    if not shape:
        return np.add.reduce(grad, axis=None) if is_array else grad.sum()
    lead = grad.ndim - len(shape)
    rows = is_array and lead == 1 and grad.shape[1:] == shape and grad.ndim == 2
    if rows and grad.flags.c_contiguous and grad.dtype.char in "fd":
        return ones(len(grad), grad.dtype.char).dot(grad)
    dims = tuple(
        dim
        for dim in range(grad.ndim)
        if dim < lead or (shape[dim - lead] == 1 and grad.shape[dim] != 1)
    )
    if dims:
        grad = np.add.reduce(grad, dims, keepdims=True) if is_array else grad.sum(dims, True)
    return grad.reshape(shape) if lead else grad
