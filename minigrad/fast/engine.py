"""A fast lane for the engine, which runs before `execute` and does not count dependencies.

An operation has a higher sequence number than those that computed its inputs, so running the nodes
from the highest number down never runs one too early. The plain engine uses the same order, except
for leaves, which all get their gradients at the end here. That makes a difference only if user code
is about to run. In that case the lane stops, and whatever it has reached becomes the roots of a
plain pass.

Gradients are NumPy arrays here, and tensors only with `create_graph`.
"""

from __future__ import annotations

import sys
from bisect import insort
from collections.abc import Sequence
from operator import attrgetter
from typing import Any

import numpy as np

from ..core import broadcasting, grad_mode
from ..core.checks import check_all_saved
from ..core.engine import BackwardPass, Grads, count_dependencies
from ..core.function import FunctionNode
from ..core.node import LAST, Edge, Node, SavedTensor, recorded_copy
from ..core.targets import GradPass
from ..core.tensor import Tensor, new_tensor
from ..rows.row import rules
from ..rows.silence import IGNORE, SETTINGS
from ..support import locks, observers
from ..support.dtypes import from_numpy_dtype
from ..support.errors import PACKAGE, invalid_gradient
from ..support.gradient_layout import copy_for_grad, is_gradient_of
from ..support.shapes import expandable
from . import modes
from .arrays import Array, sum_to
from .inplace import compute_in_place
from .leaves import PLAIN_NODE, AccumulateGrad, shape_and_dtype
from .modes import watched
from .nodes import GeneratedNode, LaneEdge, SlotSaved, numpy_scalar, plain_edge
from .references import ALONE, is_whole

Gradient = Array | Tensor | None
Remaining = tuple[Sequence[Edge], Grads]  # edges still to follow, and their gradients
by_order = attrgetter("order")
BELOW_ALL_NODES = -1
mode: Any = grad_mode.mode


def run(backward_pass: BackwardPass, edges: Sequence[Edge], grads: Grads) -> Remaining:
    """Run as much of a pass as the lane can; returns the remaining edges and gradients."""
    create_graph = backward_pass.create_graph
    if create_graph:
        modes.recorded_backward = True
    is_usual = backward_pass.__class__ is BackwardPass or backward_pass.__class__ is GradPass
    # Observers such as anomaly mode have set a `run_node` on the pass: `observers.begin`.
    if not is_usual or "run_node" in vars(backward_pass) or (observers.active and watched()):
        return edges, grads
    lane = Lane(backward_pass)
    was_enabled, was_running = mode.enabled, create_graph and rules.running
    before = SETTINGS.set(IGNORE)
    try:
        if backward_pass.targets is not None:
            lane.restrict_to(backward_pass.targets, edges)
            if lane.needed is not None and any(edge[0] not in lane.needed for edge in edges):
                return edges, grads
        remaining = lane.run(edges, grads)
        if remaining is None:
            lane.finish()
        return remaining or ((), ())
    finally:
        if mode.enabled is not was_enabled:
            grad_mode.set_mode(was_enabled)
        if create_graph:
            rules.running = was_running
        SETTINGS.reset(before)


