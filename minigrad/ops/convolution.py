"""Convolutions over any number of dimensions, padding, and max_pool2d.

A convolution is computed as a matrix product of the filters and the windows of the input, which
im2col lays out as columns. Since it is linear in its input and in its weight, its derivatives are
two more operations of the same kind, and their derivatives are again among the three.
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

from ..core.operation import op
from ..rows.operands import ABSENT, is_absent
from .elementwise import zeros_like
from .layouts import negated
from .shapes import expand, reshape

Pair = tuple[int, int]
Shape = tuple[int, ...]


def pair_of(name: str, value: Any, instead: str = "") -> Pair:
    """`(2, 2)` for 2; a sequence of one or two integers as a pair.

    RuntimeError, naming the argument `name`, for a sequence of another length.
    """
    numbers = [value] if isinstance(value, (int, np.integer)) else [*value]
    if len(numbers) not in (1, 2):
        raise RuntimeError(
            f"{name} must either be {instead}a single int, or a tuple of two ints"
        )
    return int(numbers[0]), int(numbers[-1])


def window_of(function: str, size: Any, stride: Any, padding: Any) -> tuple[Pair, Pair, Pair]:
    """The size, stride and padding of a pooling window; the stride defaults to the size."""
    pair = pair_of(f"{function}: kernel_size", size)
    steps = pair if stride is None else pair_of(f"{function}: stride", stride, "omitted, ")
    return pair, steps, pair_of(f"{function}: padding", padding)


def lengths_of(name: str, value: Any, dims: int) -> Shape:
    """One integer for each of `dims` dimensions, from an integer or a sequence.

    RuntimeError, naming the argument `name`, for a sequence of another length.
    """
    numbers = [value] if isinstance(value, (int, np.integer)) else [*value]
    if len(numbers) not in (1, dims):
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the"
            f" convolution dimensions, but got {name}={numbers}"
        )
    return tuple(int(each) for each in (numbers if len(numbers) == dims else numbers * dims))


@functools.lru_cache
def output_size(
    size: Shape, window: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> Shape:
    """The number of windows along each dimension."""
    return tuple(
        (length + 2 * side - step * (n - 1) - 1) // move + 1
        for length, n, move, side, step in zip(size, window, stride, padding, dilation, strict=True)
    )


# With g groups, each example takes g matrix products, one for the channels of each group. In the
# shapes below, n is the batch, g the groups, o and c the output and input channels of a group, and
# h and w count the windows (for sequences there is only w). In this order of dimensions, neither
# operands nor results need to be transposed.


def by_group(planes: Any, groups: int) -> Any:
    """Shapes: (n, g·o, h, w) → (n, g, o, h·w)."""
    n, channels, *windows = planes.shape
    return planes.reshape(n, groups, channels // groups, math.prod(windows))


def filters(weight: Any, groups: int) -> Any:
    """Shapes: (g·o, c, *size) → (g, o, c·size)."""
    return weight.reshape(groups, weight.shape[0] // groups, math.prod(weight.shape[1:]))


@functools.lru_cache
def places(
    plane: Shape, windows: Shape, size: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> list[tuple[Any, Any]]:
    """For each position in a window: the windows for which it is inside the plane, and where.

    Each item is a pair of indices into the last dimensions, one of an array of windows and one of
    an array of planes. Positions outside the plane are left out, so padding needs no padded copy.
    """
    sides = map(along, plane, windows, size, stride, padding, dilation)
    return [
        ((..., *(inside for inside, _ in each)), (..., *(there for _, there in each)))
        for each in itertools.product(*sides)
    ]


def along(
    length: int, windows: int, size: int, stride: int, padding: int, dilation: int
) -> list[tuple[slice, slice]]:
    """The same for one dimension: `windows` windows of `size` positions over `length` elements."""
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
    """im2col: every window as a column. Shapes: (n, g·c, H, W) → (n, g, c·size, h·w)."""
    (n, channels), plane = input.shape[:2], input.shape[2:]
    windows = output_size(plane, tuple(size), stride, padding, dilation)
    if any(padding):
        result = np.zeros((n, channels, math.prod(size), *windows), input.dtype)
        every = places(plane, windows, size, stride, padding, dilation)
        for number, (inside, there) in enumerate(every):
            result[:, :, number][inside] = input[there]
    else:  # all windows are inside, so they are a strided view of the planes, copied once
        planes = np.ascontiguousarray(input)
        example, channel, *sides = planes.strides
        within = [side * step for side, step in zip(sides, dilation, strict=True)]
        steps = (example, channel, *within, *map(operator.mul, sides, stride))
        shape = (n, channels, *size, *windows)
        result = np.ndarray(shape, planes.dtype, planes, 0, steps)
    return result.reshape(n, groups, channels // groups * math.prod(size), math.prod(windows))


BLOCK = 2**18  # elements of columns at a time: a megabyte of float32, which fits into the cache


def in_blocks(shape: Shape, size: Shape, *how: Any) -> list[slice]:
    """Slices of the batch, each as many examples as have columns that fit into a block."""
    windows = output_size(tuple(shape[2:]), tuple(size), *how[:3])
    count = BLOCK // (shape[1] * math.prod(size) * math.prod(windows) or 1) or 1
    return [slice(first, first + count) for first in range(0, shape[0], count)]


# A cache of columns, because im2col takes as long as the product and the gradient of the weight
# needs the columns again. Each entry is at most one block, and is dropped with its input.
KEPT: collections.OrderedDict[tuple[int, Any], tuple[Any, Any]] = collections.OrderedDict()
MOST = 8  # entries, of up to a megabyte each


def keep_columns(input: Any, how: Any, every: Any) -> None:
    """Cache im2col(input) for the gradient of the weight."""
    key, forget = (id(input), how), KEPT.pop  # bound early: at exit, modules go before arrays
    KEPT[key] = weakref.ref(input, lambda _: forget(key, None)), every
    while len(KEPT) > MOST:
        KEPT.popitem(last=False)


def columns_in_blocks(input: Any, size: Shape, *how: Any) -> Iterable[tuple[slice, Any]]:
    """Pairs of a slice of the batch and its columns, from the cache if possible."""
    reference, every = KEPT.pop((id(input), (tuple(size), *how)), (None, None))
    if reference is not None and reference() is input:
        return [(slice(None), every)]
    blocks = in_blocks(input.shape, size, *how)
    return ((some, columns(input[some], size, *how)) for some in blocks)


def convolve(
    input: Any, weight: Any, bias: Any, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Any:
    """The filters times the columns, one block at a time; caches the columns of a single block."""
    how = stride, padding, dilation, groups
    (n, channels), size = (input.shape[0], weight.shape[0]), weight.shape[2:]
    windows = output_size(input.shape[2:], size, stride, padding, dilation)
    result = np.empty((n, groups, channels // groups, math.prod(windows)), input.dtype)
    blocks = in_blocks(input.shape, size, *how)
    for some in blocks:
        every = columns(input[some], size, *how)
        np.matmul(filters(weight, groups), every, out=result[some])
    if len(blocks) == 1:
        keep_columns(input, (tuple(size), *how), every)
    if not is_absent(bias):
        rows = result.reshape(n, channels * math.prod(windows))
        # Broadcasting the bias over the planes would take twice as long.
        rows += np.repeat(bias, math.prod(windows))
    return result.reshape(n, channels, *windows)


def weight_grad(
    self: Any, input: Any, shape: Shape, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Any:
    """The gradient of the weight: the sum over the batch of grad @ columns(input), transposed."""
    how = stride, padding, dilation, groups
    result = np.zeros((groups, math.prod(shape[1:]), shape[0] // groups), input.dtype)
    for some, every in columns_in_blocks(input, tuple(shape[2:]), *how):
        # BLAS is faster in this order than with `grad @ columns` if there are few channels.
        result += np.add.reduce(every @ by_group(self[some], groups).swapaxes(2, 3))
    return result.swapaxes(1, 2).reshape(shape)


def input_grad(
    self: Any,
    weight: Any,
    shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    """The gradient of the input: for each element, the sum over all windows that contain it."""
    size, windows = weight.shape[2:], self.shape[2:]
    apart = all(map(operator.ge, stride, size)) and max(dilation) == 1
    result = np.zeros(shape, self.dtype)
    every = places(shape[2:], windows, size, stride, padding, dilation)
    for some in in_blocks(shape, size, stride, padding, dilation, groups):
        product = filters(weight, groups).swapaxes(1, 2) @ by_group(self[some], groups)
        parts = product.reshape(-1, shape[1], math.prod(size), *windows)
        out = result[some]
        for number, (inside, there) in enumerate(every):
            if apart:  # no element is in two windows, and adding would take twice as long
                out[there] = parts[:, :, number][inside]
            else:
                out[there] += parts[:, :, number][inside]
    return result


convolution = op(
    "convolution",
    convolve,
    input=lambda grad, input, weight, stride, padding, dilation, groups: convolution_input(
        grad, weight, input.shape, stride, padding, dilation, groups
    ),
    weight=lambda grad, input, weight, stride, padding, dilation, groups: convolution_weight(
        grad, input, weight.shape, stride, padding, dilation, groups
    ),
    bias=lambda grad: convolution_bias(grad),
)
convolution_input = op(
    "convolution_input",
    input_grad,
    node="ConvolutionBackwardBackward0",
    self=lambda grad, weight, stride, padding, dilation, groups: convolution(
        grad, weight, ABSENT, stride, padding, dilation, groups
    ),
    weight=lambda grad, self, weight_shape, stride, padding, dilation, groups: convolution_weight(
        self, grad, weight_shape, stride, padding, dilation, groups
    ),
)
convolution_weight = op(
    "convolution_weight",
    weight_grad,
    node="ConvolutionBackwardBackward0",
    self=lambda grad, input, stride, padding, dilation, groups: convolution(
        input, grad, ABSENT, stride, padding, dilation, groups
    ),
    input=lambda grad, self, input_shape, stride, padding, dilation, groups: convolution_input(
        self, grad, input_shape, stride, padding, dilation, groups
    ),
)
convolution_bias = op(
    "convolution_bias",
    # Summing over the batch first takes half the time, because it adds whole planes.
    lambda self: np.add.reduce(np.add.reduce(self, 0), tuple(range(1, self.ndim - 1))),
    node="ConvolutionBackwardBackward0",
    self=lambda grad, self_shape: expand(
        reshape(grad, (1, -1, *(1,) * (len(self_shape) - 2))), self_shape
    ),
)

# Padding of the last dimensions, the last one first: (left, right, top, bottom)


def pad_kernel(self: Any, sides: tuple[int, ...], value: float = 0) -> Any:
    """Pad the last dimensions, the last one first; a negative number crops."""
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
    "pad",
    pad_kernel,
    node="ConstantPadNdBackward0",
    self=lambda grad, sides: pad(grad, negated(sides)),
)


# Pooling


# The maximum of a window is located by its distance from the last position of the window, which is
# a small number. We visit positions from the last to the first, so that among equal elements the
# first one wins, because it comes last.


def winners(self: Any, windows: Pair, size: Pair, *how: Pair) -> tuple[Any, Any]:
    """The maximum of each window, or its last nan, and its distance from the last position."""
    shape, (rows, columns) = (*self.shape[:-2], *windows), how[-1]
    distances = [
        i * rows * self.shape[-1] + j * columns for i in range(size[0]) for j in range(size[1])
    ]
    kind = np.min_scalar_type(distances[-1]).type
    every = places(self.shape[-2:], windows, size, *how)[::-1]
    values, which = np.full(shape, lowest(self), self.dtype), np.zeros(shape, kind)
    values[every[0][0]] = self[every[0][1]]  # the last position, at distance 0
    for distance, (inside, there) in zip(distances[1:], every[1:], strict=True):
        part = self[there].copy()  # being contiguous makes up for the copy below
        best, winner = values[inside], which[inside]
        wins = (part >= best).view(np.uint8)
        np.maximum(best, part, out=best)  # for 0 and -0 this returns the second
        np.maximum(winner, wins * kind(distance), out=winner)
    if np.isnan(values).any():
        for distance, (inside, there) in zip(reversed(distances), reversed(every), strict=True):
            which[inside][np.isnan(self[there])] = distance
    return values, which


def lowest(self: Any) -> Any:
    """The value of a position outside the plane."""
    return -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min


@functools.lru_cache
def last_places(
    plane: Pair, windows: Pair, size: Pair, stride: Pair, padding: Pair, dilation: Pair
) -> tuple[Any, Any]:
    """The flat index of each window's last position in the plane, and which windows are outside.

    Both have the shape `windows`.
    """
    rows, columns = (
        np.arange(windows[i]) * stride[i] + (size[i] - 1) * dilation[i] - padding[i] for i in (0, 1)
    )
    empty = np.ones(windows, bool)
    for inside, _ in places(plane, windows, size, stride, padding, dilation):
        empty[inside] = False
    return rows[:, None] * plane[1] + columns, empty


def largest(
    self: Any, windows: Pair, size: Pair, stride: Pair, padding: Pair, dilation: Pair
) -> Any:
    """The flat index in the plane of each window's maximum, or of its last nan.

    Of equal elements the first one counts. The index is one past the end of the plane if the window
    is completely outside.
    """
    how = size, stride, padding, dilation
    values, which = winners(self, (windows[0], windows[1]), *how)
    last, empty = last_places(tuple(self.shape[-2:]), tuple(windows), *how)
    indices = last - which
    if empty.any():
        indices = np.where(empty, math.prod(self.shape[-2:]), indices)
    keep_winners(self, indices, values)
    return indices


# A cache by the id of an array of indices: the input they belong to, and its maxima until they are
# used. An entry is dropped with its indices.
WINNERS: dict[int, tuple[Any, Any, Any]] = {}


def keep_winners(self: Any, indices: Any, values: Any) -> None:
    """Cache the maxima for `max_pool`."""
    key, forget = id(indices), WINNERS.pop
    gone = weakref.ref(indices, lambda _: forget(key, None))
    WINNERS[key] = gone, weakref.ref(self), values


def in_flat(indices: Any, shape: Shape) -> Any:
    """Indices into planes as indices into the flattened array of `shape`."""
    area = shape[-2] * shape[-1]
    return indices + np.arange(0, math.prod(shape), area).reshape(*shape[:-2], 1, 1)


def outside(indices: Any, shape: Shape) -> Any:
    """Which indices are past the end of their plane, because the window is completely outside."""
    return indices >= shape[-2] * shape[-1]


def picked(self: Any, result1: Any) -> Any:
    """The elements at the indices `result1`; PyTorch computes both in a single operation."""
    _, whose, values = WINNERS.pop(id(result1), (None, None, None))
    if whose is not None and whose() is self:
        return values
    found = self.reshape(-1).take(in_flat(result1, self.shape), mode="clip")
    return np.where(outside(result1, self.shape), lowest(self), found).astype(self.dtype)


def put_back(self: Any, input: Any, indices: Any) -> Any:
    """Zeros like `input`, with `self` added at the positions of the maxima."""
    result, away = np.zeros(input.size, self.dtype), outside(indices, input.shape)
    at, added = in_flat(indices, input.shape), self
    if away.any():
        at, added = at[~away], self[~away]
    np.add.at(result, at.reshape(-1), added.reshape(-1))
    return result.reshape(input.shape)


def averaged(self: Any, size: Pair, stride: Pair, padding: Pair) -> Any:
    how = self.shape[-2:], size, stride, padding, (1, 1)
    windows = output_size(*how)
    kind = np.float32 if self.dtype == np.float16 else self.dtype  # as PyTorch adds
    result = np.zeros((*self.shape[:-2], *windows), kind)
    for inside, there in places(how[0], windows, *how[1:]):
        result[inside] += self[there]
    return (result / math.prod(size)).astype(self.dtype)


def averaged_backward(self: Any, input: Any, size: Pair, stride: Pair, padding: Pair) -> Any:
    result = np.zeros(input.shape, self.dtype)
    shares = self / self.dtype.type(math.prod(size))
    for inside, there in places(input.shape[-2:], self.shape[-2:], size, stride, padding, (1, 1)):
        result[there] += shares[inside]
    return result


avg_pool = op(
    "avg_pool2d",
    averaged,
    node="AvgPool2DBackward0",
    self=lambda grad, self, size, stride, padding: avg_pool_backward(
        grad, self, size, stride, padding
    ),
)
avg_pool_backward = op(
    "avg_pool2d_backward",
    averaged_backward,
    node="AvgPool2DBackwardBackward0",
    self=lambda grad, size, stride, padding: avg_pool(grad, size, stride, padding),
    input=lambda grad: zeros_like(grad),
)
max_pool_indices = op("max_pool2d", largest, tensor_args=("self",))
max_pool = op(
    "max_pool2d",
    picked,
    node="MaxPool2DWithIndicesBackward0",
    tensor_args=("result1",),
    self=lambda grad, self, result1: max_pool_backward(grad, self, result1),
)
max_pool_backward = op(
    "max_pool2d_backward",
    put_back,
    node="MaxPool2DWithIndicesBackwardBackward0",
    tensor_args=("indices",),
    self=lambda grad, indices: max_pool(grad, indices),
    input=lambda grad: zeros_like(grad),
)
