"""Edges of Functions and of operations on lists, where they are not treated as those of the table.

A Function's node has edges if it is recorded, and asks its inputs for their histories only then: a
view that cannot follow a change of its base is no hindrance under `no_grad`. And where only some
inputs want a gradient, as with `inputs=`, both kinds of nodes give all that they have computed,
which hooks see.

Source: process_inputs and unpack_input in torch/csrc/autograd/python_function.cpp
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.engine import Grads, Pass
from ..core.function import FunctionNode
from ..core.grad_mode import mode
from ..core.node import Node, sequence_numbers
from ..core.tensor import Tensor
from ..ops.indexing import JoinNode
from ..support.methods import method_of

plain_begin, plain_of_use = FunctionNode._begin, Pass.of_use


@method_of(FunctionNode)
def _begin(self: FunctionNode, args: Sequence[Any]) -> None:
    """Note what `apply` was called with, before forward runs; without edges if not recorded."""
    if mode.recording:
        plain_begin(self, args)
    else:
        self._are_tensors = [isinstance(each, Tensor) for each in args]
        self.needs_input_grad = tuple(isinstance(t, Tensor) and t.requires_grad for t in args)
        self._seq = next(sequence_numbers)
    if not (mode.recording and any(self.needs_input_grad)):
        self.next_functions = ()


@method_of(Pass)
def of_use(self: Pass, node: Node, results: Grads) -> Grads:
    """`results` without the gradients that lead to no target, for the nodes that would not have
    computed those.
    """
    whole = isinstance(node, (FunctionNode, JoinNode))
    return results if whole else plain_of_use(self, node, results)
