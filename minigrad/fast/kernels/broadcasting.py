"""Faster kernels for `core.broadcasting` and `ops.shapes`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...core import broadcasting as plain
from ...ops import layouts, shapes
from ..summing import sum_to
from .arrays import TWINS, kernel_of, twin_of

TWINS[plain.sum_to] = sum_to


@kernel_of(shapes.view_as_shape)
@kernel_of(shapes.reshape_alias)
def view(self: Any, shape: tuple[int, ...]) -> Any:
    """self.reshape(shape, copy=False)"""
    return self.reshape(shape) if self.flags.c_contiguous else shapes.view_kernel(self, shape)


@kernel_of(shapes.expand_to)
@twin_of(shapes.expand)
def expand(self: Any, shape: Any) -> Any:
    """What `np.broadcast_to` gives, in half the time."""
    if shape.__class__ is int:
        shape = (shape,)
    if not self.ndim and -1 not in shape:  # the gradient of a sum
        return np.ndarray(shape, self.dtype, np.asarray(self), 0, (0,) * len(shape))
    lead = len(shape) - self.ndim
    pairs = list(zip(self.shape, shape[lead:], strict=False))
    fits = lead >= 0 and -1 not in shape and all(n in (1, m) for n, m in pairs)
    if fits and self.flags.c_contiguous:
        steps = [step if n == m else 0 for (n, m), step in zip(pairs, self.strides, strict=True)]
        return np.ndarray(shape, self.dtype, np.asarray(self), 0, [0] * lead + steps)
    return shapes.expand_kernel(self, shape)


@twin_of(shapes.reshape)
def reshape(self: Any, shape: Any) -> Any:
    return self.reshape(shape)


@twin_of(shapes.unsqueeze_to)
def unsqueeze_to(grad: Any, shape: tuple[int, ...], dim: Any) -> Any:
    return grad.reshape(shape)


TWINS[shapes.squeeze] = shapes.squeeze_kernel
TWINS[layouts.repeat_backward] = layouts.repeat_backward
