"""Whether memory is in other hands, by the counts of references that Python keeps."""

from __future__ import annotations

import sys

import numpy as np


def references_of_a_local() -> int:
    """What `sys.getrefcount` says of an object that one local variable holds.

    The way to getrefcount may count as well: it does up to Python 3.13.
    """
    lone = object()
    return sys.getrefcount(lone)


ALONE = references_of_a_local()


def is_whole(data: object) -> bool:
    """Whether nothing else uses the memory of the array `data`, which nothing else holds."""
    if type(data) is not np.ndarray or data.base is None:
        return True
    base = data.base
    whole = base.__class__ is np.ndarray and base.size == data.size and data.flags.writeable
    return whole and sys.getrefcount(base) == ALONE + 1  # `data` holds it, too
