"""The libraries that are compared, and how each of them computes a workload.

A workload is its data and its loss; what differs between the libraries is here. A step runs forward
and backward, updates the parameters if there is a learning rate, and returns the gradients.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Step = Callable[[], Sequence[Any]]


@dataclass
class Work:
    """The gradient of a loss with respect to some arrays.

    Attributes:
        arrays: makes the arrays; each library calls it, because an update changes them in place.
        loss: takes a `Library` and returns a function from leaves to the loss.
        peers: the NumPy libraries that can compute it.
        by_hand: returns a function from the arrays to the gradients, written with NumPy.
        second: takes a `Library` and returns a function from the gradients to a number, whose
            gradient is computed instead.
        rate: the learning rate of a step of SGD.
        torch_step: what minigrad and PyTorch run instead of the loss.
    """

    arrays: Callable[[], list[Array]]
    loss: Callable[[Any], Callable[..., Any]]
    peers: Sequence[str] = ("autograd", "mygrad", "dezero")
    by_hand: Callable[[], Callable[..., list[Array]]] | None = None
    second: Callable[[Any], Callable[..., Any]] | None = None
    rate: float = 0.0
    torch_step: Callable[[Any], Step] | None = None


class Library:
    """What all libraries are called with; most of it is as in MyGrad."""

    def __init__(self, module: Any) -> None:
        self.module = module
        self.tanh, self.sum = module.tanh, module.sum

    def leaf(self, array: Array) -> Any:
        return self.module.tensor(array)

    def constant(self, array: Array) -> Any:
        return array

    def clear(self, leaf: Any) -> None:
        """Forget the gradient of the step before; MyGrad does so itself."""

    def update(self, leaves: list[Any], rate: float) -> None:
        for leaf in leaves:
            leaf.data -= rate * leaf.grad

    def step(self, work: Work) -> Step:
        leaves = [self.leaf(array) for array in work.arrays()]
        loss = work.loss(self)
        second = work.second and work.second(self)

        def step() -> Sequence[Any]:
            for leaf in leaves:
                self.clear(leaf)
            if second:
                return self.second_derivative(loss, second, leaves)
            loss(*leaves).backward()
            if work.rate:
                self.update(leaves, work.rate)
            return [leaf.grad for leaf in leaves]

        return step

    def second_derivative(self, loss: Any, second: Any, leaves: list[Any]) -> Sequence[Any]:
        raise NotImplementedError


class Torch(Library):
    """PyTorch or minigrad."""

    def __init__(self, module: Any) -> None:
        super().__init__(module)
        functional = module.nn.functional
        self.relu, self.cross_entropy = module.relu, functional.cross_entropy
        self.conv2d, self.max_pool2d = functional.conv2d, functional.max_pool2d

    def leaf(self, array: Array) -> Any:
        return self.module.tensor(array, requires_grad=True)

    def constant(self, array: Array) -> Any:
        return self.module.tensor(array)

    def linear(self, x: Any, weight: Any, bias: Any) -> Any:
        return x @ weight + bias

    def clear(self, leaf: Any) -> None:
        leaf.grad = None

    def update(self, leaves: list[Any], rate: float) -> None:
        with self.module.no_grad():
            for leaf in leaves:
                leaf -= rate * leaf.grad

    def step(self, work: Work) -> Step:
        return work.torch_step(self.module) if work.torch_step else super().step(work)

    def second_derivative(self, loss: Any, second: Any, leaves: list[Any]) -> Sequence[Any]:
        grads = self.module.autograd.grad(loss(*leaves), leaves, create_graph=True)
        return self.module.autograd.grad(second(grads), leaves)  # type: ignore[no-any-return]


class Plain(Torch):
    """minigrad without its accelerator, which is the code that the notebooks build."""

    def step(self, work: Work) -> Step:
        step = super().step(work)

        def plain_step() -> Sequence[Any]:
            with self.module.fast.off():
                return step()

        return plain_step


class ByHand(Library):
    """NumPy: forward and backward as somebody writes them who knows the derivatives."""

    def step(self, work: Work) -> Step:
        assert work.by_hand
        arrays, gradients = work.arrays(), work.by_hand()

        def step() -> Sequence[Any]:
            grads = gradients(*arrays)
            if work.rate:
                for array, gradient in zip(arrays, grads, strict=True):
                    array -= work.rate * gradient
            return grads

        return step


class Autograd(Library):
    """Autograd, which differentiates functions of arrays."""

    def __init__(self, module: Any) -> None:
        self.grad, self.numpy = module.grad, importlib.import_module("autograd.numpy")
        super().__init__(self.numpy)

    def linear(self, x: Any, weight: Any, bias: Any) -> Any:
        return self.numpy.dot(x, weight) + bias

    def relu(self, x: Any) -> Any:
        return self.numpy.maximum(x, 0.0)

    def cross_entropy(self, z: Any, target: Array) -> Any:
        z = z - self.numpy.max(z, axis=1, keepdims=True)
        total = self.numpy.sum(self.numpy.exp(z), axis=1)
        return self.numpy.mean(self.numpy.log(total) - z[np.arange(len(target)), target])

    def gradients(self, function: Any, count: int) -> Callable[..., Sequence[Any]]:
        if count > 1:
            return self.grad(function, tuple(range(count)))  # type: ignore[no-any-return]
        gradient = self.grad(function)  # one gradient alone is faster than a tuple of one
        return lambda leaf: [gradient(leaf)]

    def step(self, work: Work) -> Step:
        arrays = [array[()] for array in work.arrays()]  # it wants scalars, not 0-d arrays
        gradients = self.gradients(work.loss(self), len(arrays))
        if work.second:
            first, second = gradients, work.second(self)
            gradients = self.gradients(lambda *leaves: second(first(*leaves)), len(arrays))

        def step() -> Sequence[Any]:
            grads = gradients(*arrays)
            if work.rate:
                for array, each in zip(arrays, grads, strict=True):
                    array -= work.rate * each
            return grads

        return step


class MyGrad(Library):
    """MyGrad, with its layers and losses."""

    def __init__(self, module: Any) -> None:
        from mygrad.nnet import activations, layers, losses

        super().__init__(module)
        self.relu, self.cross_entropy = activations.relu, losses.softmax_crossentropy
        self.layers = layers

    def linear(self, x: Any, weight: Any, bias: Any) -> Any:
        return self.module.matmul(x, weight) + bias

    def conv2d(self, x: Any, filters: Any, bias: Any) -> Any:
        return self.layers.conv_nd(x, filters, stride=1) + bias.reshape(1, -1, 1, 1)

    def max_pool2d(self, x: Any, size: int) -> Any:
        return self.layers.max_pool(x, (size, size), size)


class DeZero(Library):
    """DeZero, whose gradients are variables, too."""

    def __init__(self, module: Any) -> None:
        functions = module.functions
        super().__init__(functions)
        self.variable, self.convolutions = module.Variable, module.functions_conv
        self.relu, self.linear = functions.relu, functions.linear
        self.cross_entropy = functions.softmax_cross_entropy
        self.conv2d = module.functions_conv.conv2d

    def leaf(self, array: Array) -> Any:
        return self.variable(array)

    def max_pool2d(self, x: Any, size: int) -> Any:
        return self.convolutions.pooling(x, size, size)

    def clear(self, leaf: Any) -> None:
        leaf.cleargrad()

    def update(self, leaves: list[Any], rate: float) -> None:
        for leaf in leaves:
            leaf.data -= rate * leaf.grad.data

    def second_derivative(self, loss: Any, second: Any, leaves: list[Any]) -> Sequence[Any]:
        loss(*leaves).backward(create_graph=True)
        grads = [leaf.grad for leaf in leaves]
        for leaf in leaves:
            leaf.cleargrad()
        second(grads).backward()
        return [leaf.grad for leaf in leaves]


class Micrograd(Library):
    """It knows single Python numbers only, and its backward is recursive."""

    def __init__(self, module: Any) -> None:
        self.value = importlib.import_module("micrograd.engine").Value
        sys.setrecursionlimit(20_000)

    def leaf(self, array: Array) -> Any:
        return self.value(float(array))

    def clear(self, leaf: Any) -> None:
        leaf.grad = 0


PEERS = {"autograd": Autograd, "mygrad": MyGrad, "dezero": DeZero, "micrograd": Micrograd}
LIBRARIES = {"minigrad": Torch, "plain": Plain, "torch": Torch, "numpy": ByHand, **PEERS}
PACKAGES = {"plain": "minigrad"}


def load(name: str) -> Any:
    """Import the library `name`; None if it is not installed."""
    if name == "dezero":
        vars(np).setdefault("int", int)  # DeZero 0.0.13 uses this alias, which NumPy has dropped
    try:
        return importlib.import_module(PACKAGES.get(name, name))
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise


def version(name: str) -> str | None:
    """Return the installed version of `name`, None if it is not installed."""
    try:
        return importlib.metadata.version(PACKAGES.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        return None


def step_of(work: Work, name: str) -> Step | None:
    """Return a step of the library `name`, None if it is not installed or cannot compute it."""
    able = ["minigrad", "plain", "torch", *(["numpy"] if work.by_hand else []), *work.peers]
    module = load(name) if name in able else None
    return LIBRARIES[name](module).step(work) if module else None


def as_array(gradient: Any) -> Array:
    """Return a gradient of any of the libraries as an array."""
    if hasattr(gradient, "detach"):
        gradient = gradient.detach().numpy()
    elif not isinstance(gradient, np.ndarray | np.generic) and hasattr(gradient, "data"):
        gradient = gradient.data
    return np.asarray(gradient)
