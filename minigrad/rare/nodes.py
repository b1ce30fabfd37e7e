"""What users do with a node besides: they call it, and keep notes in its `metadata`.

`y.grad_fn(grad)` gives what its backward gives, outside of any backward pass. Hooks are not called,
nothing is freed, and the gradients have the shapes that the rules give them. While recording is on,
they are recorded.

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
    """The gradient for the input, or a tuple of them unless there is one input.

    Args:
        grads: a gradient for each output of the node, or None.

    Raises:
        TypeError: too many or too few, no tensors, or the node of a user's `Function`.
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
    """A dictionary for the user's own notes about this node."""
    return self._own("_metadata")  # type: ignore[return-value]
