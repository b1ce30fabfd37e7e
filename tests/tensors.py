"""A leaf, and the node behind a result."""

from __future__ import annotations

from typing import Any

from minigrad import Tensor, tensor
from minigrad.core.node import Node


def leaf(value: Any = 2.0) -> Tensor:
    return tensor(value, requires_grad=True)


def node_of(result: Tensor) -> Any:
    assert isinstance(result.grad_fn, Node)
    return result.grad_fn
