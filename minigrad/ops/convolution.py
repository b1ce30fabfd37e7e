"""Convolutions over any number of dimensions, padding, and max_pool2d.

A convolution is one product of matrices: of the filters, and of the windows as columns. It is
linear in its input and linear in its weight. So its derivatives are two more operations of the same
kind, and the derivatives of those are again among the three.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..core.operation import op
from .elementwise import zeros_like
from .layouts import negated
from .shapes import expand, reshape

Pair = tuple[int, int]
Shape = tuple[int, ...]


def pair_of(value: Any) -> Pair:
    """`(2, 2)` from 2; a sequence of two as it is."""
    if isinstance(value, (int, np.integer)):
        return int(value), int(value)
    first, second = value if len(value) == 2 else (value[0], value[0])
    return int(first), int(second)


def lengths_of(name: str, value: Any, dims: int) -> Shape:
    """A number for each of `dims` dimensions: one for all, or a sequence. RuntimeError if not."""
    numbers = [value] if isinstance(value, (int, np.integer)) else [*value]
    if len(numbers) not in (1, dims):
        raise RuntimeError(
            f"expected {name} to be a single integer value or a list of {dims} values to match the"
            f" convolution dimensions, but got {name}={numbers}"
        )
    return tuple(int(each) for each in (numbers if len(numbers) == dims else numbers * dims))


def output_size(
    size: Shape, window: Shape, stride: Shape, padding: Shape, dilation: Shape
) -> Shape:
    """How many windows there are along each dimension."""
    return tuple(
        (length + 2 * side - step * (n - 1) - 1) // move + 1
        for length, n, move, side, step in zip(size, window, stride, padding, dilation, strict=True)
    )


# With groups g, the channels are g × (channels of a group), and the product is g products for each
# example: the letters below are n batch, g groups, o and c channels out and in, h w rows and
# columns of windows; of sequences w alone. In this order neither operands nor results have to be
# transposed.


def padded(planes: Any, padding: Shape) -> Any:
    """`planes` with zeros around all dimensions but the first two."""
    return np.pad(planes, [(0, 0), (0, 0), *((side, side) for side in padding)])


def place(within: Shape, windows: Shape, stride: Shape, dilation: Shape) -> Any:
    """Where in padded planes the place `within`, such as (i, j), of every window is."""
    slices = (
        slice(at * step, at * step + (count - 1) * move + 1, move)
        for at, count, move, step in zip(within, windows, stride, dilation, strict=True)
    )
    return ..., *slices


def columns(
    input: Any, size: Shape, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Any:
    """Every window as a column. Shapes: (n, g·c, H, W) → (n, g, c·size, h·w)."""
    (n, channels), planes = input.shape[:2], padded(input, padding)
    windows = output_size(input.shape[2:], size, stride, padding, dilation)
    places = itertools.product(*map(range, size))
    parts = [planes[place(within, windows, stride, dilation)] for within in places]
    count = channels // groups * math.prod(size)
    return np.stack(parts, 2).reshape(n, groups, count, math.prod(windows))


def by_group(planes: Any, groups: int) -> Any:
    """Shapes: (n, g·o, h, w) → (n, g, o, h·w)."""
    n, channels, *windows = planes.shape
    return planes.reshape(n, groups, channels // groups, math.prod(windows))


def filters(weight: Any, groups: int) -> Any:
    """Shapes: (g·o, c, *size) → (g, o, c·size)."""
    return weight.reshape(groups, weight.shape[0] // groups, math.prod(weight.shape[1:]))


def convolve(
    self: Any, weight: Any, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Any:
    size = weight.shape[2:]
    product = filters(weight, groups) @ columns(self, size, stride, padding, dilation, groups)
    windows = output_size(self.shape[2:], size, stride, padding, dilation)
    return product.reshape(self.shape[0], weight.shape[0], *windows)


def convolve_and_add(
    input: Any, weight: Any, bias: Any, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Any:
    result = convolve(input, weight, stride, padding, dilation, groups)
    return result if bias is None else result + bias.reshape(-1, *(1,) * len(stride))


def weight_grad(
    self: Any, input: Any, shape: Shape, stride: Shape, padding: Shape, dilation: Shape, groups: int
) -> Any:
    every = columns(input, shape[2:], stride, padding, dilation, groups)
    return np.add.reduce(by_group(self, groups) @ every.swapaxes(2, 3)).reshape(shape)


def input_grad(
    self: Any,
    weight: Any,
    shape: Shape,
    stride: Shape,
    padding: Shape,
    dilation: Shape,
    groups: int,
) -> Any:
    size, windows = weight.shape[2:], self.shape[2:]
    product = filters(weight, groups).swapaxes(1, 2) @ by_group(self, groups)
    parts = product.reshape(*shape[:2], *size, *windows)
    planes = padded(np.zeros(shape, self.dtype), padding)
    for within in itertools.product(*map(range, size)):
        planes[place(within, windows, stride, dilation)] += parts[:, :, *within]
    inside = (slice(side, side + n) for side, n in zip(padding, shape[2:], strict=True))
    return planes[..., *inside]


convolution = op(
    "convolution",
    convolve_and_add,
    input=lambda grad, input, weight, stride, padding, dilation, groups: convolution_input(
        grad, weight, input.shape, stride, padding, dilation, groups
    ),
    weight=lambda grad, input, weight, stride, padding, dilation, groups: convolution_weight(
        grad, input, weight.shape, stride, padding, dilation, groups
    ),
    bias=lambda grad: convolution_bias(grad),
)
plain_convolution = op(
    "convolution",
    convolve,
    self=lambda grad, self_shape, weight, stride, padding, dilation, groups: convolution_input(
        grad, weight, self_shape, stride, padding, dilation, groups
    ),
    weight=lambda grad, self, weight_shape, stride, padding, dilation, groups: convolution_weight(
        grad, self, weight_shape, stride, padding, dilation, groups
    ),
)
convolution_input = op(
    "convolution_input",
    input_grad,
    node="ConvolutionBackwardBackward0",
    self=lambda grad, weight, stride, padding, dilation, groups: plain_convolution(
        grad, weight, stride, padding, dilation, groups
    ),
    weight=lambda grad, self, weight_shape, stride, padding, dilation, groups: convolution_weight(
        self, grad, weight_shape, stride, padding, dilation, groups
    ),
)
convolution_weight = op(
    "convolution_weight",
    weight_grad,
    node="ConvolutionBackwardBackward0",
    self=lambda grad, input, stride, padding, dilation, groups: plain_convolution(
        input, grad, stride, padding, dilation, groups
    ),
    input=lambda grad, self, input_shape, stride, padding, dilation, groups: convolution_input(
        self, grad, input_shape, stride, padding, dilation, groups
    ),
)
convolution_bias = op(
    "convolution_bias",
    lambda self: np.add.reduce(self, (0, *range(2, self.ndim))),
    node="ConvolutionBackwardBackward0",
    self=lambda grad, self_shape: expand(
        reshape(grad, (1, -1, *(1,) * (len(self_shape) - 2))), self_shape
    ),
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
    "pad",
    pad_kernel,
    node="ConstantPadNdBackward0",
    self=lambda grad, sides: pad(grad, negated(sides)),
)


# Pooling


def with_nothing(self: Any) -> Any:
    """Planes read flat, with the lowest number behind: what a window outside the plane holds."""
    lowest = -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min
    flat = self.reshape(*self.shape[:-2], math.prod(self.shape[-2:]))
    return np.pad(flat, [(0, 0)] * (flat.ndim - 1) + [(0, 1)], constant_values=lowest)


def largest(
    self: Any, windows: Pair, size: Pair, stride: Pair, padding: Pair, dilation: Pair
) -> Any:
    """Where in the plane, read flat, the largest element of each window is, of equals the first;
    or its last nan. Just behind the plane if none of the window lies inside.
    """
    rows, columns = (
        (np.arange(windows[i]) * stride[i] - padding[i])[:, None] + np.arange(size[i]) * dilation[i]
        for i in (0, 1)
    )
    rows, columns = rows[:, None, :, None], columns[:, None, :]
    height, width = self.shape[-2:]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    places = np.where(inside, rows * width + columns, height * width)
    places = places.reshape(*windows, math.prod(size))
    values = with_nothing(self)[..., places]
    missing = np.isnan(values)
    last = places.shape[-1] - 1 - missing[..., ::-1].argmax(-1)
    winner = np.where(missing.any(-1), last, values.argmax(-1))[..., None]
    found = np.take_along_axis(np.broadcast_to(places, values.shape), winner, -1)[..., 0]
    return np.where(found == height * width, places.min(-1), found)


def picked(self: Any, result1: Any) -> Any:
    """The elements at the indices `result1`, which PyTorch computes in the same breath."""
    flat = result1.reshape(*result1.shape[:-2], math.prod(result1.shape[-2:]))
    return np.take_along_axis(with_nothing(self), flat, -1).reshape(result1.shape)


def put_back(self: Any, input: Any, indices: Any) -> Any:
    """Zeros like `input`, to which what stands in `self` is added where the winners were."""
    height, width = input.shape[-2:]
    planes = math.prod(input.shape[:-2])
    result = np.zeros((planes, height * width + 1), self.dtype)
    np.add.at(
        result,
        (np.arange(planes)[:, None], indices.reshape(planes, math.prod(indices.shape[-2:]))),
        self.reshape(planes, math.prod(self.shape[-2:])),
    )
    return result[:, :-1].reshape(input.shape)


max_pool_indices = op("max_pool2d", largest, tensors=("self",))
max_pool = op(
    "max_pool2d",
    picked,
    node="MaxPool2DWithIndicesBackward0",
    tensors=("result1",),
    self=lambda grad, self, result1: max_pool_backward(grad, self, result1),
)
max_pool_backward = op(
    "max_pool2d_backward",
    put_back,
    node="MaxPool2DWithIndicesBackwardBackward0",
    tensors=("indices",),
    self=lambda grad, indices: max_pool(grad, indices),
    input=lambda grad: zeros_like(grad),
)
