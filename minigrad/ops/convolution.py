"""conv2d and max_pool2d: loops over the few places in a window, each for all windows at once.

A convolution is one product of matrices: of the filters, and of the windows as columns. It is
linear in its input and linear in its weight. So its derivatives are two more operations of the same
kind, and the derivatives of those are again among the three.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from .table import op

Pair = tuple[int, int]
Shape = tuple[int, ...]


def pair_of(value: Any) -> Pair:
    """`(2, 2)` from 2; a sequence of two as it is."""
    if isinstance(value, (int, np.integer)):
        return int(value), int(value)
    first, second = value if len(value) == 2 else (value[0], value[0])
    return int(first), int(second)


@functools.lru_cache
def output_size(size: Shape, window: Shape, stride: Pair, padding: Pair, dilation: Pair) -> Pair:
    h, w = (
        (size[i] + 2 * padding[i] - dilation[i] * (window[i] - 1) - 1) // stride[i] + 1
        for i in (0, 1)
    )
    return h, w


@functools.lru_cache
def places(
    plane: Pair, windows: Pair, size: Pair, stride: Pair, padding: Pair, dilation: Pair
) -> list[tuple[Any, Any]]:
    """For each place in a window, row by row: which windows have it inside the plane, and where.

    Two indices of the last two dimensions: of an array of windows, and of an array of planes. What
    is outside the plane is left out, so that padding needs no wider copy of it.
    """
    sides = map(along, plane, windows, size, stride, padding, dilation)
    return [
        ((..., rows[0], columns[0]), (..., rows[1], columns[1]))
        for rows, columns in itertools.product(*sides)
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


# With groups g, the channels are g × (channels of a group), and the product is g products for each
# example: the letters below are n batch, g groups, o and c channels out and in, h w rows and
# columns of windows. In this order neither operands nor results have to be transposed.


def columns(
    input: Any, size: Pair, stride: Pair, padding: Pair, dilation: Pair, groups: int
) -> Any:
    """Every window as a column. Shapes: (n, g·c, H, W) → (n, g, c·size, h·w)."""
    (n, channels), plane = input.shape[:2], input.shape[2:]
    windows = output_size(plane, size, stride, padding, dilation)
    if any(padding):
        result = np.zeros((n, channels, size[0] * size[1], *windows), input.dtype)
        every = places(plane, windows, size, stride, padding, dilation)
        for number, (inside, there) in enumerate(every):
            result[:, :, number][inside] = input[there]
    else:  # all is inside, so the windows are a view of the planes, and one copy does it
        planes = np.ascontiguousarray(input)
        example, channel, row, column = planes.strides
        steps = (row * dilation[0], column * dilation[1], row * stride[0], column * stride[1])
        shape = (n, channels, *size, *windows)
        result = np.ndarray(shape, planes.dtype, planes, 0, (example, channel, *steps))
    return result.reshape(n, groups, math.prod(result.shape[1:-2]) // groups, math.prod(windows))


def by_group(planes: Any, groups: int) -> Any:
    """Shapes: (n, g·o, h, w) → (n, g, o, h·w)."""
    n, channels, h, w = planes.shape
    return planes.reshape(n, groups, channels // groups, h * w)


def filters(weight: Any, groups: int) -> Any:
    """Shapes: (g·o, c, *size) → (g, o, c·size)."""
    return weight.reshape(groups, weight.shape[0] // groups, math.prod(weight.shape[1:]))


BLOCK = 2**18  # elements of columns to make at a time: a megabyte of float32, for the cache


def in_blocks(shape: Shape, size: Pair, *how: Any) -> list[slice]:
    """The examples of an input, so many at a time that their columns fit into a block; or one."""
    windows = output_size(shape[2:], size, *how[:3])
    count = BLOCK // (shape[1] * math.prod(size) * math.prod(windows)) or 1
    return [slice(first, first + count) for first in range(0, shape[0], count)]


def columns_to_keep(input: Any, size: Pair, *how: Any) -> Any:
    """`input` and all its columns if that is one block, else None.

    To make them takes as long as the product, and the gradient of the weight needs them again.
    """
    blocks = in_blocks(input.shape, size, *how)
    if len(blocks) > 1:
        return None
    return input, [(some, columns(input[some], size, *how)) for some in blocks]


def columns_in_blocks(input: Any, kept: Any, size: Pair, *how: Any) -> Iterable[tuple[slice, Any]]:
    """Pairs of some of the examples and their columns: the `kept` ones, if they are of `input`."""
    if kept is not None and kept[0] is input:  # and not what a saved-tensor hook has unpacked
        return kept[1]  # type: ignore[no-any-return]
    blocks = in_blocks(input.shape, size, *how)
    return ((some, columns(input[some], size, *how)) for some in blocks)


def convolve(input: Any, weight: Any, kept: Any, *how: Any) -> Any:
    stride, padding, dilation, groups = how
    (n, channels), size = (input.shape[0], weight.shape[0]), weight.shape[2:]
    h, w = output_size(input.shape[2:], size, stride, padding, dilation)
    result = np.empty((n, groups, channels // groups, h * w), input.dtype)
    for some, every in columns_in_blocks(input, kept, size, *how):
        np.matmul(filters(weight, groups), every, out=result[some])
    return result.reshape(n, channels, h, w)


def convolve_and_add(input: Any, weight: Any, bias: Any, kept: Any, *how: Any) -> Any:
    result = convolve(input, weight, kept, *how)
    if bias is not None:
        n, channels, h, w = result.shape
        rows = result.reshape(n, channels * h * w)
        rows += np.repeat(bias, h * w)  # to add a number to each plane would take twice as long
    return result


def weight_grad_kernel(self: Any, input: Any, kept: Any, shape: Shape, *how: Any) -> Any:
    groups = how[-1]
    result = np.zeros((groups, math.prod(shape[1:]), shape[0] // groups), input.dtype)
    for some, every in columns_in_blocks(input, kept, (shape[2], shape[3]), *how):
        # In this order, and not `grad @ columns`, BLAS is faster where there are few channels.
        result += (every @ by_group(self[some], groups).swapaxes(2, 3)).sum(0)
    return result.swapaxes(1, 2).reshape(shape)


def input_grad_kernel(self: Any, weight: Any, shape: Shape, *how: Any) -> Any:
    stride, _, dilation, groups = how
    size, windows = weight.shape[2:], self.shape[2:]
    apart = stride[0] >= size[0] and stride[1] >= size[1] and dilation == (1, 1)
    result = np.zeros(shape, self.dtype)
    every = places(shape[2:], windows, size, *how[:3])
    for some in in_blocks(shape, size, *how):
        product = filters(weight, groups).swapaxes(1, 2) @ by_group(self[some], groups)
        parts = product.reshape(-1, shape[1], size[0] * size[1], *windows)
        out = result[some]
        for number, (inside, there) in enumerate(every):
            if apart:  # no element is in two windows; to add would take twice as long
                out[there] = parts[:, :, number][inside]
            else:
                out[there] += parts[:, :, number][inside]
    return result


convolution = op(
    "convolution(input, weight, bias, kept: Arrays, stride, padding, dilation, groups)",
    convolve_and_add,
    input="convolution_input(grad, weight, input.shape, stride, padding, dilation, groups)",
    weight="convolution_weight(grad, input, kept, weight.shape, stride, padding, dilation, groups)",
    bias="convolution_bias(grad)",
)
plain_convolution = op(
    "plain_convolution(self, weight, stride, padding, dilation, groups)",
    lambda self, weight, *how: convolve(self, weight, None, *how),
    node="ConvolutionBackward0",
    self="convolution_input(grad, weight, self.shape, stride, padding, dilation, groups)",
    weight="convolution_weight(grad, self, None, weight.shape, stride, padding, dilation, groups)",
)
convolution_input = op(
    "convolution_input(self, weight, shape, stride, padding, dilation, groups)",
    input_grad_kernel,
    node="ConvolutionBackwardBackward0",
    self="plain_convolution(grad, weight, stride, padding, dilation, groups)",
    weight="convolution_weight(self, grad, None, weight.shape, stride, padding, dilation, groups)",
)
convolution_weight = op(
    "convolution_weight(self, input, kept, shape, stride, padding, dilation, groups)",
    weight_grad_kernel,
    node="ConvolutionBackwardBackward0",
    self="plain_convolution(input, grad, stride, padding, dilation, groups)",
    input="convolution_input(self, grad, input.shape, stride, padding, dilation, groups)",
)
convolution_bias = op(  # the examples first: to add whole planes takes half the time
    "convolution_bias(self)",
    lambda self: np.add.reduce(np.add.reduce(self, 0), (1, 2)),
    node="ConvolutionBackwardBackward0",
    self="expand(reshape(grad, (1, -1, 1, 1)), self.shape)",
)

# Zeros on the sides of the last two dimensions, a number for each: (left, right, top, bottom)


def pad_kernel(self: Any, sides: tuple[int, ...], value: float = 0) -> Any:
    """Adds to both sides of the last dimensions, the last one first; takes away if negative."""
    widths = [(0, 0)] * (self.ndim - len(sides) // 2)
    widths += [(sides[n], sides[n + 1]) for n in range(len(sides) - 2, -1, -2)]
    more = [(max(before, 0), max(after, 0)) for before, after in widths]
    wide = np.pad(self, more, constant_values=value)
    rest = tuple(
        slice(max(-before, 0), length - max(-after, 0))
        for (before, after), length in zip(widths, wide.shape, strict=True)
    )
    return np.ascontiguousarray(wide[rest])


pad = op(
    "pad(self, sides, value=0)",
    pad_kernel,
    node="ConstantPadNdBackward0",
    self="pad(grad, negated(sides))",
)

# Pooling. Which element won a window is told by how far before the last place of the window it
# lies: a small number. Going through the places from the last one, the first of equals is the last
# that wins, as PyTorch wants it.


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


def winners(which: Any, shape: Shape, *how: Pair) -> Any:
    """The index of each winner in the flattened array of `shape`."""
    plane, area = (shape[-2], shape[-1]), shape[-2] * shape[-1]
    index = last_places(plane, which.shape[-2:], *how) - which
    rows, columns = how[-1]
    if rows > plane[0] or columns > plane[1]:  # a plane may lie between places: nothing wins
        np.minimum(index, area - 1, out=index)
    index += np.arange(0, math.prod(shape), area).reshape(*shape[:-2], 1, 1)
    return index


def picked(self: Any, which: Any, *how: Pair) -> Any:
    return self.reshape(-1).take(winners(which, self.shape, *how))


def pooled_backward(self: Any, input: Any, which: Any, *how: Pair) -> Any:
    result = np.zeros(input.size, self.dtype)
    np.add.at(result, winners(which, input.shape, *how).reshape(-1), self.reshape(-1))
    return result.reshape(input.shape)


def indices_in_plane(self: Any, which: Any, *how: Pair) -> Any:
    return winners(which, self.shape, *how) % math.prod(self.shape[-2:])


max_pool = op(  # the values are there already if `largest` has found them together with `which`
    "max_pool(self, values, which: Arrays, size, stride, padding, dilation)",
    lambda self, values, *how: picked(self, *how) if values is None else values,
    node="MaxPool2DWithIndicesBackward0",
    self="max_pool_backward(grad, self, which, size, stride, padding, dilation)",
)
max_pool_backward = op(
    "max_pool_backward(self, input, which: Arrays, size, stride, padding, dilation)",
    pooled_backward,
    node="MaxPool2DWithIndicesBackwardBackward0",
    self="max_pool(grad, None, which, size, stride, padding, dilation)",
    input="zeros_like(grad)",
)
max_pool_indices = op(
    "max_pool_indices(self: Tensor, which, size, stride, padding, dilation)",
    indices_in_plane,
    gives="kernel",
)
