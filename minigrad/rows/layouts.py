"""The memory layout of results: the same order of dimensions as the input, but without gaps.

PyTorch sorts the dimensions by stride, largest first. A dimension that `expand` created has stride
0, which says nothing about the order, so PyTorch leaves it where it is, while NumPy's copies move
it to the innermost position.

Source: TensorIteratorBase::reorder_dimensions in aten/src/ATen/TensorIterator.cpp
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np


def new_like(array: Any, kind: Any = None) -> Any:
    """Uninitialized memory in the shape and layout of `array`, and in its NumPy dtype or `kind`."""
    if 0 not in array.strides:
        return np.empty_like(array, kind)
    return memory(array.shape, [array.strides], kind or array.dtype)


def copied(array: Any, kind: Any = None) -> Any:
    """A copy of an array in the same memory layout."""
    if 0 not in array.strides:
        return array.copy(order="K") if kind is None else array.astype(kind)
    copy = new_like(array, kind)
    copy[...] = array
    return copy


def indexed(array: Any, indices: Any, result: Any) -> Any:
    """`result`, which is `array[indices]`, in the layout that PyTorch derives from both of them."""
    parts = [
        part
        for each in indices
        for part in (each.nonzero() if getattr(each, "dtype", None) == np.bool_ else [each])
    ]
    places = [place for place, part in enumerate(parts) if isinstance(part, np.ndarray)]
    falling = sorted(array.strides, reverse=True) == [*array.strides]
    operands = [array, *(parts[place] for place in places)]
    plain = falling and all(each.flags.c_contiguous for each in operands)
    if plain or result.ndim < 2 or not result.size:
        return result
    chosen = np.broadcast_arrays(*(parts[place] for place in places))
    others = [step for place, step in enumerate(array.strides) if place not in places]
    first = places[0] if places[-1] - places[0] < len(places) else 0
    return laid_out(
        result,
        [
            (*others[:first], *(0,) * chosen[0].ndim, *others[first:]),
            *(steps_of(each, first, result.shape) for each in chosen),
        ],
    )


Strides = tuple[int, ...]


def as_of_all(result: Any, *operands: Any) -> Any:
    """`result` in the layout of an elementwise operation on all of these operands at once."""
    if result.ndim < 2 or all(each.flags.c_contiguous for each in operands):
        return result
    return laid_out(result, [np.broadcast_to(each, result.shape).strides for each in operands])


def laid_out(result: Any, strides: list[Strides]) -> Any:
    """A copy of `result` in the layout of an elementwise operation on arrays of these strides."""
    copy = memory(result.shape, strides, result.dtype)
    copy[...] = result
    return copy


def steps_of(array: Any, before: int, shape: tuple[int, ...]) -> Strides:
    """The strides of an index array that is broadcast to `shape`, after `before` dimensions.

    The dimensions around it get the strides that PyTorch's `view` would give them, which for the
    leading ones is the size of the whole array.
    """
    single = array.itemsize  # the stride of a dimension of length 1 among others
    plain = array.flags.c_contiguous
    own = zip(array.shape, array.strides, strict=True)
    steps = [step if plain or length > 1 else single for length, step in own]
    around = max(map(operator.mul, array.shape, steps), default=single)
    behind = len(shape) - before - array.ndim
    lengths = (1,) * before + array.shape + (1,) * behind
    steps = [around] * before + steps + [steps[-1] if steps else single] * behind
    pairs = zip(lengths, shape, steps, strict=True)
    return tuple(step if length == wanted else 0 for length, wanted, step in pairs)


def memory(shape: tuple[int, ...], strides: list[Strides], kind: Any) -> Any:
    """Uninitialized memory for the result of an elementwise operation on arrays with `strides`."""
    outer_first = list(reversed(inner_first(shape, strides)))
    made = np.empty([shape[dim] for dim in outer_first], kind)
    return made.transpose([outer_first.index(dim) for dim in range(len(shape))])


def inner_first(shape: tuple[int, ...], strides: list[Strides]) -> list[int]:
    """The dimensions in memory order, innermost first."""
    dims = list(reversed(range(len(shape))))
    for start in range(1, len(dims)):
        moving = start
        for before in reversed(range(start)):
            order = compared(shape, strides, dims[before], dims[moving])
            if order < 0:
                break
            if order > 0:
                dims[before], dims[moving] = dims[moving], dims[before]
                moving = before
    return dims


def compared(shape: tuple[int, ...], strides: list[Strides], inner: int, outer: int) -> int:
    """1 if the two dimensions must be swapped, -1 if not, 0 if no array decides it.

    The first array that is decisive wins.
    """
    for steps in strides:
        if 0 in (steps[inner], steps[outer]):
            continue
        if steps[inner] != steps[outer]:
            return 1 if steps[inner] > steps[outer] else -1
        if shape[inner] > shape[outer]:
            return 1
    return 0
