"""Undoing a broadcast: the gradient of a stretched input is the sum over the copies."""

from __future__ import annotations

from collections.abc import Sequence

from ..support.errors import invalid_gradient
from ..support.shapes import expandable
from .node import Node
from .tensor import Tensor


def validate_outputs(node: Node, results: Sequence[Tensor | None]) -> list[Tensor | None]:
    """The gradients that `node` returned, in the shapes and dtypes of its inputs."""
    given = list(results)
    for index, (following, number) in enumerate(node.next_functions):
        grad = given[index]
        if grad is None or following is None:
            continue
        shape, dtype = following._meta[number]
        if grad._data.shape != shape:
            if not expandable(shape, grad.shape):
                raise invalid_gradient(node, index, grad.shape, shape)
            grad = sum_to(grad, shape)
        given[index] = grad if grad.dtype is dtype else grad.to(dtype)
    return given


def sum_to(grad: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Sum `grad` over the dimensions along which a tensor of this shape was broadcast."""
    if not shape:
        return grad.sum()
    lead = grad.ndim - len(shape)
    stretched = [n for n in range(grad.ndim) if n < lead or grad.shape[n] != shape[n - lead]]
    if stretched:
        grad = grad.sum(stretched, keepdim=True)
    return grad.view(shape) if lead else grad
