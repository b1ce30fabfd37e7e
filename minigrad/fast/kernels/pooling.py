"""Faster pooling for `ops.convolution`: windows compared place by place, each for all at once."""

from __future__ import annotations

import functools
import math
import weakref
from typing import Any

import numpy as np

from ...ops import convolution as plain
from ...ops.convolution import Pair, Shape, places
from ..arrays import kernel_of

# Which element won a window is told by how far before the last place of the window it
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
