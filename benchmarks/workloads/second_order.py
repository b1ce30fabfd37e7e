"""Second derivatives: of sum(tanh(x)³), and a Hessian-vector product of a small network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..harness import Program, Step
from ..libraries import accelerator_off
from .mlp import Shape, data, loss_autograd, loss_dezero, loss_torch

Array = np.ndarray[Any, Any]


def points(elements: int) -> Array:
    return np.random.default_rng(0).normal(size=elements).astype(np.float32)


def cube_torch(torch: Any, elements: int) -> Step:
    x = torch.tensor(points(elements), requires_grad=True)

    def step() -> Sequence[Any]:
        y = (torch.tanh(x) ** 3).sum()
        (first,) = torch.autograd.grad(y, x, create_graph=True)
        return torch.autograd.grad(first.sum(), x)  # type: ignore[no-any-return]

    return step


def cube_autograd(autograd: Any, elements: int) -> Step:
    import autograd.numpy as np

    first = autograd.grad(lambda x: np.sum(np.tanh(x) ** 3))
    second = autograd.grad(lambda x: np.sum(first(x)))
    x = points(elements)
    return lambda: (second(x),)


def cube_dezero(dezero: Any, elements: int) -> Step:
    ops = dezero.functions
    x = dezero.Variable(points(elements))

    def step() -> Sequence[Any]:
        x.cleargrad()
        ops.sum(ops.tanh(x) ** 3).backward(create_graph=True)
        first = x.grad
        x.cleargrad()
        ops.sum(first).backward()
        return (x.grad,)

    return step


def directions(parameters: list[Array]) -> list[Array]:
    random = np.random.default_rng(1)
    return [random.normal(size=each.shape).astype(np.float32) for each in parameters]


def product_torch(torch: Any, shape: Shape) -> Step:
    inputs, classes, arrays = data(shape)
    x, target = torch.tensor(inputs), torch.tensor(classes)
    parameters = [torch.tensor(each, requires_grad=True) for each in arrays]
    along = [torch.tensor(each) for each in directions(arrays)]

    def step() -> Sequence[Any]:
        loss = loss_torch(torch, x, target, parameters, shape)
        grads = torch.autograd.grad(loss, parameters, create_graph=True)
        dot = sum((g * v).sum() for g, v in zip(grads, along, strict=True))
        return torch.autograd.grad(dot, parameters)  # type: ignore[no-any-return]

    return step


def product_autograd(autograd: Any, shape: Shape) -> Step:
    import autograd.numpy as np

    x, target, arrays = data(shape)
    along = directions(arrays)
    first = autograd.grad(lambda parameters: loss_autograd(x, target, parameters, shape))

    def dot(parameters: list[Any]) -> Any:
        return sum(np.sum(g * v) for g, v in zip(first(parameters), along, strict=True))

    second = autograd.grad(dot)
    return lambda: second(arrays)  # type: ignore[no-any-return]


def product_dezero(dezero: Any, shape: Shape) -> Step:
    ops = dezero.functions
    x, target, arrays = data(shape)
    parameters = [dezero.Variable(each) for each in arrays]
    along = [dezero.Variable(each) for each in directions(arrays)]

    def step() -> Sequence[Any]:
        for each in parameters:
            each.cleargrad()
        loss_dezero(dezero, x, target, parameters, shape).backward(create_graph=True)
        grads = [each.grad for each in parameters]
        for each in parameters:
            each.cleargrad()
        dot: Any = sum(ops.sum(g * v) for g, v in zip(grads, along, strict=True))
        dot.backward()
        return [each.grad for each in parameters]

    return step


CUBE: dict[str, Program] = {
    "minigrad": cube_torch,
    "plain": accelerator_off(cube_torch),
    "torch": cube_torch,
    "autograd": cube_autograd,
    "dezero": cube_dezero,
}
HESSIAN_VECTOR: dict[str, Program] = {
    "minigrad": product_torch,
    "plain": accelerator_off(product_torch),
    "torch": product_torch,
    "autograd": product_autograd,
    "dezero": product_dezero,
}
