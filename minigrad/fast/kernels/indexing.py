"""Faster kernels for `ops.indexing`, `gather_scatter` and `inplace`.

NumPy is several times faster with one index into a flat array than with one for each dimension, and
with indices than with masks.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...ops import gather_scatter, inplace, statistics
from ...ops import indexing as plain
from ...ops.elementwise import MANY
from ...ops.gather_scatter import check_index, check_source, order, part_for
from ...ops.indexing import checked
from ...ops.reductions import restore
from ...support.shapes import wrap_dim
from ..arrays import kernel_of, twin_of
from .elementwise import true_in

# Indices into several dimensions as one


def from_front(index: Any, length: int) -> Any:
    """`index`, negative numbers of which count from the end, counted from the front."""
    index = index.astype(np.intp, copy=False)
    return index + length * (index < 0) if index.min() < 0 else index


def one_index(shape: tuple[int, ...], indices: tuple[Any, ...]) -> tuple[int, int, Any] | None:
    """The arrays of an index into an array of `shape` as one: (the first dimension that they index,
    how many they index, the index into these when they are joined to one). Masks become indices.
    None if slices stand between the arrays.
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
    """The array with `count` dimensions from `dim` on as one."""
    shape = array.shape
    joined = math.prod(shape[dim : dim + count])
    return array.reshape(*shape[:dim], joined, *shape[dim + count :]) if count > 1 else array


