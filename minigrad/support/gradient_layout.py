"""How a gradient lies in memory: as the tensor does that it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from .shapes import has_no_gaps


def is_gradient_of(data: Any, leaf: Any) -> bool:
    """Whether `data` is laid out in memory as the gradient of `leaf`, an array of this shape, is:
    as `leaf` itself, or in C order where that has gaps or elements that share memory.

    Source: the "gradient layout contract" of torch/csrc/autograd/utils/grad_layout_contract.h
    """
    if data.ndim < 2:
        return 0 not in data.strides  # several elements at one place, as `expand` makes it
    if has_no_gaps(leaf):
        return data.strides == leaf.strides  # type: ignore[no-any-return]
    return data.flags.c_contiguous  # type: ignore[no-any-return]


def copy_for_grad(data: Any, leaf: Any) -> Any:
    """A copy of the array, laid out in memory as the gradient of `leaf` is."""
    if leaf.ndim < 2 or leaf.flags.c_contiguous or not has_no_gaps(leaf):
        return data.copy()
    copy = np.empty_like(leaf)
    copy[...] = data
    return copy
