"""Tensors and a Function that many tests use."""

from __future__ import annotations

from typing import Any

from minigrad import Tensor, tensor
from minigrad.autograd import Function
from minigrad.core.node import Node


def leaf(value: Any = 2.0) -> Tensor:
    return tensor(value, requires_grad=True)


def node_of(result: Tensor) -> Any:
    assert isinstance(result.grad_fn, Node)
    return result.grad_fn


class Stop(Function):
    """Returns a copy of its input in forward, and no gradient in backward."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        return x * 1

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> None:
        return None
