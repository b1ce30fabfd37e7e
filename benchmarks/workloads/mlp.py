"""A training step of a network of linear layers: forward, softmax cross-entropy, backward, SGD."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ..harness import Program, Step
from ..libraries import accelerator_off

Array = np.ndarray[Any, Any]
RATE = 0.01


class Shape(NamedTuple):
    """How many examples, and the features and the activation after each layer."""

    batch: int
    widths: Sequence[int]
    activations: Sequence[str]  # one less than layers


def data(shape: Shape) -> tuple[Array, Array, list[Array]]:
    """Inputs (batch, features), classes (batch), and parameters: weight (in, out), bias (out), …"""
    # With seed 0 an input of a relu is 0 but for rounding, and libraries disagree about its side.
    random = np.random.default_rng(1)
    inputs = random.normal(size=(shape.batch, shape.widths[0])).astype(np.float32)
    classes = random.integers(shape.widths[-1], size=shape.batch)
    parameters = []
    for before, after in zip(shape.widths, shape.widths[1:], strict=False):
        weight = random.normal(size=(before, after)) / np.sqrt(before)
        parameters += [weight.astype(np.float32), np.zeros(after, np.float32)]
    return inputs, classes, parameters


# minigrad and PyTorch


def loss_torch(torch: Any, x: Any, target: Any, parameters: list[Any], shape: Shape) -> Any:
    for layer, activation in enumerate(shape.activations):
        x = x @ parameters[2 * layer] + parameters[2 * layer + 1]
        x = torch.tanh(x) if activation == "tanh" else torch.relu(x)
    logits = x @ parameters[-2] + parameters[-1]
    return torch.nn.functional.cross_entropy(logits, target)


def with_torch(torch: Any, shape: Shape) -> Step:
    """The parameters are tensors, the update stands under no_grad."""
    inputs, classes, arrays = data(shape)
    x, target = torch.tensor(inputs), torch.tensor(classes)
    parameters = [torch.tensor(each, requires_grad=True) for each in arrays]

    def step() -> Sequence[Any]:
        for each in parameters:
            each.grad = None
        loss_torch(torch, x, target, parameters, shape).backward()
        with torch.no_grad():
            for each in parameters:
                each -= RATE * each.grad
        return [each.grad for each in parameters]

    return step


def with_modules(torch: Any, shape: Shape) -> Step:
    """The same through nn.Module and optim.SGD. The weights of nn.Linear are (out, in)."""
    inputs, classes, arrays = data(shape)
    x, target = torch.tensor(inputs), torch.tensor(classes)
    layers: list[Any] = []
    for before, after in zip(shape.widths, shape.widths[1:], strict=False):
        layers.append(torch.nn.Linear(before, after))
        for activation in shape.activations[len(layers) // 2 : len(layers) // 2 + 1]:
            layers.append(torch.nn.Tanh() if activation == "tanh" else torch.nn.ReLU())
    model = torch.nn.Sequential(*layers)
    with torch.no_grad():
        for parameter, array in zip(model.parameters(), arrays, strict=True):
            parameter.copy_(torch.tensor(array.T))
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=RATE)

    def step() -> Sequence[Any]:
        optimizer.zero_grad()
        criterion(model(x), target).backward()
        optimizer.step()
        return [each.grad.T if each.ndim == 2 else each.grad for each in model.parameters()]

    return step


# By hand


def by_hand(numpy: Any, shape: Shape) -> Step:
    x, target, parameters = data(shape)
    examples = numpy.arange(shape.batch)

    def step() -> Sequence[Any]:
        inputs = [x]
        for layer, activation in enumerate(shape.activations):
            h = inputs[-1] @ parameters[2 * layer]
            h += parameters[2 * layer + 1]
            if activation == "tanh":
                numpy.tanh(h, out=h)
            else:
                numpy.maximum(h, 0.0, out=h)
            inputs.append(h)
        z = inputs[-1] @ parameters[-2]
        z += parameters[-1]
        z -= z.max(1, keepdims=True)
        grad = numpy.exp(z)
        total = grad.sum(1, keepdims=True)
        (numpy.log(total[:, 0]) - z[examples, target]).mean()
        grad /= total
        grad[examples, target] -= 1.0
        grad /= shape.batch
        grads = []
        for layer in range(len(inputs) - 1, -1, -1):
            h = inputs[layer]
            grads += [grad.sum(0), h.T @ grad]
            if layer:
                grad = grad @ parameters[2 * layer].T
                if shape.activations[layer - 1] == "tanh":
                    numpy.multiply(h, h, out=h)
                    numpy.subtract(1.0, h, out=h)
                    grad *= h
                else:
                    grad *= h > 0
        grads.reverse()
        for parameter, gradient in zip(parameters, grads, strict=True):
            parameter -= RATE * gradient
        return grads

    return step


# NumPy libraries


def loss_autograd(x: Any, target: Array, parameters: list[Any], shape: Shape) -> Any:
    import autograd.numpy as np

    for layer, activation in enumerate(shape.activations):
        x = np.dot(x, parameters[2 * layer]) + parameters[2 * layer + 1]
        x = np.tanh(x) if activation == "tanh" else np.maximum(x, 0.0)
    z = np.dot(x, parameters[-2]) + parameters[-1]
    z = z - np.max(z, axis=1, keepdims=True)
    return np.mean(np.log(np.sum(np.exp(z), axis=1)) - z[np.arange(len(target)), target])


def with_autograd(autograd: Any, shape: Shape) -> Step:
    x, target, parameters = data(shape)
    gradient = autograd.grad(lambda parameters: loss_autograd(x, target, parameters, shape))

    def step() -> Sequence[Any]:
        grads: list[Array] = gradient(parameters)
        for parameter, each in zip(parameters, grads, strict=True):
            parameter -= RATE * each
        return grads

    return step


def with_mygrad(mygrad: Any, shape: Shape) -> Step:
    from mygrad.nnet.activations import relu
    from mygrad.nnet.losses import softmax_crossentropy

    x, target, arrays = data(shape)
    parameters = [mygrad.tensor(each) for each in arrays]

    def step() -> Sequence[Any]:
        y = x
        for layer, activation in enumerate(shape.activations):
            y = mygrad.matmul(y, parameters[2 * layer]) + parameters[2 * layer + 1]
            y = mygrad.tanh(y) if activation == "tanh" else relu(y)
        logits = mygrad.matmul(y, parameters[-2]) + parameters[-1]
        softmax_crossentropy(logits, target).backward()
        for each in parameters:
            each.data -= RATE * each.grad
        return [each.grad for each in parameters]

    return step


def loss_dezero(dezero: Any, x: Any, target: Array, parameters: list[Any], shape: Shape) -> Any:
    ops = dezero.functions
    for layer, activation in enumerate(shape.activations):
        x = ops.linear(x, parameters[2 * layer], parameters[2 * layer + 1])
        x = ops.tanh(x) if activation == "tanh" else ops.relu(x)
    return ops.softmax_cross_entropy(ops.linear(x, parameters[-2], parameters[-1]), target)


def with_dezero(dezero: Any, shape: Shape) -> Step:
    x, target, arrays = data(shape)
    parameters = [dezero.Variable(each) for each in arrays]

    def step() -> Sequence[Any]:
        for each in parameters:
            each.cleargrad()
        loss_dezero(dezero, x, target, parameters, shape).backward()
        for each in parameters:
            each.data -= RATE * each.grad.data
        return [each.grad for each in parameters]

    return step


PROGRAMS: dict[str, Program] = {
    "minigrad": with_torch,
    "plain": accelerator_off(with_torch),
    "torch": with_torch,
    "numpy": by_hand,
    "autograd": with_autograd,
    "mygrad": with_mygrad,
    "dezero": with_dezero,
}
MODULES: dict[str, Program] = {
    **PROGRAMS,
    "minigrad": with_modules,
    "plain": accelerator_off(with_modules),
    "torch": with_modules,
}