class Lane:
    """The part of a backward pass that needs no plain code.

    Attributes:
        keep: whether to keep the saved values.
        graph: whether to record the backward pass itself.
        found: for `grad`, the gradients of the inputs; otherwise None.
        needed: the targets and the nodes that lead to them, or None to run all nodes.
        inner_targets: targets that are not leaves; the lane stops before them.
        pending: generated node or leaf → the sum of the gradients that have reached it.
        plain_pending: plain node → a list with the gradient of each output.
        queue: the nodes in both that are not leaves, by increasing sequence number.
        accumulates: whether leaves accumulate their gradients in `.grad`.
        must_stop: whether user code is about to run.
        reached_earlier: what was in `pending` when that was noticed.
    """

    __slots__ = (
        "accumulates",
        "found",
        "graph",
        "inner_targets",
        "keep",
        "must_stop",
        "needed",
        "pending",
        "plain_pending",
        "queue",
        "reached_earlier",
    )

    def __init__(self, backward_pass: BackwardPass) -> None:
        self.keep, self.graph = backward_pass.keeps(), backward_pass.create_graph
        self.accumulates = backward_pass.accumulates
        self.found = backward_pass.found if isinstance(backward_pass, GradPass) else None
        self.needed: dict[Node | None, None] | None = None
        self.inner_targets: set[Node | None] | tuple[()] = ()
        self.pending: dict[Any, Gradient] = {}
        self.plain_pending: dict[Node, list[Gradient]] = {}
        self.queue: list[Any] = []
        self.reached_earlier: set[Node] = set()
        self.must_stop = False

    def restrict_to(self, targets: set[Node | None], edges: Sequence[Edge]) -> None:
        """Run only the nodes that lead to `targets`."""
        nodes, leaves, all_end_in_leaves = reachable(edges)
        if leaves and leaves == targets and all_end_in_leaves:
            return
        self.needed = dict.fromkeys(targets)
        for node in sorted(nodes, key=by_order):  # oldest first: its inputs are decided
            for edge in node.edges if isinstance(node, GeneratedNode) else node.next_functions:
                if (edge[0] if edge.__class__ is tuple else edge) in self.needed:
                    self.needed[node] = None
        self.inner_targets = targets - leaves
        for stop in self.inner_targets:
            if isinstance(stop, GeneratedNode) and stop._extra is None:
                stop._extra = {}

    def run(self, edges: Sequence[Edge], grads: Sequence[Any]) -> Remaining | None:
        """Run the newest node in the queue and propagate its gradients, until the queue is empty.

        Returns the edges and gradients that are left for a plain pass, or None if only the leaves
        have to be finished.
        """
        if self.graph:
            if not mode.enabled:
                grad_mode.set_mode(True)
            rules.running = True
        queue, pending, node = self.queue, self.pending, None
        sent: Any = []
        for index, edge in enumerate(edges):
            grad = grads[index]
            sent += (lane_edge(edge), grad if self.graph else numpy_scalar(grad._data))
        while True:
            node, sent = self.run_chain(node, sent)
            if sent:
                self.propagate(node, sent)
            if self.must_stop or not queue or not self.runs_only_library_code(queue[-1]):
                break
            node = queue.pop()
            sent = self.run_node(
                node, (self.plain_pending if node in self.plain_pending else pending).pop(node)
            )
        if self.must_stop:
            self.finish_reached_earlier()
        return self.remaining() if queue or self.must_stop else None

    def run_node(self, node: Node, grad: Any) -> Sequence[Any]:
        try:
            if isinstance(node, GeneratedNode):
                if grad is None:
                    check_all_saved(node)
                    if not self.keep:
                        node.release_variables()
                    return [each for edge in node.edges for each in (edge, None)]
                return (node.run_graph if self.graph else node.run)(grad, self.keep)
            grad_mode.set_mode(self.graph)
            results = node.backward(*map(as_tensor, grad))
            if not self.keep:
                node.release_variables()
            sent: list[Any] = []
            for edge, each in zip(node.next_functions, results, strict=True):
                grad = each if self.graph or each is None else numpy_scalar(each._data)
                sent += (None if edge[0] is None else lane_edge(edge), grad)
            return sent
        except BaseException:
            self.finish_after_error(node)
            raise

    def runs_only_library_code(self, node: Node) -> bool:
        """Whether running this node calls no user code, and it is not a target."""
        if node in self.inner_targets:
            return False
        if isinstance(node, GeneratedNode):
            return node._extra is None or not (is_hooked(node) or "_saved" in node._extra)
        return is_library_node(node) and not is_hooked(node)

    def remaining(self) -> Remaining:
        """Everything in `pending` and `plain_pending` as edges and gradients for a plain pass.

        They are in the order in which each node received its last gradient, because in that order
        the plain engine would have run the leaves that wait for nothing more.
        """
        edges: list[Edge] = []
        gradients: list[Gradient] = []
        for node, grads in self.plain_pending.items():
            edges += [(node, number) for number in range(len(grads))]
            gradients += grads
        edges += [(node, 0) for node in self.pending]
        gradients += self.pending.values()
        self.pending.clear()
        self.plain_pending.clear()
        same: dict[int, Tensor | None] = {}  # an array that two nodes share becomes one tensor
        return edges, [same.setdefault(id(grad), as_tensor(grad)) for grad in gradients]

    def run_chain(  # noqa: C901 - calling another function would take a fifth of the time of a node
        self, node: Node | None, sent: Sequence[Any]
    ) -> tuple[Node | None, Sequence[Any]]:
        """Propagate what `node` sent and run the next node, until there is a special case.

        This does the same as `run` and `propagate` in a third of the time, for generated nodes
        without hooks, which send a gradient along each of their edges. Of two edges it follows the
        one to the newer node. That node is usually the newest of all, so its gradient never has to
        be stored and looked up. Returns the last node that ran, and what it sent that has not been
        propagated yet.
        """
        pending, queue, keep, graph = self.pending, self.queue, self.keep, self.graph
        needed = self.needed
        newest = queue[-1].order if queue else BELOW_ALL_NODES
        try:
            while True:
                other: Any = None
                if needed is not None:
                    sent = only_needed(needed, sent)
                length = len(sent)
                if length == 4:
                    edge, grad, other, other_grad = sent
                    if edge is None:
                        edge, grad, other = other, other_grad, None
                    elif other is not None:
                        if edge.__class__ is tuple or other.__class__ is tuple:
                            break
                        if edge.order <= other.order:  # if equal, the first gradient is added first
                            edge, grad, other, other_grad = other, other_grad, edge, grad
                elif length == 2:
                    edge, grad = sent
                elif length == 6:  # three edges, such as addmm's: propagate the first
                    edge, grad = sent[:2]
                    if edge is not None:
                        if edge.__class__ is tuple or edge._extra is not None:
                            break
                        self.add_gradient(edge, grad, node)
                        if self.must_stop:
                            return node, sent[2:]
                        newest = queue[-1].order if queue else BELOW_ALL_NODES
                    sent = sent[2:]
                    continue
                else:
                    break
                if edge is None or edge.__class__ is tuple or edge._extra is not None:
                    break
                if other is not None:
                    before = pending.get(other)
                    if before is None:
                        self.add_gradient(other, other_grad, node)
                        if self.must_stop:
                            return node, (edge, grad)
                        newest = queue[-1].order if queue else BELOW_ALL_NODES
                    else:
                        if other_grad.__class__ is not other.like:
                            other_grad = validate_outputs(other_grad, other, node)
                        if other.order < 0:
                            del pending[other]  # so that it moves to the end, for `remaining`
                        pending[other] = before + other_grad
                if edge.order > newest:
                    if grad.__class__ is not edge.like:
                        grad = validate_outputs(grad, edge, node)
                else:
                    self.add_gradient(edge, grad, node)
                    sent = ()
                    if not queue or self.must_stop or queue[-1]._extra is not None:
                        break
                    edge = queue[-1]
                    grad = pending[edge]
                    if grad is None:
                        break
                    del queue[-1], pending[edge]
                    newest = queue[-1].order if queue else BELOW_ALL_NODES
                node = edge
                sent = (node.run_graph if graph else node.run)(grad, keep)
        except BaseException:
            self.finish_after_error(node)
            raise
        return node, sent

    def propagate(self, node: Node | None, sent: Sequence[Any]) -> None:
        """Add each gradient that `node` sent to the sum for the node that its edge leads to."""
        if self.needed is not None:
            sent = only_needed(self.needed, sent)
        for edge, grad in zip(sent[::2], sent[1::2], strict=True):
            if edge is not None:
                self.add_gradient(edge, grad, node)

    def add_gradient(self, edge: Any, grad: Gradient, node: Node | None) -> None:
        """Add `grad`, which `node` sent along `edge` and which may be None, to the sum there."""
        pending = self.pending
        if edge.__class__ is tuple or edge._extra is PLAIN_NODE:
            target, number = plain_edge(edge)
            self.add_to_plain_node(target, number, grad, node)
            return
        if grad is not None and grad.__class__ is not edge.like:
            grad = validate_outputs(grad, edge, node)
        if edge in pending:
            pending[edge] = sum_of(pending.pop(edge), grad)  # moves to the end, for `remaining`
            self.reached_earlier.discard(edge)
            return
        pending[edge] = grad
        if edge.order >= 0:
            queue = self.queue
            if queue and edge.order < queue[-1].order:
                insort(queue, edge, key=by_order)
            else:
                queue.append(edge)
        else:
            leaf = edge.variable
            hooks = leaf._hooks or leaf._after_hooks
            hooked = hooks or (edge._extra is not None and is_hooked(edge))
            if hooked or (leaf._grad is not None and is_in_use(leaf._grad)):
                self.stop_before(edge)

    def add_to_plain_node(self, target: Any, number: int, grad: Gradient, node: Any) -> None:
        """`add_gradient` for an edge to a plain node."""
        if target not in self.plain_pending:
            self.plain_pending[target] = [None] * len(target._meta)
            if target._seq == LAST:
                self.stop_before(target)  # it runs next, and raises
            else:
                insort(self.queue, target, key=by_order)
        gradients = self.plain_pending[target]
        if grad is not None:
            grad = validate_outputs(grad, (target, number), node)
        gradients[number] = sum_of(gradients[number], grad)

    def stop_before(self, node: Node) -> None:
        """Stop the lane, because the plain engine would run `node` next, which calls user code."""
        if not self.must_stop:
            self.must_stop, self.reached_earlier = True, {*self.pending} - {node}

    def finish_reached_earlier(self) -> None:
        """Accumulate the gradients that the plain engine would have accumulated by then."""
        ends = [node for node in self.plain_pending if node._seq == LAST]
        edges = [edge for node in ends for edge in node.next_functions]
        self.finish_complete_leaves([*map(plain_edge, self.queue), *edges], self.reached_earlier)

    def finish(self) -> None:
        """Accumulate the gradients of the leaves, or store them in `found` for `grad`."""
        pending = self.pending
        found: dict[int, Any] = {}  # id of an array → (the array, its only tensor)
        for leaf in tuple(pending):
            grad = pending.pop(leaf)
            if self.found is not None:
                _, self.found[leaf, 0] = found.setdefault(id(grad), (grad, as_tensor(grad)))
            elif grad is not None:
                # Another leaf may be waiting for the same array, or the user may have passed it in.
                # Neither is true if only this function refers to it.
                own = sys.getrefcount(grad) == ALONE and is_whole(grad)
                accumulate(leaf.variable, grad, own, self.graph)

    def finish_after_error(self, node: Node | None) -> None:
        """After an error, accumulate the gradients of leaves that wait for nothing more."""
        ahead = [plain_edge(each) for each in self.queue]
        if node is not None:
            ahead += node.next_functions
        self.finish_complete_leaves(ahead, set(self.pending))

    def finish_complete_leaves(self, ahead: list[Edge], leaves: set[Node]) -> None:
        """Accumulate the gradients of those `leaves` that no edge in `ahead` leads to."""
        reachable_nodes = count_dependencies(ahead)
        for leaf in tuple(self.pending) if self.accumulates else ():
            if isinstance(leaf, AccumulateGrad) and leaf in leaves and leaf not in reachable_nodes:
                grad = self.pending.pop(leaf)
                if grad is not None:
                    accumulate(leaf.variable, grad, False, self.graph)


