"""Whether anybody else holds an array or its memory, according to Python's reference counts."""

from __future__ import annotations

import sys

import numpy as np


def references_of_a_local() -> int:
    """What `sys.getrefcount` returns for an object that only one local variable refers to.

    Up to Python 3.13 the argument of getrefcount itself counts as a reference, too.
    """
    lone = object()
    return sys.getrefcount(lone)


ALONE = references_of_a_local()


def is_whole(data: object) -> bool:
    """Whether nothing else uses the memory of `data`, an array that only the caller refers to."""
    if type(data) is not np.ndarray or data.base is None:
        return True
    base = data.base
    whole = base.__class__ is np.ndarray and base.size == data.size and data.flags.writeable
    return whole and sys.getrefcount(base) == ALONE + 1  # `data` refers to it, too
