"""conv2d and max_pool2d: strided views of the windows, and one matrix product.

A convolution is linear in its input and linear in its weight. So its derivatives are two more
operations of the same kind, and the derivatives of those are again among the three.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .table import op

Pair = tuple[int, int]


def pair_of(value: Any) -> Pair:
    """`(2, 2)` from 2; a sequence of two as it is."""
    if isinstance(value, (int, np.integer)):
        return int(value), int(value)
    first, second = value if len(value) == 2 else (value[0], value[0])
    return int(first), int(second)


def windows(array: Any, size: Pair, stride: Pair, dilation: Pair) -> Any:
    """A view of all windows. Shapes: (…, H, W) → (…, rows, columns, *size)."""
    spans = [step * (length - 1) + 1 for length, step in zip(size, dilation, strict=True)]
    every = np.lib.stride_tricks.sliding_window_view(array, spans, (-2, -1))
    return every[..., :: stride[0], :: stride[1], :: dilation[0], :: dilation[1]]


def padded(array: Any, padding: Pair, value: float = 0) -> Any:
    widths = [(0, 0)] * (array.ndim - 2) + [(side, side) for side in padding]
    return np.pad(array, widths, constant_values=value) if any(padding) else array


# With groups g, the channels are g × (channels of a group), and the product is g products: the
# letters below are n batch, g groups, o and c channels out and in, h w rows and columns of windows.


def columns(
    input: Any, size: Pair, stride: Pair, padding: Pair, dilation: Pair, groups: int
) -> Any:
    """Every window as a column. Shape: (g, c·size, n·h·w)."""
    view = windows(padded(input, padding), size, stride, dilation)
    n, channels, h, w = view.shape[:4]
    split = view.reshape(n, groups, channels // groups, h, w, *size)
    turned = split.transpose(1, 2, 5, 6, 0, 3, 4)
    return turned.reshape(groups, channels // groups * size[0] * size[1], n * h * w)


def convolve(
    input: Any, weight: Any, stride: Pair, padding: Pair, dilation: Pair, groups: int
) -> Any:
    n, size = input.shape[0], weight.shape[2:]
    h, w = output_size(input.shape[2:], size, stride, padding, dilation)
    rows = weight.reshape(groups, weight.shape[0] // groups, -1)
    product = rows @ columns(input, size, stride, padding, dilation, groups)
    split = product.reshape(groups, rows.shape[1], n, h, w).transpose(2, 0, 1, 3, 4)
    return np.ascontiguousarray(split).reshape(n, weight.shape[0], h, w)


def output_size(
    size: tuple[int, ...], window: tuple[int, ...], stride: Pair, padding: Pair, dilation: Pair
) -> Pair:
    h, w = (
        (size[i] + 2 * padding[i] - dilation[i] * (window[i] - 1) - 1) // stride[i] + 1
        for i in (0, 1)
    )
    return h, w


def by_group(grad: Any, groups: int) -> Any:
    """A gradient of the output as matrices. Shapes: (n, g·o, h, w) → (g, o, n·h·w)."""
    n, channels, h, w = grad.shape
    split = grad.reshape(n, groups, channels // groups, h, w).transpose(1, 2, 0, 3, 4)
    return split.reshape(groups, channels // groups, n * h * w)


def weight_grad_kernel(
    self: Any,
    input: Any,
    shape: tuple[int, ...],
    stride: Pair,
    padding: Pair,
    dilation: Pair,
    groups: int,
) -> Any:
    size = (shape[2], shape[3])
    rows = columns(input, size, stride, padding, dilation, groups)
    return (by_group(self, groups) @ rows.swapaxes(1, 2)).reshape(shape)


def input_grad_kernel(
    self: Any,
    weight: Any,
    shape: tuple[int, ...],
    stride: Pair,
    padding: Pair,
    dilation: Pair,
    groups: int,
) -> Any:
    """Adds to every element what the windows that it is in say: one offset in the window a time."""
    (n, channels), (h, w) = shape[:2], self.shape[2:]
    rows = weight.reshape(groups, weight.shape[0] // groups, -1)
    product = rows.swapaxes(1, 2) @ by_group(self, groups)
    size = weight.shape[2:]
    parts = product.reshape(channels, *size, n, h, w).transpose(1, 2, 3, 0, 4, 5)
    grad = padded(np.zeros(shape, self.dtype), padding)
    for i, j in np.ndindex(*size):
        top, left = i * dilation[0], j * dilation[1]
        bottom, right = top + stride[0] * (h - 1) + 1, left + stride[1] * (w - 1) + 1
        grad[..., top : bottom : stride[0], left : right : stride[1]] += parts[i, j]
    inner = grad[..., padding[0] : padding[0] + shape[2], padding[1] : padding[1] + shape[3]]
    return np.ascontiguousarray(inner)


convolution = op(
    "convolution(input, weight, bias, stride, padding, dilation, groups)",
    lambda input, weight, bias, *how: convolve(input, weight, *how) + bias.reshape(-1, 1, 1),
    input="convolution_input(grad, weight, input.shape, stride, padding, dilation, groups)",
    weight="convolution_weight(grad, input, weight.shape, stride, padding, dilation, groups)",
    bias="reshape(sum_dim(grad, (0, 2, 3), False, None), bias.shape)",
)
plain_convolution = op(
    "plain_convolution(self, weight, stride, padding, dilation, groups)",
    convolve,
    node="ConvolutionBackward0",
    self="convolution_input(grad, weight, self.shape, stride, padding, dilation, groups)",
    weight="convolution_weight(grad, self, weight.shape, stride, padding, dilation, groups)",
)
convolution_input = op(
    "convolution_input(self, weight, shape, stride, padding, dilation, groups)",
    input_grad_kernel,
    node="ConvolutionBackwardBackward0",
    self="plain_convolution(grad, weight, stride, padding, dilation, groups)",
    weight="convolution_weight(self, grad, weight.shape, stride, padding, dilation, groups)",
)
convolution_weight = op(
    "convolution_weight(self, input, shape, stride, padding, dilation, groups)",
    weight_grad_kernel,
    node="ConvolutionBackwardBackward0",
    self="plain_convolution(input, grad, stride, padding, dilation, groups)",
    input="convolution_input(self, grad, input.shape, stride, padding, dilation, groups)",
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

# Pooling: the indices of the largest elements first, then the elements


def pool_indices(
    self: Any, size: Pair, stride: Pair, padding: Pair, dilation: Pair, shape: Pair
) -> Any:
    """For each window the place of its largest element in the plane (H·W) of the input."""
    lowest = -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min
    spans = [
        (shape[i] - 1) * stride[i]
        + dilation[i] * (size[i] - 1)
        + 1
        - padding[i]
        - self.shape[i - 2]
        for i in (0, 1)
    ]
    widths = [(0, 0)] * (self.ndim - 2)
    widths += [(padding[i], max(spans[i], padding[i])) for i in (0, 1)]
    wide = np.pad(self, widths, constant_values=lowest)
    view = windows(wide, size, stride, dilation)[..., : shape[0], : shape[1], :, :]
    best = view.reshape(*view.shape[:-2], size[0] * size[1]).argmax(-1)
    rows, cols = np.ogrid[: shape[0], : shape[1]]
    y = rows * stride[0] - padding[0] + best // size[1] * dilation[0]
    x = cols * stride[1] - padding[1] + best % size[1] * dilation[1]
    return y * self.shape[-1] + x


def pooled(self: Any, indices: Any) -> Any:
    (h, w), (rows, cols) = self.shape[-2:], indices.shape[-2:]
    flat = self.reshape(*self.shape[:-2], h * w)
    places = indices.reshape(*indices.shape[:-2], rows * cols)
    return np.take_along_axis(flat, places, -1).reshape(indices.shape)


def pooled_backward(self: Any, input: Any, indices: Any) -> Any:
    shape = input.shape
    planes = np.zeros((math.prod(shape[:-2]), shape[-2] * shape[-1]), self.dtype)
    places = indices.reshape(len(planes), math.prod(indices.shape[-2:]))
    np.add.at(planes, (np.arange(len(planes))[:, None], places), self.reshape(places.shape))
    return planes.reshape(shape)


max_pool_indices = op(
    "max_pool_indices(self: Tensor, size, stride, padding, dilation, shape)",
    pool_indices,
    gives="kernel",
)
max_pool_values = op(
    "max_pool_values(self, indices: Tensor)",
    pooled,
    node="MaxPool2DWithIndicesBackward0",
    self="max_pool_backward(grad, self, indices)",
)
max_pool_backward = op(
    "max_pool_backward(self, input, indices: Tensor)",
    pooled_backward,
    node="MaxPool2DWithIndicesBackwardBackward0",
    self="max_pool_values(grad, indices)",
    input="zeros_like(grad)",
)