def is_in_use(grad: Tensor) -> bool:
    """Whether a node that has not run yet may have saved this `.grad`, which is about to change.

    That takes a version counter, and a reference besides that of the leaf.
    """
    return grad._counter is not None and sys.getrefcount(grad) > IN_USE


IN_USE = ALONE + 1  # the parameter of `is_in_use`, and the leaf
HOOKS = ("_retaining", "_tensor_hooks", "_pre_hooks", "_post_hooks")


def is_hooked(node: Node) -> bool:
    """Whether a node or its output has hooks, or the output retains its gradient."""
    hooks: Any = node._extra if isinstance(node, GeneratedNode) else vars(node)
    return any(any(hooks[name].values()) for name in HOOKS if name in hooks)


def is_library_node(node: Node) -> bool:
    """Whether this node's backward is part of the library and calls no user code."""
    inner = getattr(node, "inner", None)  # of CopySlices
    if isinstance(node, FunctionNode) or (inner is not None and not is_library_node(inner)):
        return False
    saved = {type(each) for each in node._saved.values() if isinstance(each, SavedTensor)}
    module = type(node).backward.__module__ or ""  # None for code that exec ran without a __name__
    return saved <= {SavedTensor, SlotSaved} and module.startswith(PACKAGE)


def lane_edge(edge: Edge) -> LaneEdge:
    """An edge in the form that the lane uses: just the node if its output number is 0."""
    return edge if edge[1] else edge[0]


