"""A training step of a small convolutional network: 3×3 filters, relu, max-pool, linear, SGD."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .libraries import Array, Work
from .mlp import RATE, cross_entropy_by_hand

BATCH, SIDE, FILTERS, CLASSES = 16, 28, 8, 10
WIDE = SIDE - 2  # what a 3×3 filter leaves of SIDE
HALF = WIDE // 2


def training() -> Work:
    return Work(parameters, loss, ("mygrad", "dezero"), by_hand, rate=RATE)


def data() -> tuple[Array, Array, list[Array]]:
    """Return images (batch, 1, side, side), classes, and filters, bias, weight (in, out), bias."""
    random = np.random.default_rng(0)
    images = random.normal(size=(BATCH, 1, SIDE, SIDE)).astype(np.float32)
    features = FILTERS * HALF * HALF
    arrays = [
        random.normal(size=(FILTERS, 1, 3, 3)) / 3,
        random.normal(size=FILTERS) / 3,
        random.normal(size=(features, CLASSES)) / np.sqrt(features),
        np.zeros(CLASSES),
    ]
    classes = random.integers(CLASSES, size=BATCH)
    return images, classes, [each.astype(np.float32) for each in arrays]


def parameters() -> list[Array]:
    return data()[2]


def loss(library: Any) -> Callable[..., Any]:
    images, target = map(library.constant, data()[:2])

    def cross_entropy(filters: Any, bias: Any, weight: Any, last: Any) -> Any:
        h = library.relu(library.conv2d(images, filters, bias))
        features = library.max_pool2d(h, 2).reshape(BATCH, -1)
        return library.cross_entropy(library.linear(features, weight, last), target)

    return cross_entropy


def by_hand() -> Callable[..., list[Array]]:
    images, target, _ = data()

    def gradients(filters: Array, bias: Array, weight: Array, last: Array) -> list[Array]:
        windows = np.lib.stride_tricks.sliding_window_view(images[:, 0], (3, 3), (1, 2))
        columns = windows.transpose(3, 4, 0, 1, 2).reshape(9, BATCH * WIDE * WIDE)
        h = filters.reshape(FILTERS, 9) @ columns
        h += bias[:, None]
        np.maximum(h, 0.0, out=h)
        h = h.reshape(FILTERS, BATCH, WIDE, WIDE)
        corners = [h[..., i::2, j::2] for i in (0, 1) for j in (0, 1)]
        pooled = np.maximum(corners[0], corners[1])
        for corner in corners[2:]:
            np.maximum(pooled, corner, out=pooled)
        flat = pooled.transpose(1, 0, 2, 3).reshape(BATCH, -1)
        z = flat @ weight
        z += last
        grad = cross_entropy_by_hand(z, target)
        weight_grad, last_grad = flat.T @ grad, grad.sum(0)
        down = (grad @ weight.T).reshape(BATCH, FILTERS, HALF, HALF).transpose(1, 0, 2, 3)
        down = down * (pooled > 0)  # relu, which also keeps ties between zeros out of the pooling
        h_grad = np.empty_like(h)
        for number, corner in enumerate(corners):
            place = h_grad[..., number // 2 :: 2, number % 2 :: 2]
            np.multiply(down, corner == pooled, out=place)
        h_grad = h_grad.reshape(FILTERS, -1)
        filters_grad = (h_grad @ columns.T).reshape(filters.shape)
        return [filters_grad, h_grad.sum(1), weight_grad, last_grad]

    return gradients
