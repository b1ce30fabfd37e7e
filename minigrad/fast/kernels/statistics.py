"""Faster helpers for the rules of `ops.statistics`: a layer's normal form, computed in place."""

from __future__ import annotations

import numpy as np

from ...ops import statistics
from ...ops.reductions import average
from ...rows.arguments import Dims
from ..arrays import Array, twin_of


def normal_form(self: Array, dims: Dims, eps: float) -> tuple[Array, Array]:
    """`self` less its mean over `dims` and divided by its standard deviation, and the latter."""
    form = self - average(self, dims, True)
    spread = np.sqrt(average(form * form, dims, True) + self.dtype.type(eps))
    form /= spread
    return form, spread


@twin_of(statistics.normalized)
def normalized(self: Array, dims: Dims, eps: float) -> Array:
    return normal_form(self, dims, eps)[0]


@twin_of(statistics.layer_norm_backward)
def layer_norm_backward(
    grad: Array, self: Array, weight: Array | None, dims: Dims, eps: float
) -> Array:
    form, spread = normal_form(self, dims, eps)
    grad = grad.copy() if weight is None else grad * weight
    along_form = average(grad * form, dims, True)
    grad -= average(grad, dims, True)
    form *= along_form
    grad -= form
    grad /= spread
    return grad


@twin_of(statistics.sum_from_end)
def sum_from_end(grad: Array, dim: int) -> Array:
    """np.flip(np.cumsum(np.flip(grad, dim), dim), dim)"""
    if not grad.ndim or grad.shape[dim] == 1:
        return grad
    sums = np.empty(grad.shape, grad.dtype)
    np.flip(grad, dim).cumsum(dim, out=np.flip(sums, dim))
    return sums
