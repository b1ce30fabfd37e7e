"""Leaves and the others: what keeps its gradient.

Only leaves get a `.grad` by themselves. `retain_grad` is a hook that keeps: the node that made a
tensor knows it, weakly, and gives it the gradient on the way past.
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
    """Give the tensors that this node made their gradients, if they want to keep them."""
    for number, reference in self._retaining.items():
        tensor, grad = reference(), grads[number]
        if tensor is not None and grad is not None:
            held = tensor._grad  #@07
            grad = grad.clone() if held is None else held + grad  #@07
            tensor._grad = grad
