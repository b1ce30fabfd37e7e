"""Undoing a broadcast: the gradient of a stretched input is the sum over the copies."""

from __future__ import annotations

from typing import Any

import numpy as np


def expandable(shape: tuple[int, ...], target: tuple[int, ...]) -> bool:
    """Whether an array of `shape` can be broadcast to `target`."""
    if len(shape) > len(target):
        return False
    return all(n in (1, m) for n, m in zip(reversed(shape), reversed(target), strict=False))


def sum_to(grad: Any, shape: tuple[int, ...]) -> Any:
    """Sum `grad`, an array or a tensor, over the dimensions along which `shape` was broadcast."""
    lead = grad.ndim - len(shape)
    dims = tuple(
        dim
        for dim in range(grad.ndim)
        if dim < lead or (shape[dim - lead] == 1 and grad.shape[dim] != 1)
    )
    if isinstance(grad, (np.ndarray, np.generic)):
        total = np.add.reduce(grad, axis=dims, keepdims=True)
    else:
        total = grad.sum(dims, keepdim=True)
    return total.reshape(shape) if lead else total
