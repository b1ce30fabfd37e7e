"""Padding that repeats what is there: mirrored, by the outermost element, or from the other end.

The first two are one operation each, and so is what backward does: it adds the gradient of every
copy to that of the element. The last is made of in-place copies between views, as in PyTorch.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/aten/src/ATen/native/PadNd.cpp
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from .elementwise import zeros_like
from .functions import floating
from .indexing import slice_

Sides = tuple[int, ...]  # before and after the last dimension, then of the one before it, …


def sources(length: int, before: int, after: int, mode: str) -> Any:
    """Which of `length` elements stands at each place of the padded dimension."""
    places = np.arange(-before, length + after)
    last = length - 1
    return last - abs(last - abs(places)) if mode == "reflect" else places.clip(0, last)


def pad_kernel(self: Any, padding: Sides, mode: str) -> Any:
    if self.dtype.kind == "b":
        name = "reflection" if mode == "reflect" else "replication"
        floating(self, f"{name}_pad{len(padding) // 2}d")
    for n in range(len(padding) // 2):
        axis = self.ndim - 1 - n
        self = self.take(sources(self.shape[axis], padding[2 * n], padding[2 * n + 1], mode), axis)
    return self


def add_back(grad_output: Any, shape: tuple[int, ...], padding: Sides, mode: str) -> Any:
    """For each element of what was padded, which has this shape, the sum over its copies."""
    for n in range(len(padding) // 2):
        axis = len(shape) - 1 - n
        index = sources(shape[axis], padding[2 * n], padding[2 * n + 1], mode)
        wide = grad_output.shape
        total = np.zeros((*wide[:axis], shape[axis], *wide[axis + 1 :]), grad_output.dtype)
        np.add.at(total, (slice(None),) * axis + (index,), grad_output)
        grad_output = total
    return grad_output


def reflected(self: Any, padding: Sides) -> Any:
    return pad_kernel(self, padding, "reflect")


def reflected_back(grad_output: Any, self: Any, padding: Sides) -> Any:
    return add_back(grad_output, self.shape, padding, "reflect")


def replicated(self: Any, padding: Sides) -> Any:
    return pad_kernel(self, padding, "replicate")


def replicated_back(grad_output: Any, self: Any, padding: Sides) -> Any:
    return add_back(grad_output, self.shape, padding, "replicate")


# A row and its backward for each mode and number of dimensions, since nodes are named so.

reflection_pad1d = op(
    "reflection_pad1d",
    reflected,
    node="ReflectionPad1DBackward0",
    self=lambda grad, self, padding: reflection_pad1d_backward(grad, self, padding),
)
reflection_pad1d_backward = op(
    "reflection_pad1d_backward",
    reflected_back,
    node="ReflectionPad1DBackwardBackward0",
    grad_output=lambda grad, padding: reflection_pad1d(grad, padding),
    self=lambda grad, self: zeros_like(self),
)
reflection_pad2d = op(
    "reflection_pad2d",
    reflected,
    node="ReflectionPad2DBackward0",
    self=lambda grad, self, padding: reflection_pad2d_backward(grad, self, padding),
)
reflection_pad2d_backward = op(
    "reflection_pad2d_backward",
    reflected_back,
    node="ReflectionPad2DBackwardBackward0",
    grad_output=lambda grad, padding: reflection_pad2d(grad, padding),
    self=lambda grad, self: zeros_like(self),
)
reflection_pad3d = op(
    "reflection_pad3d",
    reflected,
    node="ReflectionPad3DBackward0",
    self=lambda grad, self, padding: reflection_pad3d_backward(grad, self, padding),
)
reflection_pad3d_backward = op(
    "reflection_pad3d_backward",
    reflected_back,
    node="ReflectionPad3DBackwardBackward0",
    grad_output=lambda grad, padding: reflection_pad3d(grad, padding),
    self=lambda grad, self: zeros_like(self),
)
replication_pad1d = op(
    "replication_pad1d",
    replicated,
    node="ReplicationPad1DBackward0",
    self=lambda grad, self, padding: replication_pad1d_backward(grad, self, padding),
)
replication_pad1d_backward = op(
    "replication_pad1d_backward",
    replicated_back,
    node="ReplicationPad1DBackwardBackward0",
    grad_output=lambda grad, padding: replication_pad1d(grad, padding),
    self=lambda grad, self: zeros_like(self),
)
replication_pad2d = op(
    "replication_pad2d",
    replicated,
    node="ReplicationPad2DBackward0",
    self=lambda grad, self, padding: replication_pad2d_backward(grad, self, padding),
)
replication_pad2d_backward = op(
    "replication_pad2d_backward",
    replicated_back,
    node="ReplicationPad2DBackwardBackward0",
    grad_output=lambda grad, padding: replication_pad2d(grad, padding),
    self=lambda grad, self: zeros_like(self),
)
replication_pad3d = op(
    "replication_pad3d",
    replicated,
    node="ReplicationPad3DBackward0",
    self=lambda grad, self, padding: replication_pad3d_backward(grad, self, padding),
)
replication_pad3d_backward = op(
    "replication_pad3d_backward",
    replicated_back,
    node="ReplicationPad3DBackwardBackward0",
    grad_output=lambda grad, padding: replication_pad3d(grad, padding),
    self=lambda grad, self: zeros_like(self),
)

PADS = {
    "reflect": (reflection_pad1d, reflection_pad2d, reflection_pad3d),
    "replicate": (replication_pad1d, replication_pad2d, replication_pad3d),
}


def wrapped_around(self: Tensor, padding: Sides) -> Tensor:
    """`self` padded in mode "circular": with what stands at the other end."""
    pairs = [(self.ndim - 1 - n, *padding[2 * n : 2 * n + 2]) for n in range(len(padding) // 2)]
    shape = list(self.shape)
    for axis, before, after in pairs:
        if max(before, after) > shape[axis]:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        shape[axis] += before + after
        if shape[axis] < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
    result = new_tensor(np.zeros(shape, self.dtype.numpy))
    target, source = result, self
    for axis, before, after in pairs:
        target = part(target, axis, max(before, 0), shape[axis] - max(after, 0))
        source = part(source, axis, max(-before, 0), self.shape[axis] - max(-after, 0))
    target.copy_(source)
    for axis, before, after in pairs:
        end = shape[axis] - max(after, 0)
        if before > 0:
            part(result, axis, 0, before).copy_(part(result, axis, end - before, end))
        if after > 0:
            start = max(before, 0)
            copied = part(result, axis, start, start + after)
            part(result, axis, shape[axis] - after, shape[axis]).copy_(copied)
    return result


def part(tensor: Tensor, dim: int, start: int, stop: int) -> Tensor:
    """A view of a stretch along `dim`."""
    return slice_(tensor, dim, start, stop, 1)


def repeat_at_ends(input: Tensor, pad: Sides, mode: str) -> Tensor:
    """`input` padded with what is there. RuntimeError or NotImplementedError if it does not fit."""
    dims = len(pad) // 2
    if dims not in (1, 2, 3) or input.ndim not in (dims + 1, dims + 2):
        raise NotImplementedError(
            f"Padding size {len(pad)} is not supported for {input.ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    if mode == "circular":
        return wrapped_around(input, pad)
    check_fits(input, pad, mode)
    return PADS[mode][dims - 1](input, pad)


def check_fits(input: Tensor, pad: Sides, mode: str) -> None:
    """RuntimeError: nothing to repeat, not enough to mirror, or nothing would be left."""
    dims, shape = len(pad) // 2, list(input.shape)
    if 0 in shape[input.ndim == dims + 2 :]:
        raise RuntimeError(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with possibly 0 batch size"
            f" and other non-zero dimensions for input, but got: {shape}"
        )
    for n in range(dims):
        dim, sides = input.ndim - 1 - n, tuple(pad[2 * n : 2 * n + 2])
        if mode == "reflect" and max(sides) >= shape[dim]:
            raise RuntimeError(
                f"Argument #{4 + 2 * n}: Padding size should be less than the corresponding input"
                f" dimension, but got: padding ({sides[0]}, {sides[1]}) at dimension {dim} of input"
                f" {shape}"
            )
    sizes = [shape[-1 - n] + pad[2 * n] + pad[2 * n + 1] for n in range(dims)][::-1]
    if max(sizes) < 1:
        letters = "DHW"[-dims:]
        found, wanted = (
            [f"{letter}: {n}" for letter, n in zip(letters, lengths, strict=True)]
            for lengths in (shape[-dims:], sizes)
        )
        last = ", ".join(found[-2:]) + " " * (mode == "replicate" and dims == 2)
        raise RuntimeError(
            f"input ({' '.join([*found[:-2], last])}) is too small. Calculated output"
            f" {' '.join(wanted)}"
        )
    if min(sizes) < 0:
        raise RuntimeError(
            f"Trying to create tensor with negative dimension {min(sizes)}: {shape[:-dims] + sizes}"
        )
