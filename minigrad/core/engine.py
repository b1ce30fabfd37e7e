"""The engine: walks the graph backward and computes the gradient of every leaf.

A pass starts at the roots, with a gradient for each. A node runs once it has received all its
gradients. What it returns is sent to the nodes before it, and where paths meet, gradients are
added. To know when a node is ready, the engine first counts the edges that lead to it and then
counts them down. Among the nodes that are ready it runs the newest first, which is PyTorch's order
and visible to hooks. It never recurses, so only memory limits the depth of a graph.

By default the usual passes run in `minigrad.fast.engine`, before `execute`; see `minigrad.core`.

Source: https://docs.pytorch.org/docs/2.13/notes/autograd.html and torch/csrc/autograd/engine.cpp
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import Any

from ..support import extension_points, observers
from ..support.backward_args import as_inputs
from ..support.errors import warn_create_graph
from ..support.methods import method_of
from ..support.options import Options
from .broadcasting import validate_outputs
from .checks import root_edges
from .grad_mode import enable_grad, no_grad
from .hooks import call_post_hooks, call_pre_hooks, call_tensor_hooks
from .node import Edge, Node, gradient_edge
from .tensor import Tensor

Grads = Sequence["Tensor | None"]


class BackwardPass(Options):
    """One backward pass through a graph. Its fields are the options of `backward`.

    `dependencies` counts for each node the edges that have not been followed yet. `input_buffers`
    has what a node has received so far, a gradient for each of its outputs, and `ready` is a heap
    of the nodes that have received everything.
    """

    retain_graph: bool | None = None  # keep the saved values  #@06
    inputs: Any = None  # the tensors whose gradients are wanted; None for all leaves  #@13
    create_graph = False  # record what backward does  #@14
    accumulates = True  # whether a pass of this kind adds to `.grad`  #@14

    def run(self, roots: Sequence[Any], gradients: Any = None) -> None:
        """Propagate `gradients`, those of `roots`, back to the leaves."""
        edges, grads = root_edges(roots, gradients)
        self.targets = self.find_targets()  #@13
        observers.begin(self)  #@rare
        try:  #@14:
            if extension_points.run:  #@fast
                edges, grads = extension_points.run(self, edges, grads)
            if edges:  #@fast:
                self.execute(edges, grads)
        finally:  #@14
            if self.create_graph and self.accumulates:
                warn_create_graph()

    def execute(self, edges: Sequence[Edge], grads: Grads) -> None:
        """Run every node once, as soon as it has all its gradients, the newest first."""
        self.dependencies = count_dependencies(edges)
        if self.targets is not None:  #@13
            self.dependencies = leading_to(self.targets, self.dependencies)
        self.input_buffers: dict[Node, list[Tensor | None]] = {}
        self.ready: list[Node] = []
        with self.recording():  #@10:
            self.propagate(edges, grads)
            while self.ready:
                node = heappop(self.ready)
                grads = self.run_node(node, self.input_buffers.pop(node))
                self.propagate(node.next_functions, grads)

    def propagate(self, edges: Sequence[Edge], grads: Grads) -> None:
        """Add each gradient to what its node has received; a node that has them all is ready."""
        for (node, number), grad in zip(edges, grads, strict=True):
            if node not in self.dependencies:
                continue
            buffer = self.input_buffers.setdefault(node, [None] * len(node._meta))
            before = buffer[number]
            if grad is not None:
                buffer[number] = grad if before is None else before + grad
            self.dependencies[node] -= 1
            if self.dependencies[node] == 0:
                heappush(self.ready, node)

    def run_node(self, node: Node, grads: list[Tensor | None]) -> Grads:
        """Compute what `node` sends along its edges once it has received `grads`."""
        if node._hooked:  #@05
            grads = call_tensor_hooks(node, grads)  #@15
            node._retain(grads)
            grads = call_pre_hooks(node, grads)  #@15
        results = node.backward(*grads)
        results = validate_outputs(node, results)  #@12
        if self.targets is not None:  #@rare
            results = self.only_needed(node, results)
        if node._hooked:  #@15
            results = call_post_hooks(node, results, grads)
        if not self.keeps():  #@06
            node.release_variables()
        return results

    def keeps(self) -> bool:  #@06
        """Whether nodes keep what they saved."""
        if self.retain_graph is None:  #@14
            return self.create_graph
        return bool(self.retain_graph)

    def recording(self) -> no_grad:  #@10
        """The grad mode in which nodes run."""
        if self.create_graph:  #@14
            return enable_grad()  # type: ignore[no-any-return]
        return no_grad()  # type: ignore[no-any-return]

    def find_targets(self) -> set[Node | None] | None:  #@13
        """The nodes of `inputs`, which retain their gradients; None to reach all leaves."""
        if self.inputs is None:
            return None
        places = as_inputs("backward", self.inputs)
        for place in places:
            if isinstance(place, Tensor):
                place.retain_grad()
        return {gradient_edge(place)[0] for place in places}

    def only_needed(self, node: Node, results: Grads) -> Grads:  #@rare
        """`results` without the gradients that no target needs."""
        ahead = [following in self.dependencies for following, _ in node.next_functions]
        return [grad if use else None for grad, use in zip(results, ahead, strict=True)]


def count_dependencies(edges: Iterable[Edge]) -> dict[Node, int]:
    """Every node that `edges` lead to, directly or not, and how many edges lead to it."""
    counts: dict[Node, int] = {}
    ahead = list(edges)
    while ahead:
        node, _ = ahead.pop()
        if node is not None:
            counts[node] = counts.get(node, 0) + 1
            if counts[node] == 1:
                ahead += node.next_functions
    return counts


def leading_to(targets: set[Node | None], dependencies: dict[Node, int]) -> dict[Node, int]:  #@13
    """The nodes of `dependencies` that lead to `targets`, and the targets themselves."""
    kept = {node for node in dependencies if node in targets}
    for node in sorted(dependencies, reverse=True):  # oldest first: what is behind it is known
        if any(following in kept for following, _ in node.next_functions):
            kept.add(node)
    return {node: dependencies[node] for node in kept}


@method_of(Tensor)
def backward(self: Tensor, gradient: Tensor | None = None, *args: Any, **options: Any) -> None:
    """Compute the `.grad` of the leaves that this tensor was computed from."""
    BackwardPass(*args, **options).run([self], gradient)
