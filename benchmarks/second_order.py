"""Second derivatives: of sum(tanh(x)³), and a Hessian-vector product of a small network."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from . import mlp
from .functions import points
from .libraries import Array, Work

PEERS = ("autograd", "dezero")


def cube(elements: int) -> Work:
    def loss(library: Any) -> Callable[..., Any]:
        return lambda x: library.sum(library.tanh(x) ** 3)

    def total(library: Any) -> Callable[..., Any]:
        return lambda grads: library.sum(grads[0])

    return Work(lambda: [points(elements)], loss, PEERS, second=total)


def hessian_vector(shape: mlp.Shape) -> Work:
    """The gradient of the inner product of a network's gradient and a fixed vector."""
    arrays, loss = partial(mlp.parameters, shape), partial(mlp.loss, shape)

    def product(library: Any) -> Callable[..., Any]:
        vector = [library.constant(each) for each in directions(arrays())]
        return lambda grads: sum(
            library.sum(gradient * each) for gradient, each in zip(grads, vector, strict=True)
        )

    return Work(arrays, loss, PEERS, second=product)


def directions(arrays: list[Array]) -> list[Array]:
    random = np.random.default_rng(1)
    return [np.asarray(random.normal(size=each.shape), np.float32) for each in arrays]
