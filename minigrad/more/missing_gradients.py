"""Nodes that no gradient leaves: they notice all the same that what they saved was changed.

None reaches them behind a Function that gives None, and none leads on from a stray view.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..core.operation import OperationNode
from ..core.tensor import Tensor
from ..support.checks import check_kept
from ..support.methods import method_of

plain_backward = OperationNode.backward


@method_of(OperationNode)
def backward(self: OperationNode, grad: Tensor | None) -> Sequence[Tensor | None]:
    """The gradient of each input that wants one, by its rule; without any, a look at the rest."""
    if grad is None or not any(node for node, _ in self.next_functions):
        check_kept(self)
    results: Sequence[Tensor | None] = plain_backward(self, grad)
    return results
