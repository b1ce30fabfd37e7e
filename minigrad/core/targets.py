"""Gradients with respect to some inputs only, returned to the caller: `grad(outputs, inputs)`."""

from __future__ import annotations

from typing import Any

from ..support.backward_args import as_roots
from ..support.options import GradOptions
from .checks import found_gradients, input_edges
from .engine import BackwardPass, Grads
from .hooks import call_tensor_hooks
from .node import Edge, Node
from .tensor import Tensor


class GradPass(GradOptions, BackwardPass):
    """A pass that computes the gradients of its `inputs` and fills no leaf's `.grad`.

    `edges` has the edge of each input, and `found` the gradient that was sent along each edge.
    """

    targets: set[Node | None]
    accumulates = False  #@14

    def find_targets(self) -> set[Node | None]:
        """The nodes that receive the gradients of `inputs`."""
        self.edges = input_edges(self)
        self.found: dict[Edge, Tensor | None] = {}
        return {node for node, _ in self.edges}

    def run_node(self, node: Node, grads: list[Tensor | None]) -> Grads:
        """As in every pass, except that a target's gradients are noted and it may not run."""
        runs = any(following in self.dependencies for following, _ in node.next_functions)
        if not runs:  # a node that runs does this later  #@15
            grads = call_tensor_hooks(node, grads)  #@15
            node._retain(grads)
        if node in self.targets:
            self.found.update({(node, number): grad for number, grad in enumerate(grads)})
        if not runs:
            return [None] * len(node.next_functions)
        return BackwardPass.run_node(self, node, grads)


def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, *args: Any, **options: Any
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs` with respect to `inputs`, as a tuple; leaves get no `.grad`.

    `grad_outputs` are the cotangents, of the shapes of `outputs`; None will do for one element. An
    input that no output depends on is an error, None with `allow_unused=True`, or zeros with
    `materialize_grads=True`. The other options are as in PyTorch.

    Raises RuntimeError: no graph, a freed graph, wrong cotangents, or an unused input.
    """
    current = GradPass(*args, **options)
    current.inputs = inputs
    current.run(as_roots(outputs), grad_outputs)
    return found_gradients(current)
