"""Work for which PyTorch is the better choice: reductions, scans, fused kernels, convolutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .functions import points
from .libraries import Array, Work


def total() -> Work:
    return on_a_matrix(lambda torch, x: x.sum())


def log_softmax() -> Work:
    return on_a_matrix(lambda torch, x: torch.log_softmax(x, 1)[:, 0].sum())


def silu() -> Work:
    return on_a_matrix(lambda torch, x: torch.nn.functional.silu(x).sum())


def cumsum() -> Work:
    return on_a_matrix(lambda torch, x: torch.cumsum(x, 1)[:, -1].sum())


def on_a_matrix(function: Callable[[Any, Any], Any]) -> Work:
    """A function of a 1000×1000 tensor, for minigrad and PyTorch."""

    def loss(library: Any) -> Callable[..., Any]:
        return lambda x: function(library.module, x)

    return Work(lambda: [points(1000, 1000)], loss, ())


def convolution(channels: int = 64) -> Work:
    """3×3 filters on 16 images of 32×32, with as many channels out as in."""

    def leaves() -> list[Array]:
        random = np.random.default_rng(0)
        images = random.normal(size=(16, channels, 32, 32))
        filters = random.normal(size=(channels, channels, 3, 3)) / channels
        return [images.astype(np.float32), filters.astype(np.float32)]

    def loss(library: Any) -> Callable[..., Any]:
        return lambda images, filters: library.conv2d(images, filters, padding=1).sum()

    return Work(leaves, loss, ())
