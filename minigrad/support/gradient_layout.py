"""Whether memory is in other hands, by the counts of references that Python keeps."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .shapes import has_no_gaps


def references_of_a_local() -> int:
    """What `sys.getrefcount` says of an object that one local variable holds.

    The way to getrefcount may count as well: it does up to Python 3.13.
    """
    lone = object()
    return sys.getrefcount(lone)


ALONE = references_of_a_local()


def is_whole(data: Any) -> bool:
    """Whether nothing else uses the memory of the array `data`, which nothing else holds."""
    if data.__class__ is not np.ndarray or data.base is None:
        return True
    base = data.base
    whole = base.__class__ is np.ndarray and base.size == data.size and data.flags.writeable
    return whole and sys.getrefcount(base) == ALONE + 1  # `data` holds it, too


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
