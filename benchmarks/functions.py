"""Functions of one or two arrays: chains, fan-out, elementwise work, broadcasting."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from .libraries import PEERS, Array, Work


def chain_of_tensors(count: int) -> Work:
    """Both operands of each operation need a gradient."""

    def chain(w: Any, b: Any) -> Any:
        y = w
        for _ in range(count // 2):
            y = y * w + b
        return y

    return Work(partial(scalars, 0.999, 0.001), lambda library: chain, tuple(PEERS))


def chain_of_numbers(count: int, peers: tuple[str, ...] = tuple(PEERS)) -> Work:
    """The other operand of each operation is a Python number, so there is a single path."""

    def chain(x: Any) -> Any:
        y = x
        for _ in range(count // 2):
            y = y * 0.9999 + 0.0001
        return y

    return Work(partial(scalars, 0.999), lambda library: chain, peers)


def fan_out(count: int) -> Work:
    """One tensor that is not a leaf is used `count` times."""

    def fan(x: Any) -> Any:
        y = x * 0.5
        total = y * 0.5
        for _ in range(count - 1):
            total = total + y
        return total

    return Work(partial(scalars, 0.999), lambda library: fan)


def elementwise(count: int, elements: int) -> Work:
    """`count` products, sums and tanhs, with tensors and with numbers, and a final sum."""

    def loss(library: Any) -> Callable[..., Any]:
        def rounds(x: Any) -> Any:
            y = x
            for _ in range(count // 4):
                y = library.tanh(y * x + 0.5) * 0.9
            return library.sum(y)

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

    return Work(lambda: [points(elements)], loss, by_hand=lambda: gradients)


def outer(elements: int) -> Work:
    """A column times a row, summed."""

    def leaves() -> list[Array]:
        column, row = points(2, elements)
        return [column[:, None], row[None]]

    def loss(library: Any) -> Callable[..., Any]:
        return lambda column, row: library.sum(column * row)

    def gradients(column: Array, row: Array) -> list[Array]:
        product = column * row
        product.sum()
        grad = np.broadcast_to(np.float32(1.0), product.shape)
        return [(grad * row).sum(1, keepdims=True), (grad * column).sum(0, keepdims=True)]

    return Work(leaves, loss, by_hand=lambda: gradients)


def scalars(*values: float) -> list[Array]:
    return [np.array(value, np.float32) for value in values]


def points(*shape: int) -> Array:
    return np.random.default_rng(0).normal(size=shape).astype(np.float32)
