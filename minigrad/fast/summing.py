"""The sum over broadcast dimensions, on arrays."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


def sum_to(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum an array over the dimensions along which `shape` was broadcast."""
    if not shape:
        return np.add.reduce(grad, axis=None)
    if grad.ndim == 2 and grad.flags.c_contiguous and grad.dtype.char in "fd":
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
    return np.add.reduce(grad, dims, keepdims=True).reshape(shape) if dims else grad


LONGEST = 2**16  # of the vectors below, which stay in memory


@functools.lru_cache(16)
def ones(count: int, code: str) -> Any:
    """A vector of ones: times a matrix it is the sum of the rows, or of the columns, which BLAS has
    in half the time that a reduction takes, and as exactly.
    """
    return np.ones(count, code)
