"""A training step of a network of linear layers: forward, cross-entropy, backward, SGD."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .libraries import Array, Step, Work

RATE = 0.01


class Shape(NamedTuple):
    """The number of examples, the width of each layer, and the activations between layers."""

    batch: int
    widths: Sequence[int]
    activations: Sequence[str]


def training(shape: Shape) -> Work:
    hand = partial(by_hand, shape)
    return Work(partial(parameters, shape), partial(loss, shape), by_hand=hand, rate=RATE)


def training_modules(shape: Shape) -> Work:
    """The same through nn.Module and optim.SGD, for those that have them."""
    work = training(shape)
    work.peers, work.torch_step = (), partial(modules_step, shape)
    return work


def data(shape: Shape) -> tuple[Array, Array, list[Array]]:
    """Return inputs (batch, features), classes (batch), and parameters: weight (in, out), bias …"""
    # With seed 0 an input of a relu is 0 except for rounding, and libraries disagree on its sign.
    random = np.random.default_rng(1)
    inputs = random.normal(size=(shape.batch, shape.widths[0])).astype(np.float32)
    classes = random.integers(shape.widths[-1], size=shape.batch)
    arrays = []
    for before, after in zip(shape.widths, shape.widths[1:], strict=False):
        weight = random.normal(size=(before, after)) / np.sqrt(before)
        arrays += [weight.astype(np.float32), np.zeros(after, np.float32)]
    return inputs, classes, arrays


def parameters(shape: Shape) -> list[Array]:
    return data(shape)[2]


def loss(shape: Shape, library: Any) -> Callable[..., Any]:
    x, target = map(library.constant, data(shape)[:2])

    def cross_entropy(*parameters: Any) -> Any:
        y = x
        for layer, activation in enumerate(shape.activations):
            y = library.linear(y, parameters[2 * layer], parameters[2 * layer + 1])
            y = library.tanh(y) if activation == "tanh" else library.relu(y)
        return library.cross_entropy(library.linear(y, *parameters[-2:]), target)

    return cross_entropy


def modules_step(shape: Shape, torch: Any) -> Step:
    inputs, classes, arrays = data(shape)
    x, target = torch.tensor(inputs), torch.tensor(classes)
    first, *others = (
        torch.nn.Linear(*sizes) for sizes in zip(shape.widths, shape.widths[1:], strict=False)
    )
    model = torch.nn.Sequential(first)
    for activation, layer in zip(shape.activations, others, strict=True):
        model.append(torch.nn.Tanh() if activation == "tanh" else torch.nn.ReLU())
        model.append(layer)
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), arrays, strict=True):
            parameter.copy_(torch.tensor(array.T))  # nn.Linear keeps its weights as (out, in)
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)

    def step() -> Sequence[Any]:
        optimizer.zero_grad()
        criterion(model(x), target).backward()
        optimizer.step()
        return [each.grad.T if each.ndim == 2 else each.grad for each in model.parameters()]

    return step


def by_hand(shape: Shape) -> Callable[..., list[Array]]:
    x, target, _ = data(shape)

    def gradients(*parameters: Array) -> list[Array]:
        inputs = [x]
        for layer, activation in enumerate(shape.activations):
            h = inputs[-1] @ parameters[2 * layer]
            h += parameters[2 * layer + 1]
            if activation == "tanh":
                np.tanh(h, out=h)
            else:
                np.maximum(h, 0.0, out=h)
            inputs.append(h)
        z = inputs[-1] @ parameters[-2]
        z += parameters[-1]
        grad = cross_entropy_by_hand(z, target)
        grads = []
        for layer in range(len(inputs) - 1, -1, -1):
            h = inputs[layer]
            grads += [grad.sum(0), h.T @ grad]
            if layer:
                grad = grad @ parameters[2 * layer].T
                if shape.activations[layer - 1] == "tanh":
                    np.multiply(h, h, out=h)
                    np.subtract(1.0, h, out=h)
                    grad *= h
                else:
                    grad *= h > 0
        return grads[::-1]

    return gradients


def cross_entropy_by_hand(z: Array, target: Array) -> Array:
    """Return the gradient of the mean cross-entropy with respect to the logits, which it edits."""
    examples = np.arange(len(target))
    z -= z.max(1, keepdims=True)
    grad: Array = np.exp(z)
    total = grad.sum(1, keepdims=True)
    (np.log(total[:, 0]) - z[examples, target]).mean()
    grad /= total
    grad[examples, target] -= 1.0
    grad /= len(target)
    return grad
