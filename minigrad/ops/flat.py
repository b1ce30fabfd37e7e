"""Convert indices into several dimensions to indices into flattened arrays.

NumPy is several times faster with one index into a flat array than with one index for each
dimension, and faster with indices than with masks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..support.shapes import wrap_dim

MANY = 3000  # elements, above which the faster algorithms make up for their overhead


def true_in(mask: Any) -> Any:
    """The flat indices at which a mask is true.

    NumPy takes a fifth of the time with these than with an irregular mask.
    """
    return mask.reshape(-1).nonzero()[0]


def from_front(index: Any, length: int) -> Any:
    """`index` with negative numbers, which count from the end, replaced by non-negative ones."""
    index = index.astype(np.intp, copy=False)
    return index + length * (index < 0) if index.min() < 0 else index


def one_index(shape: tuple[int, ...], indices: tuple[Any, ...]) -> tuple[int, int, Any] | None:
    """Join the arrays of an index into one: (first dimension, number of dimensions, joined index).

    The joined index applies once those dimensions are flattened into one. Masks become indices.
    None if there are slices between the arrays.
    """
    arrays = [each for each in indices if isinstance(each, np.ndarray)]
    dim = next(place for place, each in enumerate(indices) if isinstance(each, np.ndarray))
    if any(isinstance(each, slice) for each in indices[dim : dim + len(arrays)]):
        return None
    if len(arrays) == 1 and arrays[0].dtype.kind == "b":
        return dim, arrays[0].ndim, true_in(arrays[0])
    parts = [part for a in arrays for part in (a.nonzero() if a.dtype.kind == "b" else (a,))]
    index = parts[0]
    for part, length in zip(parts[1:], shape[dim + 1 :], strict=False):
        index = index * length + from_front(part, length)
    return dim, len(parts), index


def is_large(item: Any) -> bool:
    return isinstance(item, np.ndarray) and item.size >= MANY


def join_dims(array: Any, dim: int, count: int) -> Any:
    """The array with `count` dimensions from `dim` on flattened into one."""
    shape = array.shape
    joined = math.prod(shape[dim : dim + count])
    return array.reshape(*shape[:dim], joined, *shape[dim + count :]) if count > 1 else array


def add_at(array: Any, dim: int, index: Any, values: Any) -> None:
    """np.add.at(array, (slice(None),) * dim + (index,), values), for a contiguous array.

    `values` has the shape of `array`, except that `dim` is replaced by the shape of `index`.
    """
    if values.size < MANY:
        np.add.at(array, (slice(None),) * dim + (index,), values)
        return
    shape = array.shape
    before, length, after = math.prod(shape[:dim]), shape[dim], math.prod(shape[dim + 1 :])
    array = array.reshape(before, length, after)
    values = values.reshape(before, index.size, after)
    index = from_front(index.reshape(-1), length)
    if before == after == 1:
        places = index
    elif after > 1 and np.bincount(index).max() == 1:  # there are no duplicates
        array[:, index] += values
        return
    else:
        starts = np.arange(before)[:, None, None] * (length * after) + (index * after)[:, None]
        places = starts + np.arange(after)
    # `np.add.at` is five times faster in one dimension than in several.
    np.add.at(array.reshape(-1), places.reshape(-1), values.reshape(-1))


def places(shape: tuple[int, ...], dim: int, index: Any) -> Any:
    """The flat indices, in an array of `shape`, of the elements that `gather(dim, index)` takes."""
    ndim = len(shape)
    if ndim <= 1:
        return index
    dim = wrap_dim(dim, ndim)
    found = index * np.intp(math.prod(shape[dim + 1 :]))
    for axis, length in enumerate(index.shape):
        if axis != dim:
            starts = np.arange(length) * math.prod(shape[axis + 1 :])
            found += starts.reshape(-1, *(1,) * (ndim - axis - 1))
    return found
