"""Functions of one or two arrays: chains, fan-out, elementwise work, second derivatives, layers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .libraries import PEERS, Array, Step, Work, gradient_of, numpy_step


def chain_of_tensors(count: int) -> Work:
    """Both operands of each operation need a gradient."""

    def chain(w: Any, b: Any) -> Any:
        y = w
        for _ in range(count // 2):
            y = y * w + b
        return y

    return gradient_of(lambda torch: chain, partial(scalars, 0.999, 0.001), peers=PEERS)


def chain_of_numbers(count: int, peers: Sequence[str] = PEERS) -> Work:
    """The other operand of each operation is a Python number, so there is a single path."""

    def chain(x: Any) -> Any:
        y = x
        for _ in range(count // 2):
            y = y * 0.9999 + 0.0001
        return y

    return gradient_of(lambda torch: chain, partial(scalars, 0.999), peers=peers)


def fan_out(count: int, peers: Sequence[str] = PEERS) -> Work:
    """One tensor that is not a leaf is used `count` times."""

    def fan(x: Any) -> Any:
        y = x * 0.5
        total = y * 0.5
        for _ in range(count - 1):
            total = total + y
        return total

    return gradient_of(lambda torch: fan, partial(scalars, 0.999), peers=peers)


def elementwise(count: int, elements: int) -> Work:
    """`count` products, sums and tanhs, with tensors and with numbers, and a final sum."""

    def loss(torch: Any) -> Callable[..., Any]:
        def rounds(x: Any) -> Any:
            y = x
            for _ in range(count // 4):
                y = torch.tanh(y * x + 0.5) * 0.9
            return torch.sum(y)

        return rounds

    def gradients(x: Array) -> list[Array]:
        inputs, outputs = [], []
        y = x
        for _ in range(count // 4):
            inputs.append(y)
            t = y * x
            t += 0.5
            np.tanh(t, out=t)
            outputs.append(t)
            y = t * 0.9
        y.sum()
        grad = y
        grad.fill(1.0)
        x_grad = np.zeros_like(x)
        while inputs:
            t, before = outputs.pop(), inputs.pop()
            grad *= 0.9
            t *= t
            np.subtract(1.0, t, out=t)
            grad *= t
            np.multiply(grad, before, out=t)
            x_grad += t
            grad *= x
        x_grad += grad
        return [x_grad]

    return gradient_of(loss, lambda: [points(elements)], lambda: gradients, ["mygrad"])


def second_derivative(elements: int) -> Work:
    """The gradient of the sum of the gradient of sum(tanh(x)³)."""

    def second(torch: Any) -> Step:
        x = torch.tensor(points(elements), requires_grad=True)

        def step() -> Sequence[Any]:
            y = torch.sum(torch.tanh(x) ** 3)
            (gradient,) = torch.autograd.grad(y, x, create_graph=True)
            return torch.autograd.grad(torch.sum(gradient), x)  # type: ignore[no-any-return]

        return step

    def gradients(x: Array) -> list[Array]:
        t = np.tanh(x)
        square = t * t
        (square * t).sum()
        slope = 1.0 - square  # of tanh
        square *= 3.0  # the slope of the cube
        (square * slope).sum()
        grad = t * 6.0
        grad *= slope
        t *= square
        t *= 2.0
        grad -= t
        grad *= slope
        return [grad]

    by_hand = partial(numpy_step, lambda: gradients, lambda: [points(elements)], 0.0)
    return {"torch": second, "numpy": by_hand}


def of_a_matrix(function: Callable[[Any, Any], Any]) -> Work:
    """A function of PyTorch's module and a 1000×1000 tensor, summed."""

    def loss(torch: Any) -> Callable[..., Any]:
        return lambda x: function(torch, x).sum()

    return gradient_of(loss, lambda: [points(1000, 1000)])


def convolution(channels: int) -> Work:
    """3×3 filters on 16 images of 32×32, with as many channels out as in."""

    def loss(torch: Any) -> Callable[..., Any]:
        conv2d = torch.nn.functional.conv2d
        return lambda images, filters: conv2d(images, filters, padding=1).sum()

    def arrays() -> list[Array]:
        filters = points(channels, channels, 3, 3) / np.float32(channels)
        return [points(16, channels, 32, 32), filters]

    return gradient_of(loss, arrays)


def scalars(*values: float) -> list[Array]:
    return [np.array(value, np.float32) for value in values]


def points(*shape: int) -> Array:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)
