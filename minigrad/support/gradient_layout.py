"""The memory layout of a gradient, which matches the layout of its tensor."""

from __future__ import annotations

from typing import Any

import numpy as np

from .shapes import has_no_gaps


def is_gradient_of(data: Any, leaf: Any) -> bool:
    """Whether `data` has the memory layout of a gradient of `leaf`; both are arrays of one shape.

    That is the layout of `leaf` itself, or C order if `leaf` has gaps or overlapping elements.

    Source: the "gradient layout contract" of torch/csrc/autograd/utils/grad_layout_contract.h
    """
    if data.ndim < 2:
        return 0 not in data.strides  # 0 means that elements share memory, as after `expand`
    if has_no_gaps(leaf):
        return data.strides == leaf.strides  # type: ignore[no-any-return]
    return data.flags.c_contiguous  # type: ignore[no-any-return]


def copy_for_grad(data: Any, leaf: Any) -> Any:
    """A copy of the array in the memory layout of a gradient of `leaf`."""
    if leaf.ndim < 2 or leaf.flags.c_contiguous or not has_no_gaps(leaf):
        return data.copy()
    copy = np.empty_like(leaf)
    copy[...] = data
    return copy