def as_tensor(grad: Gradient) -> Tensor | None:
    return grad if grad is None or isinstance(grad, Tensor) else new_tensor(grad)


def reachable(edges: Sequence[Edge]) -> tuple[dict[Node, None], set[Node], bool]:
    """The operations and the leaves that can be reached from these edges.

    The third value is whether every path ends in a leaf, and none in a node without edges such as
    that of a view that lost its history.
    """
    nodes: dict[Node, None] = {}
    leaves: set[Node] = set()
    all_end_in_leaves = True
    ahead: list[LaneEdge] = [*edges]
    for edge in ahead:  # grows while it is read
        node: Any = edge[0] if edge.__class__ is tuple else edge
        if node.__class__ is AccumulateGrad:
            leaves.add(node)
        elif node is not None and node not in nodes:
            nodes[node] = None
            is_plain = node._extra is PLAIN_NODE
            further = node.next_functions if is_plain else node.edges
            if is_plain and all(following is None for following, _ in further):
                all_end_in_leaves = False
            ahead += further
    return nodes, leaves, all_end_in_leaves


def only_needed(needed: dict[Node | None, None], sent: Sequence[Any]) -> list[Any]:
    """`sent` with None for every edge that does not lead to a target."""
    result = list(sent)
    for index in range(0, len(result), 2):
        edge = result[index]
        node = edge[0] if edge.__class__ is tuple else edge
        if node not in needed:
            result[index] = None
    return result


