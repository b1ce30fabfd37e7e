"""The helpers that the rules of `ops.statistics` call, on arrays and mostly in place."""

from __future__ import annotations

import numpy as np

from ...ops import statistics
from ...ops.reductions import average
from ...rows.arguments import Dims
from ..arrays import Array, twin_of


def normalize(self: Array, dims: Dims, eps: float) -> tuple[Array, Array]:
    """`self` normalized to mean 0 and variance 1 over `dims`, and its standard deviation."""
    self = self.astype(np.float32) if self.dtype == np.float16 else self
    normal = self - average(self, dims, True)
    std = np.sqrt(average(normal * normal, dims, True) + self.dtype.type(eps))
    normal /= std
    return normal, std


@twin_of(statistics.normalized)
def normalized(self: Array, dims: Dims, eps: float) -> Array:
    return normalize(self, dims, eps)[0]


@twin_of(statistics.layer_norm_backward)
def layer_norm_backward(
    grad: Array, self: Array, weight: Array | None, dims: Dims, eps: float
) -> Array:
    normal, std = normalize(self, dims, eps)
    grad = grad.astype(normal.dtype) if weight is None else grad * weight
    along_normal = average(grad * normal, dims, True)
    grad -= average(grad, dims, True)
    normal *= along_normal
    grad -= normal
    grad /= std
    return grad.astype(self.dtype, copy=False)


@twin_of(statistics.sum_from_end)
def sum_from_end(grad: Array, dim: int) -> Array:
    """np.flip(np.cumsum(np.flip(grad, dim), dim), dim)"""
    if not grad.ndim or grad.shape[dim] == 1:
        return grad
    sums = np.empty(grad.shape, grad.dtype)
    np.flip(grad, dim).cumsum(dim, out=np.flip(sums, dim))
    return sums
