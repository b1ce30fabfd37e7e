"""Operations whose derivative nobody has written down, as `//`: their nodes raise.

PyTorch lets such a node run as soon as it can, before all others: its sequence number is that of an
AccumulateGrad. It can be seen by which leaves have their gradients when the error comes.

Source: Error in torch/csrc/autograd/functions/basic_ops.h
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any

from ..core.node import LAST, Edge, Node
from ..core.operation import Operation, OperationNode
from ..core.targets import Targets
from ..core.tensor import Tensor
from ..ops import functions
from ..support.methods import method_of

plain_find_way = Targets.find_way


class Underivable(OperationNode):
    """A node that runs first; `order` is its place among the others that were recorded."""

    __module__ = "builtins"
    order: int = 0

    def record(self, edges: Iterable[Edge], outputs: Sequence[Tensor]) -> None:
        super().record(edges, outputs)
        self.order, self._seq = self._seq, LAST

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        return [rule(grad) for rule in self.row.rules.values()]


@method_of(Targets)
def find_way(self: Targets, missing: dict[Node, int], roots: set[Node | None]) -> None:
    """`Targets.find_way`, which goes through the nodes in the order in which they were recorded."""
    early = [node for node in missing if isinstance(node, Underivable)]
    for node in early:
        node._seq = node.order
    plain_find_way(self, missing, roots)
    for node in early:
        node._seq = LAST


def record(self: Operation, args: Sequence[Any], out: Tensor) -> None:
    """`Operation.record`; the node has edges for inputs that require grad alone."""
    inputs = dict(zip(self.inputs, args, strict=True))
    wanted = [getattr(inputs[name], "requires_grad", False) for name in self.rules]
    before = out._node
    Operation.record(self, args, out)
    if out._node is not None and out._node is not before:
        edges = itertools.compress(out._node.next_functions, wanted)
        out._node.next_functions = tuple(edges)


for each in (functions.floor_divide, functions.floored_in_place, functions.remainder_of_number):
    row = each.row  # type: ignore[attr-defined]
    about = {"row": row, "__module__": "builtins"}
    row.node_class = type("NotImplemented", (Underivable,), about)
    row.record = functools.partial(record, row)
