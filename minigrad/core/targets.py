"""Gradients of some inputs only, brought to the caller: `grad(outputs, inputs)`."""

from __future__ import annotations

from typing import Any


from ..support.backward_args import (
    as_inputs,
    as_roots,
    check_grad_options,
    check_inputs,
)
from .checks.roots import found_gradients
from .engine import BackwardPass, Grads
from .hooks import call_tensor_hooks
from .node import Edge, Node, gradient_edge
from .tensor import Tensor


class PassTo(BackwardPass):
    """A pass that finds the gradients of its `inputs`, and touches no `.grad`.

    `edges` are where these gradients arrive, and `found` is what has arrived there.
    """

    accumulates = False

    def find_targets(self) -> set[Node | None]:
        """The nodes at the ends of the edges. RuntimeError for inputs that have no gradient."""
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


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,  # 14
    *,
    inputs: Any = None,
) -> None:
    """Add the gradients of `tensors` to the `.grad` of the leaves they were computed from.

    Args:
        tensors: the roots: results to differentiate.
        grad_tensors: a cotangent for each, of its shape; may be None for one-element roots.
        inputs: accumulate into these tensors only.
        The others are as in PyTorch.

    Raises:
        RuntimeError: a root without a graph, a freed graph, a cotangent that is missing or of a
            wrong shape.
    """
    current = BackwardPass(retain_graph=retain_graph, inputs=inputs)
    current.create_graph = create_graph  # 14
    current.run(as_roots(tensors), grad_tensors)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,  # 14
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs` with respect to `inputs`; no `.grad` is touched.

    Args:
        outputs: the results to differentiate; the gradients of several are added.
        inputs: tensors of the graph, leaves or not.
        grad_outputs: a cotangent for each output, of its shape; may be None for one-element
            outputs.
        allow_unused: return None for an input that the outputs do not depend on, instead of
            raising.
        materialize_grads: return zeros for it.
        The others are as in PyTorch.

    Raises:
        RuntimeError: no graph, a freed graph, wrong cotangents, or an unused input.
    """
    check_grad_options(only_inputs, allow_unused, is_grads_batched, materialize_grads)
    current = PassTo(retain_graph=retain_graph, inputs=inputs)
    current.create_graph = create_graph  # 14
    current.run(as_roots(outputs), grad_outputs)
    return found_gradients(current, allow_unused, materialize_grads)
