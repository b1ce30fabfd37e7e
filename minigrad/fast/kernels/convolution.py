"""Faster kernels for `ops.convolution`.

A convolution by blocks that fit into the processor's cache; padding without wider copies; columns
kept for the gradient of the weight; and windows compared place by place, each for all at once.
"""

from __future__ import annotations

import collections
import functools
import itertools
import math
import operator
import weakref
from collections.abc import Iterable
from typing import Any

import numpy as np

from ...ops import convolution as plain
from ...ops.convolution import Pair, Shape, by_group, filters
from ..arrays import kernel_of

output_size = functools.lru_cache(plain.output_size)


@functools.lru_cache
def places(
    plane: Shape, windows: Shape, size: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> list[tuple[Any, Any]]:
    """For each place in a window, row by row: which windows have it inside the plane, and where.

    Two indices of the last dimensions: of an array of windows, and of an array of planes. What is
    outside the plane is left out, so that padding needs no wider copy of it.
    """
    sides = map(along, plane, windows, size, stride, padding, dilation)
    return [
        ((..., *(inside for inside, _ in each)), (..., *(there for _, there in each)))
        for each in itertools.product(*sides)
    ]


def along(
    length: int, windows: int, size: int, stride: int, padding: int, dilation: int
) -> list[tuple[slice, slice]]:
    """The same for one side: `windows` windows of `size` places over `length` elements."""
    found = []
    for offset in range(-padding, size * dilation - padding, dilation):
        first = max(0, -(offset // stride))
        stop = max(first, min(windows, (length - 1 - offset) // stride + 1))
        there = slice(first * stride + offset, stop * stride + offset, stride)
        found.append((slice(first, stop), there))
    return found


def columns(
    input: Any, size: Shape, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Any:
    """Every window as a column. Shapes: (n, g·c, H, W) → (n, g, c·size, h·w)."""
    (n, channels), plane = input.shape[:2], input.shape[2:]
    windows = output_size(plane, tuple(size), stride, padding, dilation)
    if any(padding):
        result = np.zeros((n, channels, math.prod(size), *windows), input.dtype)
        every = places(plane, windows, size, stride, padding, dilation)
        for number, (inside, there) in enumerate(every):
            result[:, :, number][inside] = input[there]
    else:  # all is inside, so the windows are a view of the planes, and one copy does it
        planes = np.ascontiguousarray(input)
        example, channel, *sides = planes.strides
        within = [side * step for side, step in zip(sides, dilation, strict=True)]
        steps = (example, channel, *within, *map(operator.mul, sides, stride))
        shape = (n, channels, *size, *windows)
        result = np.ndarray(shape, planes.dtype, planes, 0, steps)
    return result.reshape(n, groups, channels // groups * math.prod(size), math.prod(windows))


BLOCK = 2**18  # elements of columns to make at a time: a megabyte of float32, for the cache


def in_blocks(shape: Shape, size: Shape, *how: Any) -> list[slice]:
    """The examples of an input, so many at a time that their columns fit into a block; or one."""
    windows = output_size(tuple(shape[2:]), tuple(size), *how[:3])
    count = BLOCK // (shape[1] * math.prod(size) * math.prod(windows) or 1) or 1
    return [slice(first, first + count) for first in range(0, shape[0], count)]


# The columns of a few inputs, each at most one block: to make them takes as long as the product,
# and the gradient of the weight needs them again. Of arrays that are gone none are kept.
KEPT: collections.OrderedDict[tuple[int, Any], tuple[Any, Any]] = collections.OrderedDict()
MOST = 8  # inputs, a megabyte each


def keep_columns(input: Any, how: Any, every: Any) -> None:
    """Remember that these are the columns of `input`, until the gradient of the weight is there."""
    key, forget = (id(input), how), KEPT.pop  # by a name of its own: modules end before arrays do
    KEPT[key] = weakref.ref(input, lambda _: forget(key, None)), every
    while len(KEPT) > MOST:
        KEPT.popitem(last=False)


def columns_in_blocks(input: Any, size: Shape, *how: Any) -> Iterable[tuple[slice, Any]]:
    """Pairs of some of the examples and their columns: those that were kept, if they are there."""
    reference, every = KEPT.pop((id(input), (tuple(size), *how)), (None, None))
    if reference is not None and reference() is input:
        return [(slice(None), every)]
    blocks = in_blocks(input.shape, size, *how)
    return ((some, columns(input[some], size, *how)) for some in blocks)


def convolve(input: Any, weight: Any, *how: Any, keep: bool = False) -> Any:
    stride, padding, dilation, groups = how
    (n, channels), size = (input.shape[0], weight.shape[0]), weight.shape[2:]
    windows = output_size(input.shape[2:], size, stride, padding, dilation)
    result = np.empty((n, groups, channels // groups, math.prod(windows)), input.dtype)
    blocks = in_blocks(input.shape, size, *how)
    for some in blocks:
        every = columns(input[some], size, *how)
        np.matmul(filters(weight, groups), every, out=result[some])
    if keep and len(blocks) == 1:
        keep_columns(input, (tuple(size), *how), every)
    return result.reshape(n, channels, *windows)


@kernel_of(plain.plain_convolution)
def plain_convolution(self: Any, weight: Any, *how: Any) -> Any:
    """filters(weight) @ columns(self)"""
    return convolve(self, weight, *how)


@kernel_of(plain.convolution)
def convolution(input: Any, weight: Any, bias: Any, *how: Any) -> Any:
    """filters(weight) @ columns(input), plus the bias"""
    result = convolve(input, weight, *how, keep=True)
    if bias is not None:
        rows = result.reshape(result.shape[0], math.prod(result.shape[1:]))
        # To add a number to each plane would take twice as long.
        rows += np.repeat(bias, math.prod(result.shape[2:]))
    return result


@kernel_of(plain.convolution_weight)
def weight_grad(self: Any, input: Any, shape: Shape, *how: Any) -> Any:
    """The sum over the examples of by_group(self) @ columns(input), transposed"""
    groups = how[-1]
    result = np.zeros((groups, math.prod(shape[1:]), shape[0] // groups), input.dtype)
    for some, every in columns_in_blocks(input, tuple(shape[2:]), *how):
        # In this order, and not `grad @ columns`, BLAS is faster where there are few channels.
        result += np.add.reduce(every @ by_group(self[some], groups).swapaxes(2, 3))
    return result.swapaxes(1, 2).reshape(shape)


@kernel_of(plain.convolution_input)
def input_grad(self: Any, weight: Any, shape: Shape, *how: Any) -> Any:
    """What comes to each element from every window that it is in"""
    stride, _, dilation, groups = how
    size, windows = weight.shape[2:], self.shape[2:]
    apart = all(map(operator.ge, stride, size)) and max(dilation) == 1
    result = np.zeros(shape, self.dtype)
    every = places(shape[2:], windows, size, *how[:3])
    for some in in_blocks(shape, size, *how):
        product = filters(weight, groups).swapaxes(1, 2) @ by_group(self[some], groups)
        parts = product.reshape(-1, shape[1], math.prod(size), *windows)
        out = result[some]
        for number, (inside, there) in enumerate(every):
            if apart:  # no element is in two windows; to add would take twice as long
                out[there] = parts[:, :, number][inside]
            else:
                out[there] += parts[:, :, number][inside]
    return result


@kernel_of(plain.convolution_bias)
def bias_grad(self: Any) -> Any:
    """The sum over all but the channels; examples first: to add whole planes takes half the time"""
    return np.add.reduce(np.add.reduce(self, 0), tuple(range(1, self.ndim - 1)))


# Pooling. Which element won a window is told by how far before the last place of the window it
# lies: a small number. Going through the places from the last one, the first of equals is the last
# that wins.


def largest(self: Any, windows: Pair, size: Pair, *how: Pair) -> tuple[Any, Any]:
    """The largest element of each window, or its last nan; and how far before the last place."""
    lowest = -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min
    shape, (rows, columns) = (*self.shape[:-2], *windows), how[-1]
    distances = [
        i * rows * self.shape[-1] + j * columns for i in range(size[0]) for j in range(size[1])
    ]
    kind = np.min_scalar_type(distances[-1]).type
    every = places(self.shape[-2:], windows, size, *how)[::-1]
    values, which = np.full(shape, lowest, self.dtype), np.zeros(shape, kind)
    values[every[0][0]] = self[every[0][1]]  # the last place, which is at distance 0
    for distance, (inside, there) in zip(distances[1:], every[1:], strict=True):
        part = self[there].copy()  # without gaps, which pays for the copy in what follows
        best, winner = values[inside], which[inside]
        wins = (part >= best).view(np.uint8)
        np.maximum(best, part, out=best)  # of 0 and -0 the second
        np.maximum(winner, wins * kind(distance), out=winner)
    if np.isnan(values).any():
        for distance, (inside, there) in zip(reversed(distances), reversed(every), strict=True):
            which[inside][np.isnan(self[there])] = distance
    return values, which


@functools.lru_cache
def last_places(
    plane: Pair, windows: Pair, size: Pair, stride: Pair, padding: Pair, dilation: Pair
) -> Any:
    """The index of each window's last place in the flattened plane. Shape: `windows`."""
    rows, columns = (
        np.arange(windows[i]) * stride[i] + (size[i] - 1) * dilation[i] - padding[i] for i in (0, 1)
    )
    return rows[:, None] * plane[1] + columns


@kernel_of(plain.max_pool_indices)
def indices(self: Any, windows: Pair, *how: Pair) -> Any:
    """Where in the plane, read flat, the largest element of each window is"""
    size, _, _, dilation = how
    reach = [step * (length - 1) for step, length in zip(dilation, size, strict=True)]
    if reach[0] >= self.shape[-2] or reach[1] >= self.shape[-1]:
        return plain.largest(self, windows, *how)  # a window may have no place in the plane
    values, which = largest(self, windows, *how)
    result = last_places(tuple(self.shape[-2:]), tuple(windows), *how) - which
    keep_winners(self, result, values)
    return result


# What is known of indices that were found here: the array that they are of, its largest values
# until somebody takes them, and the indices into the flat array. It goes with the indices.
WINNERS: dict[int, tuple[Any, Any, Any, Any]] = {}


def keep_winners(self: Any, indices: Any, values: Any) -> None:
    """Remember what `max_pool` and its backward will ask for."""
    key, flat = id(indices), in_flat(indices, self.shape)
    gone = weakref.ref(indices, lambda _: WINNERS.pop(key, None))
    WINNERS[key] = gone, weakref.ref(self), values, flat


def in_flat(indices: Any, shape: Shape) -> Any:
    """Indices in planes as indices into the flat array of `shape`."""
    area = shape[-2] * shape[-1]
    return indices + np.arange(0, math.prod(shape), area).reshape(*shape[:-2], 1, 1)


@kernel_of(plain.max_pool)
def picked(self: Any, result1: Any) -> Any:
    """self, read flat by planes, at the indices `result1`"""
    indices = result1
    found = WINNERS.get(id(indices))
    if found is not None and found[2] is not None and found[1]() is self:
        WINNERS[id(indices)] = (*found[:2], None, found[3])
        return found[2]
    if found is not None:
        return self.reshape(-1).take(found[3])
    if indices.size and indices.max() >= self.shape[-2] * self.shape[-1]:
        return plain.picked(self, indices)
    return self.reshape(-1).take(in_flat(indices, self.shape))


@kernel_of(plain.max_pool_backward)
def put_back(self: Any, input: Any, indices: Any) -> Any:
    """Zeros like `input`, to which what stands in `self` is added where the winners were"""
    found = WINNERS.get(id(indices))
    if found is None and indices.size and indices.max() >= input.shape[-2] * input.shape[-1]:
        return plain.put_back(self, input, indices)
    flat = in_flat(indices, input.shape) if found is None else found[3]
    result = np.zeros(input.size, self.dtype)
    np.add.at(result, flat.reshape(-1), self.reshape(-1))
    return result.reshape(input.shape)