def sum_of(before: Any, grad: Any) -> Any:
    """The sum of two gradients, either of which may be None."""
    return grad if before is None else before if grad is None else before + grad


def validate_outputs(grad: Any, edge: Any, node: Any) -> Any:
    """`grad` in the shape and dtype that `edge` expects, summed where that value was broadcast."""
    data, graph = grad, isinstance(grad, Tensor)
    if graph:
        if grad.__class__ is not Tensor:
            grad = grad._as_plain()  # the gradient of a subclass is a plain tensor
        data = grad._data
    if edge.__class__ is tuple:
        shape, kind = edge[0]._meta[edge[1]]
        dtype = kind.numpy
    else:
        like = edge.like
        if data.__class__ is like:
            return grad
        if like.__class__ is tuple and data.dtype is like[1] and data.shape == like[0]:
            return grad
        shape, dtype = shape_and_dtype(like)
    if data.shape != shape:
        if not expandable(shape, data.shape):
            following = [plain_edge(edge)[0] is each for each, _ in node.next_functions]
            raise invalid_gradient(node, following.index(True), data.shape, shape)
        grad = broadcasting.sum_to(grad, shape) if graph else sum_to(grad, shape)
    if data.dtype is dtype or data.dtype == dtype:
        return grad
    return grad.to(from_numpy_dtype(dtype)) if graph else grad.astype(dtype)


def accumulate(leaf: Tensor, grad: Any, own: bool, graph: bool) -> None:
    """Add `grad` to `leaf.grad`, in place unless `graph`, in which case the sum is recorded.

    `own` says that nothing else refers to its memory, so that it can become `.grad` without a copy.
    """
    if not leaf._requires_grad:
        return  # it did when the graph was recorded
    with locks.one_at_a_time:
        current = leaf._grad
        if current is None and graph:
            leaf._grad = recorded_copy(grad, leaf)
        elif current is None:
            like = leaf._data
            if not own or (grad.strides != like.strides and not is_gradient_of(grad, like)):
                grad = copy_for_grad(grad, like)
            leaf._grad = new_tensor(grad)
        elif graph:
            leaf._grad = current + grad
        elif not compute_in_place("add_", np.add, current, new_tensor(grad)):
            with grad_mode.no_grad():
                current.add_(new_tensor(grad))
