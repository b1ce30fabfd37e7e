"""Leaves and non-leaves: which tensors keep their gradients.

Only leaves get a `.grad` on their own. For a non-leaf, `retain_grad` asks the node that computed it
to store its gradient: the node holds the tensor weakly and sets its `.grad` before it runs.
"""

from __future__ import annotations

import weakref
from collections.abc import Sequence

from ..support.methods import method_of
from .node import Node
from .tensor import Tensor


@method_of(Tensor)
def retain_grad(self: Tensor) -> None:
    """Keep this non-leaf's gradient in `.grad`. RuntimeError without requires_grad."""
    if not self.requires_grad:
        raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
    if self.grad_fn is not None:
        self.grad_fn._own("_retaining")[self._output_nr] = weakref.ref(self)


@method_of(Node)
def _retain(self: Node, grads: Sequence[Tensor | None]) -> None:
    """Store the gradients of those outputs of this node that retain them."""
    for number, reference in self._retaining.items():
        tensor, grad = reference(), grads[number]
        if tensor is not None and grad is not None:
            held = tensor._grad  #@07
            grad = grad.clone() if held is None else held + grad  #@07
            tensor._grad = grad
