"""Gradients of some inputs only, brought to the caller: `grad(outputs, inputs)`."""

from __future__ import annotations

from typing import Any

from ..support.backward_args import as_inputs, as_roots, check_grad_options, check_inputs
from ..support.options import GradOptions, takes_options
from .checks.roots import found_gradients
from .engine import BackwardPass, Grads
from .hooks import call_tensor_hooks
from .node import Edge, Node, gradient_edge
from .tensor import Tensor


class PassTo(GradOptions, BackwardPass):
    """A pass that finds the gradients of its `inputs`, and touches no `.grad`.

    `edges` are where these gradients arrive, and `found` is what has arrived there.
    """

    accumulates = False  # 14

    def find_targets(self) -> set[Node | None]:
        """The nodes at the ends of the edges. RuntimeError for inputs that have no gradient."""
        check_grad_options(self)
        self.places = as_inputs("grad", self.inputs)
        self.edges = [gradient_edge(place) for place in self.places]
        self.found: dict[Edge, Tensor | None] = {}
        check_inputs(self.places)
        return {node for node, _ in self.edges}

    def run_node(self, node: Node, grads: list[Tensor | None]) -> Grads:
        """As in every pass; but a target notes what arrives, and may have no need to run."""
        runs = any(following in self.dependencies for following, _ in node.next_functions)
        if not runs:  # 15  a node that runs does so later
            grads = call_tensor_hooks(node, grads)  # 15
            node._retain(grads)
        if node in self.targets:
            self.found.update({(node, number): grad for number, grad in enumerate(grads)})
        if not runs:
            return [None] * len(node.next_functions)
        return BackwardPass.run_node(self, node, grads)


@takes_options(PassTo)
def grad(
    outputs: Any, inputs: Any, grad_outputs: Any = None, *args: Any, **options: Any
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs` with respect to `inputs`; no `.grad` is touched.

    Args:
        outputs: the results to differentiate; the gradients of several are added.
        inputs: tensors of the graph, leaves or not.
        grad_outputs: a cotangent for each output, of its shape; None will do for one element.
        allow_unused: return None for an input that no output depends on, instead of raising.
        materialize_grads: return zeros for it.
        The others are as in PyTorch.

    Raises RuntimeError: no graph, a freed graph, wrong cotangents, or an unused input.
    """
    current = PassTo(*args, **options)
    current.inputs = inputs
    current.run(as_roots(outputs), grad_outputs)
    return found_gradients(current)
