"""The engine: walks the graph backward and gives every leaf its gradient.

Start at the roots with a gradient each. A node runs when all that it will get has arrived; what it
returns goes on to the nodes before it, and where paths meet, gradients are added. So the engine
first counts the edges that lead to each node, and then counts them down. Of the nodes that are
ready it takes the newest: that is PyTorch's order, which hooks make visible. It never recurses, so
depth is limited by memory alone.

Source: https://docs.pytorch.org/docs/2.13/notes/autograd.html and torch/csrc/autograd/engine.cpp
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import TYPE_CHECKING  # 13
from typing import Any

import numpy as np

from ..support import plugs  # 19
from ..support.methods import method_of
from ..support.roots import checked_roots
from ..support.roots import warns_of_cycle  # 14
from ..support.watching import Runs
from .broadcasting import conform, conformed  # 12
from .grad_mode import mode, mode_restored, set_mode  # 14
from .hooks import call_post_hooks, call_pre_hooks, call_tensor_hooks  # 15
from .node import Edge, Node, gradient_edge
from .tensor import Tensor, new_tensor

if TYPE_CHECKING:  # 13
    from .targets import Targets

Sent = Iterable[tuple[Edge, "Tensor | None"]]  # gradients, each with the edge that it goes along
Grads = Sequence["Tensor | None"]


class Pass:
    """One backward pass through a graph.

    `missing` says of each node how many edges to it are still to be followed, `arrived` what has
    come for each of its outputs; `ready` is a heap of the nodes with nothing missing.
    """

    runs = Runs()  # drawings look on where nodes are fired
    keep = False  # 06  leave the saved values in place
    targets: Targets | None = None  # 13  where gradients are wanted; None: in every leaf
    graph = False  # 14  record what backward does

    def start(self, roots: Sequence[Any], grads: Any) -> Sequence[tuple[Edge, Tensor]]:
        """The edge where backward begins at each root, and the gradient that it begins with."""
        if plugs.start:  # 19
            begun = plugs.start(roots, grads)
            if begun is not None:
                return begun
        sent = []
        for root, grad, meta in checked_roots(roots, grads):
            if grad is None:
                grad = new_tensor(np.ones(meta[0], meta[1].numpy))
            if meta != (grad._data.shape, grad.dtype):  # 12
                grad = conformed(grad, meta, root, 0)
            sent.append((gradient_edge(root), grad))
        return sent

    @mode_restored  # 14
    @warns_of_cycle  # 14
    def run(self, roots: Sequence[tuple[Edge, Tensor]]) -> None:
        """Run every node once, when all its gradients are there, the newest first."""
        mode.innermost = self  # 99
        if plugs.run:  # 19
            roots = plugs.run(self, roots)
            if not roots:
                return
        self.missing = count_edges([edge for edge, _ in roots])
        self.arrived: dict[Node, list[Tensor | None]] = {}
        self.ready: list[Node] = []
        if self.targets is not None:  # 13
            self.targets.find_way(self.missing, {node for (node, _), _ in roots})
        self.hand_on(roots)
        fire = self.runs.watched(self.fire)
        while self.ready:
            node = heappop(self.ready)
            grads = fire(node, self.arrived.pop(node))
            self.hand_on(zip(node.next_functions, grads, strict=True))

    def hand_on(self, sent: Sent) -> None:
        """Add each gradient to what has arrived before; a node that has it all is ready."""
        for (node, number), grad in sent:
            if node not in self.missing:
                continue
            arrived = self.arrived.setdefault(node, [None] * len(node._meta))
            before = arrived[number]
            arrived[number] = grad if before is None else added(before, grad)
            self.missing[node] -= 1
            if self.missing[node] == 0:
                heappush(self.ready, node)

    def fire(self, node: Node, grads: list[Tensor | None]) -> Grads:
        """What `node` sends along its edges when `grads` have arrived."""
        if mode.enabled is not self.graph:  # 14
            set_mode(self.graph)
        if self.targets is not None and not self.targets.runs(node, grads):  # 13
            return [None] * len(node.next_functions)
        if node._hooked:  # 05
            grads = call_tensor_hooks(node, grads)  # 15
            node._retain(grads)
            grads = call_pre_hooks(node, grads)  # 15
        results = node.backward(*grads)
        results = conform(node, results)  # 12
        if self.targets is not None:  # 15
            results = self.of_use(node, results)
        if node._hooked:  # 15
            results = call_post_hooks(node, results, grads)
        if not self.keep:  # 06
            node.release_variables()
        return results

    def of_use(self, node: Node, results: Grads) -> Grads:  # 15
        """`results` without the gradients that lead to no target."""
        ahead = [following in self.missing for following, _ in node.next_functions]
        return [grad if use else None for grad, use in zip(results, ahead, strict=True)]

    if TYPE_CHECKING:  # 99

        def __getattr__(self, name: str) -> Any: ...  # what `targets` attaches


def count_edges(edges: Iterable[Edge]) -> dict[Node, int]:
    """Each node that `edges` lead to, at once or through others, and how many edges lead there."""
    counts: dict[Node, int] = {}
    ahead = list(edges)
    while ahead:
        node, _ = ahead.pop()
        if node is not None:
            counts[node] = counts.get(node, 0) + 1
            if counts[node] == 1:
                ahead += node.next_functions
    return counts


def added(before: Tensor, grad: Tensor | None) -> Tensor:
    """The sum of two gradients, of which the second may be missing."""
    return before if grad is None else before + grad


@method_of(Tensor)
def backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,  # 06
    create_graph: bool = False,  # 14
    inputs: Any = None,  # 13
) -> None:
    """Give the leaves that this tensor was computed from their gradients, in `.grad`.

    Args: as in PyTorch; a tensor of one element needs no `gradient`.

    Raises:
        RuntimeError: no graph, a `gradient` of another shape, or none where one is needed.
    """
    walk = Pass()
    roots = walk.start([self], gradient)
    walk.keep = bool(retain_graph)  # 06
    walk.graph = create_graph  # 14
    walk.keep = create_graph if retain_graph is None else retain_graph  # 14
    if inputs is not None:  # 13
        walk.towards(inputs)
    walk.run(roots)
