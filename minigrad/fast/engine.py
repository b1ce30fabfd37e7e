"""The fast lane of the engine, before `execute`: while nobody watches, nothing is counted.

An operation is numbered after those its inputs came from, so going through the nodes by falling
sequence number never runs one too early. It is the order of the plain engine, too, but for leaves,
which all get their gradients at the end. Where somebody could tell the difference, because code of
the user's is about to run, the lane ends: what it has got to are then the roots of a plain pass.

Gradients are bare NumPy arrays here, and tensors only with `create_graph`.
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
from .inplace import compute_there
from .leaves import FOREIGN, AccumulateGrad, shape_and_dtype
from .modes import watched
from .nodes import LaneEdge, SlotSaved, WrittenNode, number_of, pair
from .references import ALONE, is_whole

Gradient = Array | Tensor | None
Left = tuple[Sequence[Edge], Grads]  # of a pass: edges, and the gradients that go along them
in_order = attrgetter("order")
LESS_THAN_ALL = -1
mode: Any = grad_mode.mode


def run(backward_pass: BackwardPass, edges: Sequence[Edge], grads: Grads) -> Left:
    """Run a pass in the lane as far as it goes; the edges and gradients that are left."""
    create_graph = backward_pass.create_graph
    if create_graph:
        modes.graphs = True
    usual = backward_pass.__class__ is BackwardPass or backward_pass.__class__ is GradPass
    # Anomaly mode, for one, has put a `run_node` of its own on the pass: `observers.begin`.
    if not usual or "run_node" in vars(backward_pass) or (observers.active and watched()):
        return edges, grads
    lane = Lane(backward_pass)
    enabled, in_rules = mode.enabled, create_graph and rules.running
    loud = SETTINGS.set(IGNORE)
    try:
        if backward_pass.targets is not None:
            lane.go_towards(backward_pass.targets, edges)
            if lane.part is not None and any(edge[0] not in lane.part for edge in edges):
                return edges, grads
        left = lane.run(edges, grads)
        if left is None:
            lane.finish()
        return left or ((), ())
    finally:
        if mode.enabled is not enabled:
            grad_mode.set_mode(enabled)
        if create_graph:
            rules.running = in_rules
        SETTINGS.reset(loud)


class Lane:
    """One backward pass, as far as it is usual.

    Attributes:
        keep, graph: whether to keep what is saved, and to record what backward does.
        found: of a pass to inputs what has arrived there, else None.
        part: the nodes that lead to targets, and the targets, if others are to be left out.
        stops: nodes before which the lane ends: targets that are no leaves.
        pending: node → the gradients that have arrived there, added up; of written nodes and
            leaves.
        foreign: other nodes → a list with the gradient of each output.
        live: the nodes in both that are no leaves, by rising sequence number.
        accumulates: whether the leaves that are reached get their `.grad`.
        earlier: what was in `pending` when the lane got to a node that runs at once.
        ends: whether somebody watches.
    """

    __slots__ = (
        "accumulates",
        "earlier",
        "ends",
        "foreign",
        "found",
        "graph",
        "keep",
        "live",
        "part",
        "pending",
        "stops",
    )

    def __init__(self, backward_pass: BackwardPass) -> None:
        self.keep, self.graph = backward_pass.keeps(), backward_pass.create_graph
        self.accumulates = backward_pass.accumulates
        self.found = backward_pass.found if isinstance(backward_pass, GradPass) else None
        self.part: dict[Node | None, None] | None = None
        self.stops: set[Node | None] | tuple[()] = ()
        self.pending: dict[Any, Gradient] = {}
        self.foreign: dict[Node, list[Gradient]] = {}
        self.live: list[Any] = []
        self.earlier: set[Node] = set()
        self.ends = False

    def go_towards(self, targets: set[Node | None], edges: Sequence[Edge]) -> None:
        """Leave out what does not lead to the nodes `targets`."""
        nodes, leaves, arrives = reachable(edges)
        if leaves and leaves == targets and arrives:
            return
        self.part = dict.fromkeys(targets)
        for node in sorted(nodes, key=in_order):  # the oldest first: the way behind it is known
            for edge in node.edges if isinstance(node, WrittenNode) else node.next_functions:
                if (edge[0] if edge.__class__ is tuple else edge) in self.part:
                    self.part[node] = None
        self.stops = targets - leaves
        for stop in self.stops:
            if isinstance(stop, WrittenNode) and stop._extra is None:
                stop._extra = {}

    def run(self, edges: Sequence[Edge], grads: Sequence[Any]) -> Left | None:
        """Run the newest live node, propagate what it sends, and so on; None if all that is left
        is to finish leaves, else the edges and gradients that are left to a plain pass.
        """
        if self.graph:
            if not mode.enabled:
                grad_mode.set_mode(True)
            rules.running = True
        live, pending, node = self.live, self.pending, None
        sent: Any = []
        for index, edge in enumerate(edges):
            sent += (bare(edge), grads[index] if self.graph else number_of(grads[index]._data))
        while True:
            node, sent = self.walk(node, sent)
            if sent:
                self.propagate(node, sent)
            if self.ends or not live or not self.is_calm(live[-1]):
                break
            node = live.pop()
            sent = self.run_node(
                node, (self.foreign if node in self.foreign else pending).pop(node)
            )
        if self.ends:
            self.finish_earlier()
        return self.rest() if live or self.ends else None

    def run_node(self, node: Node, grad: Any) -> Sequence[Any]:
        try:
            if isinstance(node, WrittenNode):
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
                given = each if self.graph or each is None else number_of(each._data)
                sent += (None if edge[0] is None else bare(edge), given)
            return sent
        except BaseException:
            self.finish_complete(node)
            raise

    def is_calm(self, node: Node) -> bool:
        """Whether only code of the library runs with this node."""
        if node in self.stops:
            return False
        if isinstance(node, WrittenNode):
            return node._extra is None or not (is_hooked(node) or "_saved" in node._extra)
        return is_ours(node) and not is_hooked(node)

    def rest(self) -> Left:
        """All that has arrived, as edges and gradients, in the order in which the last of it came:
        so leaves that wait for nothing more have their turn.
        """
        edges: list[Edge] = []
        left: list[Gradient] = []
        for node, grads in self.foreign.items():
            edges += [(node, number) for number in range(len(grads))]
            left += grads
        edges += [(node, 0) for node in self.pending]
        left += self.pending.values()
        self.pending.clear()
        self.foreign.clear()
        same: dict[int, Tensor | None] = {}  # one gradient for two nodes is one tensor
        return edges, [same.setdefault(id(grad), as_tensor(grad)) for grad in left]

    def walk(  # noqa: C901 - a call to another function takes a fifth of the time of a node
        self, node: Node | None, sent: Sequence[Any]
    ) -> tuple[Node | None, Sequence[Any]]:
        """Hand on what `node` sent and run the newest live node, over and over, while that is easy.

        It is what `run` and `propagate` do, in a third of the time, for written nodes that nobody
        watches; such nodes send a gradient along each of their edges. One edge leads on, the one to
        the newer node, and that is mostly the newest of all: then nothing has to be stored or
        looked up. Returns the last node that ran, and what is left of what it sent.
        """
        pending, live, keep, graph = self.pending, self.live, self.keep, self.graph
        part = self.part
        newest = live[-1].order if live else LESS_THAN_ALL
        try:
            while True:
                beside: Any = None
                if part is not None:
                    sent = on_the_way(part, sent)
                length = len(sent)
                if length == 4:
                    edge, grad, beside, given = sent
                    if edge is None:
                        edge, grad, beside = beside, given, None
                    elif beside is not None:
                        if edge.__class__ is tuple or beside.__class__ is tuple:
                            break
                        if edge.order <= beside.order:  # the same: then the first arrives first
                            edge, grad, beside, given = beside, given, edge, grad
                elif length == 2:
                    edge, grad = sent
                elif length == 6:  # of three edges, as addmm has them, the first
                    edge, grad = sent[:2]
                    if edge is not None:
                        if edge.__class__ is tuple or edge._extra is not None:
                            break
                        self.arrive(edge, grad, node)
                        if self.ends:
                            return node, sent[2:]
                        newest = live[-1].order if live else LESS_THAN_ALL
                    sent = sent[2:]
                    continue
                else:
                    break
                if edge is None or edge.__class__ is tuple or edge._extra is not None:
                    break
                if beside is not None:
                    before = pending.get(beside)
                    if before is None:
                        self.arrive(beside, given, node)
                        if self.ends:
                            return node, (edge, grad)
                        newest = live[-1].order if live else LESS_THAN_ALL
                    else:
                        if given.__class__ is not beside.like:
                            given = validate_outputs(given, beside, node)
                        if beside.order < 0:
                            del pending[beside]  # so that this leaf becomes the last, for `rest`
                        pending[beside] = before + given
                if edge.order > newest:
                    if grad.__class__ is not edge.like:
                        grad = validate_outputs(grad, edge, node)
                else:
                    self.arrive(edge, grad, node)
                    sent = ()
                    if not live or self.ends or live[-1]._extra is not None:
                        break
                    edge = live[-1]
                    grad = pending[edge]
                    if grad is None:
                        break
                    del live[-1], pending[edge]
                    newest = live[-1].order if live else LESS_THAN_ALL
                node = edge
                sent = (node.run_graph if graph else node.run)(grad, keep)
        except BaseException:
            self.finish_complete(node)
            raise
        return node, sent

    def propagate(self, node: Node | None, sent: Sequence[Any]) -> None:
        """Let what `node` sent arrive where it counts."""
        if self.part is not None:
            sent = on_the_way(self.part, sent)
        for edge, grad in zip(sent[::2], sent[1::2], strict=True):
            if edge is not None:
                self.arrive(edge, grad, node)

    def arrive(self, edge: Any, grad: Gradient, node: Node | None) -> None:
        """Add what `node` sent along `edge`, a gradient or None, to what has arrived there."""
        pending = self.pending
        if edge.__class__ is tuple or edge._extra is FOREIGN:
            target, number = pair(edge)
            self.arrive_at_foreign(target, number, grad, node)
            return
        if grad is not None and grad.__class__ is not edge.like:
            grad = validate_outputs(grad, edge, node)
        if edge in pending:
            pending[edge] = added(pending.pop(edge), grad)  # the last, for `rest`
            self.earlier.discard(edge)
            return
        pending[edge] = grad
        if edge.order >= 0:
            live = self.live
            if live and edge.order < live[-1].order:
                insort(live, edge, key=in_order)
            else:
                live.append(edge)
        else:
            leaf = edge.variable
            seen = leaf._hooks or leaf._after_hooks or (edge._extra is not None and is_hooked(edge))
            if seen or (leaf._grad is not None and is_in_use(leaf._grad)):
                self.end(edge)

    def arrive_at_foreign(self, target: Any, number: int, grad: Gradient, node: Any) -> None:
        """The same for an edge to a node that was not written."""
        if target not in self.foreign:
            self.foreign[target] = [None] * len(target._meta)
            if target._seq == LAST:
                self.end(target)  # it runs at once, to raise
            else:
                insort(self.live, target, key=in_order)
        arrived = self.foreign[target]
        if grad is not None:
            grad = validate_outputs(grad, (target, number), node)
        arrived[number] = added(arrived[number], grad)

    def end(self, node: Node) -> None:
        """Note that somebody watches, from `node` on, which runs before all that is to come."""
        if not self.ends:
            self.ends, self.earlier = True, {*self.pending} - {node}

    def finish_earlier(self) -> None:
        """Give leaves to which nothing more can come their gradients: they had their turn."""
        edges = [edge for node in self.foreign if node._seq == LAST for edge in node.next_functions]
        self.finish_closed([*map(pair, self.live), *edges], self.earlier)

    def finish(self) -> None:
        """Give the leaves their gradients, or to the caller of `grad`."""
        pending = self.pending
        found: dict[int, Any] = {}  # by the array, which the tensor may hold as another object
        for leaf in tuple(pending):
            grad = pending.pop(leaf)
            if self.found is not None:
                _, self.found[leaf, 0] = found.setdefault(id(grad), (grad, as_tensor(grad)))
            elif grad is not None:
                # The same array may be on its way to another leaf, be part of a larger one, or the
                # user's: not if this function alone holds it.
                own = sys.getrefcount(grad) == ALONE and is_whole(grad)
                accumulate(leaf.variable, grad, own, self.graph)

    def finish_complete(self, node: Node | None) -> None:
        """After an error: leaves to which nothing more could come have got their gradients."""
        ahead = [pair(each) for each in self.live]
        if node is not None:
            ahead += node.next_functions
        self.finish_closed(ahead, set(self.pending))

    def finish_closed(self, ahead: list[Edge], leaves: set[Node]) -> None:
        """Give those of these leaves their gradients that no edge in `ahead` leads to."""
        open_ = count_dependencies(ahead)
        for leaf in tuple(self.pending) if self.accumulates else ():
            if isinstance(leaf, AccumulateGrad) and leaf in leaves and leaf not in open_:
                grad = self.pending.pop(leaf)
                if grad is not None:
                    accumulate(leaf.variable, grad, False, self.graph)


def is_in_use(grad: Tensor) -> bool:
    """Whether a `.grad`, which is about to be changed, may be saved by a node that is still to run:
    somebody else holds it, too, and its versions count.
    """
    return grad._counter is not None and sys.getrefcount(grad) > IN_USE


IN_USE = ALONE + 1  # `is_in_use` holds it, and the leaf
HOOKS = ("_retaining", "_tensor_hooks", "_pre_hooks", "_post_hooks")


def is_hooked(node: Node) -> bool:
    """Whether somebody has hooks on a node or its outputs, or keeps the gradient of one."""
    held: Any = node._extra if isinstance(node, WrittenNode) else vars(node)
    return any(any(held[name].values()) for name in HOOKS if name in held)


def is_ours(node: Node) -> bool:
    """Whether the library has written this node's backward, and that calls no user's code."""
    inner = getattr(node, "inner", None)  # of an edit of a view
    if isinstance(node, FunctionNode) or (inner is not None and not is_ours(inner)):
        return False
    saved = {type(each) for each in node._saved.values() if isinstance(each, SavedTensor)}
    return saved <= {SavedTensor, SlotSaved} and type(node).backward.__module__.startswith(PACKAGE)


def bare(edge: Edge) -> LaneEdge:
    """A pair (node, number) as the lane has it: the node, if its number is 0."""
    return edge if edge[1] else edge[0]


def as_tensor(grad: Gradient) -> Tensor | None:
    return grad if grad is None or isinstance(grad, Tensor) else new_tensor(grad)


def reachable(edges: Sequence[Edge]) -> tuple[dict[Node, None], set[Node], bool]:
    """The nodes to which these edges lead: operations, and leaves; and whether all ways end there,
    not in a node that leads nowhere, as that of a stray view.
    """
    nodes: dict[Node, None] = {}
    leaves: set[Node] = set()
    arrives = True
    ahead: list[LaneEdge] = [*edges]
    for edge in ahead:  # grows while it is read
        node: Any = edge[0] if edge.__class__ is tuple else edge
        if node.__class__ is AccumulateGrad:
            leaves.add(node)
        elif node is not None and node not in nodes:
            nodes[node] = None
            foreign = node._extra is FOREIGN
            further = node.next_functions if foreign else node.edges
            if foreign and all(following is None for following, _ in further):
                arrives = False
            ahead += further
    return nodes, leaves, arrives


def on_the_way(part: dict[Node | None, None], sent: Sequence[Any]) -> list[Any]:
    """`sent` without the edges that do not lead to the targets: None in their place."""
    kept = list(sent)
    for index in range(0, len(kept), 2):
        edge = kept[index]
        node = edge[0] if edge.__class__ is tuple else edge
        if node not in part:
            kept[index] = None
    return kept


def added(before: Any, grad: Any) -> Any:
    """The sum of two gradients, of which either may be missing."""
    return grad if before is None else before if grad is None else before + grad


def validate_outputs(grad: Any, edge: Any, node: Any) -> Any:
    """`grad` in the shape and dtype of what `edge` leads to: summed where that was broadcast."""
    data, graph = grad, isinstance(grad, Tensor)
    if graph:
        if grad.__class__ is not Tensor:
            grad = grad._as_plain()  # a subclass does not spread to gradients
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
            following = [pair(edge)[0] is each for each, _ in node.next_functions]
            raise invalid_gradient(node, following.index(True), data.shape, shape)
        grad = broadcasting.sum_to(grad, shape) if graph else sum_to(grad, shape)
    if data.dtype is dtype or data.dtype == dtype:
        return grad
    return grad.to(from_numpy_dtype(dtype)) if graph else grad.astype(dtype)


def accumulate(leaf: Tensor, grad: Any, own: bool, graph: bool) -> None:
    """Add `grad` to `leaf.grad`: into the same object, or a new one if that is to be recorded.

    `own` says that its memory is in no other hands, so it can become `.grad` without a copy.
    """
    if not leaf._requires_grad:
        return  # it did when the graph was recorded
    with locks.one_at_a_time:
        held = leaf._grad
        if held is None and graph:
            leaf._grad = recorded_copy(grad, leaf)
        elif held is None:
            like = leaf._data
            if not own or (grad.strides != like.strides and not is_gradient_of(grad, like)):
                grad = copy_for_grad(grad, like)
            leaf._grad = new_tensor(grad)
        elif graph:
            leaf._grad = held + grad
        elif not compute_there("add_", np.add, held, new_tensor(grad)):
            with grad_mode.no_grad():
                held.add_(new_tensor(grad))
