"""A training step of a small convolutional network: 3×3 filters, relu, max-pool, linear, SGD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..harness import Program, Step
from ..libraries import accelerator_off
from .mlp import RATE

Array = np.ndarray[Any, Any]
BATCH, SIDE, FILTERS, CLASSES = 16, 28, 8, 10
WIDE = SIDE - 2  # of what the filters give
HALF = WIDE // 2


def data() -> tuple[Array, Array, list[Array]]:
    """Images (batch, 1, side, side), classes, and filters, bias, weight (in, out), bias."""
    random = np.random.default_rng(0)
    images = random.normal(size=(BATCH, 1, SIDE, SIDE)).astype(np.float32)
    features = FILTERS * HALF * HALF
    parameters = [
        random.normal(size=(FILTERS, 1, 3, 3)) / 3,
        random.normal(size=FILTERS) / 3,
        random.normal(size=(features, CLASSES)) / np.sqrt(features),
        np.zeros(CLASSES),
    ]
    return images, random.integers(CLASSES, size=BATCH), [p.astype(np.float32) for p in parameters]


def with_torch(torch: Any, size: Any) -> Step:
    ops = torch.nn.functional
    images, classes, arrays = data()
    x, target = torch.tensor(images), torch.tensor(classes)
    parameters = [torch.tensor(each, requires_grad=True) for each in arrays]
    filters, bias, weight, last = parameters

    def step() -> Sequence[Any]:
        for each in parameters:
            each.grad = None
        pooled = ops.max_pool2d(ops.relu(ops.conv2d(x, filters, bias)), 2)
        ops.cross_entropy(pooled.flatten(1) @ weight + last, target).backward()
        with torch.no_grad():
            for each in parameters:
                each -= RATE * each.grad
        return [each.grad for each in parameters]

    return step


def by_hand(numpy: Any, size: Any) -> Step:
    images, target, parameters = data()
    filters, bias, weight, last = parameters
    examples = numpy.arange(BATCH)

    def step() -> Sequence[Any]:
        windows = numpy.lib.stride_tricks.sliding_window_view(images[:, 0], (3, 3), (1, 2))
        columns = windows.transpose(3, 4, 0, 1, 2).reshape(9, BATCH * WIDE * WIDE)
        h = filters.reshape(FILTERS, 9) @ columns
        h += bias[:, None]
        numpy.maximum(h, 0.0, out=h)
        h = h.reshape(FILTERS, BATCH, WIDE, WIDE)
        corners = [h[..., i::2, j::2] for i in (0, 1) for j in (0, 1)]
        pooled = numpy.maximum(corners[0], corners[1])
        for corner in corners[2:]:
            numpy.maximum(pooled, corner, out=pooled)
        flat = pooled.transpose(1, 0, 2, 3).reshape(BATCH, -1)
        z = flat @ weight
        z += last
        z -= z.max(1, keepdims=True)
        grad = numpy.exp(z)
        total = grad.sum(1, keepdims=True)
        (numpy.log(total[:, 0]) - z[examples, target]).mean()
        grad /= total
        grad[examples, target] -= 1.0
        grad /= BATCH
        weight_grad, last_grad = flat.T @ grad, grad.sum(0)
        down = (grad @ weight.T).reshape(BATCH, FILTERS, HALF, HALF).transpose(1, 0, 2, 3)
        down = down * (pooled > 0)  # relu; so zeros, which may be equal, pass nothing on
        h_grad = numpy.empty_like(h)
        for number, corner in enumerate(corners):
            place = h_grad[..., number // 2 :: 2, number % 2 :: 2]
            numpy.multiply(down, corner == pooled, out=place)
        h_grad = h_grad.reshape(FILTERS, -1)
        filters_grad = (h_grad @ columns.T).reshape(filters.shape)
        grads = [filters_grad, h_grad.sum(1), weight_grad, last_grad]
        for parameter, gradient in zip(parameters, grads, strict=True):
            parameter -= RATE * gradient
        return grads

    return step


def with_mygrad(mygrad: Any, size: Any) -> Step:
    from mygrad.nnet.activations import relu
    from mygrad.nnet.layers import conv_nd, max_pool
    from mygrad.nnet.losses import softmax_crossentropy

    images, target, arrays = data()
    parameters = [mygrad.tensor(each) for each in arrays]
    filters, bias, weight, last = parameters

    def step() -> Sequence[Any]:
        h = conv_nd(images, filters, stride=1) + bias.reshape(1, -1, 1, 1)
        pooled = max_pool(relu(h), (2, 2), 2)
        logits = mygrad.matmul(pooled.reshape(BATCH, -1), weight) + last
        softmax_crossentropy(logits, target).backward()
        for each in parameters:
            each.data -= RATE * each.grad
        return [each.grad for each in parameters]

    return step


def with_dezero(dezero: Any, size: Any) -> Step:
    ops = dezero.functions
    images, target, arrays = data()
    parameters = [dezero.Variable(each) for each in arrays]
    filters, bias, weight, last = parameters

    def step() -> Sequence[Any]:
        for each in parameters:
            each.cleargrad()
        h = ops.relu(dezero.functions_conv.conv2d(images, filters, bias))
        pooled = dezero.functions_conv.pooling(h, 2, 2)
        logits = ops.linear(ops.reshape(pooled, (BATCH, -1)), weight, last)
        ops.softmax_cross_entropy(logits, target).backward()
        for each in parameters:
            each.data -= RATE * each.grad.data
        return [each.grad for each in parameters]

    return step


PROGRAMS: dict[str, Program] = {
    "minigrad": with_torch,
    "plain": accelerator_off(with_torch),
    "torch": with_torch,
    "numpy": by_hand,
    "mygrad": with_mygrad,
    "dezero": with_dezero,
}
