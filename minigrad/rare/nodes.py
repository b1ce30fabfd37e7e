"""Calling a node, and storing notes in its `metadata`.

`y.grad_fn(grad)` runs the node's backward outside of any backward pass. That calls no hooks and
frees nothing, and the gradients have whatever shapes the rules return. While recording is on, the
computation is recorded.

Source: THPCppFunction_call in torch/csrc/autograd/python_cpp_function.cpp
"""

from __future__ import annotations

from typing import Any

from ..core.function import FunctionNode
from ..core.node import Node
from ..core.tensor import Tensor
from ..support.methods import method_of, property_of


@method_of(Node, "__call__")
def call(self: Node, *grads: Tensor | None, **kwargs: Any) -> Any:
    """The gradient with respect to the input of the node, or a tuple if it has several inputs.

    Args:
        grads: the gradient of each output of the node, or None.

    Raises:
        TypeError: the number of gradients is wrong, one is not a tensor, or the node belongs to a
            user's `Function`.
    """
    if isinstance(self, FunctionNode):
        raise TypeError(f"'{type(self).__name__}' object is not callable")
    if kwargs:
        raise TypeError("keyword arguments are not supported")
    if len(grads) != len(self._meta):
        raise TypeError(f"expected {len(self._meta)} arguments, got {len(grads)} instead")
    for position, grad in enumerate(grads):
        if grad is not None and not isinstance(grad, Tensor):
            raise TypeError(f"argument {position} is not a Variable")
    results = tuple(self.backward(*grads))
    return results[0] if len(results) == 1 else results


@property_of(Node)
def metadata(self: Node) -> dict[str, Any]:
    """A dictionary in which users can store notes about this node."""
    return self._own("_metadata")  # type: ignore[return-value]
