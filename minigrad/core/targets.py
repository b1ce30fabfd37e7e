"""Gradients towards some inputs only: `grad(outputs, inputs)` and `backward(inputs=…)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np  # 99

from ..support.methods import method_of
from ..support.roots import (
    as_inputs,
    as_roots,
    check_found,
    check_inputs,
)
from ..support.roots import check_grad_options, check_materialized  # 99
from .engine import Pass
from .hooks import call_tensor_hooks  # 15
from .node import Edge, Node, gradient_edge
from .tensor import Tensor
from .tensor import new_tensor  # 99


class Targets:
    """The places where gradients are wanted, and what arrived there.

    `nodes` are where the gradients of the inputs arrive, `needed` those that have to run for
    gradients to get there, `found` what arrived, by edge.
    """

    def __init__(self, edges: Sequence[Edge], accumulate: bool) -> None:
        self.accumulate = accumulate
        self.nodes = {node for node, _ in edges if node is not None}
        self.needed: set[Node] = set(self.nodes) if accumulate else set()
        self.found: dict[Edge, Tensor | None] = {}

    def find_way(self, missing: dict[Node, int], roots: set[Node | None]) -> None:
        """Leave in `missing` what leads to the targets, the targets, and the roots."""
        for node in sorted(missing, reverse=True):  # the oldest first: the way behind it is known
            ways = {following for following, _ in node.next_functions}
            if ways & self.needed or ways & self.nodes:
                self.needed.add(node)
            elif node not in self.nodes and node not in roots:
                del missing[node]

    def runs(self, node: Node, grads: list[Tensor | None]) -> bool:
        """Whether `node` has to run; if it is a target, note what arrived."""
        runs = node in self.needed
        if not runs:  # 15  a node that runs does so later
            grads = call_tensor_hooks(node, grads)  # 15
            node._retain(grads)
        if node in self.nodes:
            self.found.update({(node, number): grad for number, grad in enumerate(grads)})
        return runs


@method_of(Pass)
def towards(self: Pass, inputs: Any) -> None:
    """Accumulate into these tensors only."""
    places = as_inputs("backward", inputs)
    for place in places:
        if isinstance(place, Tensor):
            place.retain_grad()
    self.targets = Targets([gradient_edge(place) for place in places], accumulate=True)


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
    roots = as_roots(tensors)
    walk = Pass()
    begun = walk.start(roots, grad_tensors)
    walk.keep = bool(retain_graph)
    walk.graph = create_graph  # 14
    walk.keep = create_graph if retain_graph is None else retain_graph  # 14
    if inputs is not None:
        walk.towards(inputs)
    walk.run(begun)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,  # 14
    only_inputs: bool = True,  # 99
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,  # 99
    materialize_grads: bool = False,  # 99
) -> tuple[Tensor | None, ...]:
    """The gradients of `outputs` with respect to `inputs`; no `.grad` is touched.

    Args:
        outputs: the results to differentiate; the gradients of several are added.
        inputs: tensors of the graph, leaves or not.
        grad_outputs: a cotangent for each output, of its shape; may be None for one-element
            outputs.
        allow_unused: return None for an input that the outputs do not depend on, instead of
            raising.
        The others are as in PyTorch.

    Raises:
        RuntimeError: no graph, a freed graph, wrong cotangents, or an unused input.
    """
    check_grad_options(only_inputs, allow_unused, is_grads_batched, materialize_grads)  # 99
    roots = as_roots(outputs)
    walk = Pass()
    begun = walk.start(roots, grad_outputs)
    places = as_inputs("grad", inputs)
    edges = [gradient_edge(place) for place in places]
    check_inputs(places)
    walk.targets, walk.keep = Targets(edges, accumulate=False), bool(retain_graph)
    walk.graph = create_graph  # 14
    walk.keep = create_graph if retain_graph is None else retain_graph  # 14
    walk.run(begun)
    found = tuple(map(walk.targets.found.get, edges))
    if materialize_grads:  # 99
        return materialized(found, places, create_graph)
    check_found(found, allow_unused)
    return found


def materialized(  # 99
    found: Sequence[Tensor | None], places: Sequence[Any], requires_grad: bool
) -> tuple[Tensor | None, ...]:
    """`found` with zeros for the inputs that were not reached."""
    check_materialized(found, places)
    return tuple(
        new_tensor(np.zeros_like(place._data), requires_grad) if grad is None else grad
        for grad, place in zip(found, places, strict=True)
    )