def add_at(array: Any, dim: int, index: Any, values: Any) -> None:
    """np.add.at(array, (slice(None),) * dim + (index,), values), for a contiguous array.

    `values` has the shape of `array`, but that of `index` in place of the length of `dim`.
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
    elif after > 1 and np.bincount(index).max() == 1:  # nothing is named twice
        array[:, index] += values
        return
    else:
        starts = np.arange(before)[:, None, None] * (length * after) + (index * after)[:, None]
        places = starts + np.arange(after)
    # NumPy is five times faster at this with one dimension than with several.
    np.add.at(array.reshape(-1), places.reshape(-1), values.reshape(-1))


@kernel_of(plain.index_)
def index(self: Any, indices: tuple[Any, ...]) -> Any:
    """np.asarray(self[indices], order="C")"""
    if isinstance(self, np.ndarray) and self.flags.c_contiguous and any(map(is_large, indices)):
        found = one_index(self.shape, checked(indices, self.shape))
        if found is not None:
            dim, count, places = found
            try:
                return join_dims(self, dim, count).take(places, dim)
            except (IndexError, ValueError):
                pass  # the plain kernel says what is wrong
    return plain.index_kernel(self, indices)


@twin_of(plain.index_backward)
def index_backward(self: Any, shape: tuple[int, ...], indices: tuple[Any, ...]) -> Any:
    """Zeros, to which what stands in `self` is added at `indices`"""
    if self.size < MANY or (found := one_index(shape, checked(indices, shape))) is None:
        return plain.added_back(self, shape, indices)
    grad = np.zeros(shape, self.dtype)
    dim, count, places = found
    add_at(join_dims(grad, dim, count), dim, places, self)
    return grad


@kernel_of(plain.index_put_add)
def index_put_add(self: Any, indices: tuple[Any, ...], values: Any) -> Any:
    """self + what index_backward gives"""
    return self + index_backward(values, self.shape, indices)


@twin_of(inplace.index_drop)
def index_drop(grad: Any, indices: tuple[Any, ...]) -> Any:
    """A copy with zeros at `indices`; of a scalar too"""
    changed = np.array(grad)
    changed[checked(indices, changed.shape)] = 0
    return changed


# Along one dimension, an index for every element


def places(shape: tuple[int, ...], dim: int, index: Any) -> Any:
    """Where in an array of `shape`, read flat, the elements are that `index` names along `dim`."""
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


@kernel_of(gather_scatter.gather)
@kernel_of(gather_scatter.topk_values)
def gathered(self: Any, dim: int, index: Any) -> Any:
    """self[gather_scatter.places(dim, index)]"""
    check_index(self, dim, index, "gather")
    if index.size == 0:
        return np.empty(index.shape, self.dtype)
    return self.reshape(-1).take(places(self.shape, dim, index))


@twin_of(gather_scatter.gather_backward)
def gather_backward(self: Any, shape: tuple[int, ...], dim: int, index: Any) -> Any:
    grad = np.zeros(shape, self.dtype)
    np.add.at(grad.reshape(-1), places(shape, dim, index).reshape(-1), self.reshape(-1))
    return grad[()]


@twin_of(gather_scatter.put_back)
def put_back(self: Any, shape: tuple[int, ...], dim: int, index: Any) -> Any:
    grad = np.zeros(shape, self.dtype)
    grad.reshape(-1)[places(shape, dim, index)] = self
    return grad[()]


@kernel_of(gather_scatter.scatter_src)
@kernel_of(gather_scatter.scatter_number)
def scatter(self: Any, dim: int, index: Any, src: Any) -> Any:
    """A copy of `self` with `src` at gather_scatter.places(dim, index)"""
    if isinstance(src, (np.ndarray, np.generic)):
        check_source(self, dim, index, src, "scatter")
        src = part_for(index, src)
    check_index(self, dim, index, "scatter")
    result = np.array(self, order="C")
    if index.size:
        result.reshape(-1)[places(self.shape, dim, index)] = src
    return result[()]


@kernel_of(gather_scatter.scatter_add)
def scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
    """A copy of `self` with `src` added at gather_scatter.places(dim, index)"""
    check_source(self, dim, index, src, "scatter_add")
    check_index(self, dim, index, "scatter_add")
    result = np.array(self, order="C")
    if index.size:
        found = places(self.shape, dim, index).reshape(-1)
        np.add.at(result.reshape(-1), found, part_for(index, src).reshape(-1))
    return result[()]


@kernel_of(statistics.max_dim)
@kernel_of(statistics.min_dim)
@kernel_of(statistics.median_dim)
def pick(self: Any, dim: int, keepdim: bool, indices: Any) -> Any:
    """The elements at `indices` along `dim`"""
    index = restore(indices, self.shape, dim, keepdim)
    return gathered(self, dim, index).reshape(indices.shape)[()]


# Whole slices


@kernel_of(gather_scatter.embedding_backward)
def embedding_backward(self: Any, shape: tuple[int, ...], indices: Any, ignored: int) -> Any:
    """Zeros, to which the rows of `self` are added at `indices`"""
    grad = np.zeros(shape, self.dtype)
    add_at(grad, 0, indices, self)
    if ignored >= 0:
        grad[ignored] = 0
    return grad


@twin_of(gather_scatter.index_select_backward)
def index_select_backward(self: Any, shape: tuple[int, ...], dim: int, index: Any) -> Any:
    if not shape:
        return self.copy()
    grad = np.zeros(shape, self.dtype)
    add_at(grad, wrap_dim(dim, len(shape)), np.atleast_1d(index), self)
    return grad


@kernel_of(gather_scatter.index_add_)
def index_add(self: Any, dim: int, index: Any, source: Any, alpha: float) -> Any:
    """A copy of `self` with alpha * source added at `index` along `dim`"""
    few = source.size < MANY or index.size == 0
    axis = wrap_dim(dim, self.ndim)
    if few or index.min() < 0 or index.max() >= self.shape[axis] or index.dtype != np.int64:
        return gather_scatter.index_add_kernel(self, dim, index, source, alpha)
    if source.shape[axis] != index.size or source.ndim != self.ndim:
        return gather_scatter.index_add_kernel(self, dim, index, source, alpha)
    if gather_scatter.short(source.shape, axis) != gather_scatter.short(self.shape, axis):
        return gather_scatter.index_add_kernel(self, dim, index, source, alpha)
    result = np.array(self, order="C")
    add_at(result, axis, np.atleast_1d(index), source if alpha == 1 else alpha * source)
    return result


# By masks


@kernel_of(gather_scatter.masked_select_)
def masked_select(self: Any, mask: Any) -> Any:
    """array[mask], both broadcast"""
    array, chosen = np.broadcast_arrays(self, mask)
    return array.reshape(-1).take(true_in(chosen))


@twin_of(gather_scatter.masked_select_backward)
def masked_select_backward(self: Any, shape: tuple[int, ...], mask: Any) -> Any:
    """Zeros with the elements of `self` where `mask` is true"""
    chosen = np.broadcast_to(mask, np.broadcast_shapes(shape, mask.shape))
    grad = np.zeros(chosen.shape, self.dtype)
    grad.reshape(-1)[true_in(chosen)] = self
    return grad[()]


# Sorting


@kernel_of(gather_scatter.topk_indices)
def first_in_order(self: Any, k: int, dim: int, largest: bool) -> Any:
    """order(self, dim, largest)[:k], without sorting the others"""
    if self.size >= MANY and k > 0:
        best = range(-k, 0) if largest else range(k)
        found = np.take(np.argpartition(self, best[0 if largest else -1], dim), best, dim)
        found.sort(dim)  # so that equal elements keep order
        values = np.take_along_axis(self, found, dim)
        if largest:
            beyond = self >= values.min(dim, keepdims=True)
        else:
            beyond = self <= values.max(dim, keepdims=True)
        if np.count_nonzero(beyond) == found.size:  # no nan, and none left that equals the last
            return np.take_along_axis(found, order(values, dim, largest), dim)
    return gather_scatter.first_in_order(self, k, dim, largest)
