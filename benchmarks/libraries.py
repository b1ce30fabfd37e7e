"""The libraries that are compared, and how each of them takes a step of a workload.

A step runs forward and backward, updates the parameters if there is a learning rate, and returns
the gradients.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
Step = Callable[[], Sequence[Any]]
Work = dict[str, Callable[[Any], Step]]
"""For each library that can compute the workload, a function from its module to a step. The one
for "torch" also serves minigrad, and minigrad without its accelerator ("plain")."""

PEERS = ("mygrad", "micrograd")
LIBRARIES = ("minigrad", "plain", "torch", "numpy", *PEERS)


def gradient_of(
    loss: Callable[[Any], Callable[..., Any]],
    arrays: Callable[[], list[Array]],
    by_hand: Callable[[], Callable[..., list[Array]]] | None = None,
    peers: Sequence[str] = (),
    rate: float = 0.0,
) -> Work:
    """Compute the gradient of a loss with respect to some arrays.

    Args:
        loss: takes a module with PyTorch's names, and returns a function from leaves to the loss.
        arrays: makes the arrays; each library calls it, because an update changes them in place.
        by_hand: returns a function from the arrays to the gradients, written with NumPy.
        peers: the other libraries that can compute it.
        rate: the learning rate of a step of SGD.
    """
    work: Work = {"torch": partial(torch_step, loss, arrays, rate)}
    if by_hand:
        work["numpy"] = partial(numpy_step, by_hand, arrays, rate)
    steps = {"mygrad": mygrad_step, "micrograd": micrograd_step}
    return work | {name: partial(steps[name], loss, arrays, rate) for name in peers}


def torch_step(loss: Any, arrays: Any, rate: float, torch: Any) -> Step:
    leaves = [torch.tensor(array, requires_grad=True) for array in arrays()]
    loss = loss(torch)

    def step() -> Sequence[Any]:
        for leaf in leaves:
            leaf.grad = None
        loss(*leaves).backward()
        if rate:
            with torch.no_grad():
                for leaf in leaves:
                    leaf -= rate * leaf.grad
        return [leaf.grad for leaf in leaves]

    return step


def numpy_step(by_hand: Any, arrays: Any, rate: float, numpy: Any) -> Step:
    leaves, gradients = arrays(), by_hand()

    def step() -> Sequence[Any]:
        grads = gradients(*leaves)
        if rate:
            for array, gradient in zip(leaves, grads, strict=True):
                array -= rate * gradient
        return grads  # type: ignore[no-any-return]

    return step


def mygrad_step(loss: Any, arrays: Any, rate: float, mygrad: Any) -> Step:
    from mygrad.nnet import activations, losses

    functional = SimpleNamespace(cross_entropy=losses.softmax_crossentropy)
    names = SimpleNamespace(
        tensor=np.asarray,  # a constant
        sum=mygrad.sum,
        tanh=mygrad.tanh,
        relu=activations.relu,
        nn=SimpleNamespace(functional=functional),
    )
    leaves, loss = [mygrad.tensor(array) for array in arrays()], loss(names)

    def step() -> Sequence[Any]:
        loss(*leaves).backward()  # which also forgets the gradients of the step before
        if rate:
            for leaf in leaves:
                leaf.data -= rate * leaf.grad
        return [leaf.grad for leaf in leaves]

    return step


def micrograd_step(loss: Any, arrays: Any, rate: float, micrograd: Any) -> Step:
    value = importlib.import_module("micrograd.engine").Value
    leaves, loss = [value(float(array)) for array in arrays()], loss(micrograd)
    sys.setrecursionlimit(20_000)  # its backward is recursive

    def step() -> Sequence[Any]:
        for leaf in leaves:
            leaf.grad = 0
        loss(*leaves).backward()
        return [leaf.grad for leaf in leaves]

    return step


def load(name: str) -> Any:
    """Import the library `name`; None if it is not installed."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise


def step_of(work: Work, name: str) -> Step | None:
    """Return a step of the library `name`, None if it is not installed or cannot compute it."""
    module = load("minigrad" if name == "plain" else name)
    program = work.get("torch" if name in ("minigrad", "plain") else name)
    if not module or not program:
        return None
    step = program(module)
    if name != "plain":
        return step

    def plain_step() -> Sequence[Any]:
        with module.fast.off():
            return step()

    return plain_step


def as_array(gradient: Any) -> Array:
    """Return a gradient of any of the libraries as an array."""
    return np.asarray(gradient.detach().numpy() if hasattr(gradient, "detach") else gradient)
