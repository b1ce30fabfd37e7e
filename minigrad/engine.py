"""The engine: walks the graph backward and gives every leaf its gradient.

Start at the roots with a gradient each. Run a node when every gradient it will get has arrived;
give what it returns to the nodes before it, adding where paths meet; at a leaf, add to `.grad`.
Sequence numbers make this easy: an operation is numbered after those its inputs came from, so going
through the nodes by falling number never runs one too early, and it is PyTorch's order, which hooks
make visible.

`run` keeps the nodes that have a gradient in that order, and always takes the newest. `walk` does
the same in a third of the time as long as nobody watches: no hooks, no code of the user's. Neither
recurses, so depth is limited by memory alone.

Gradients are bare NumPy arrays, and tensors only when they have to be: for hooks and for
`create_graph`.

Source: https://docs.pytorch.org/docs/2.13/notes/autograd.html and torch/csrc/autograd/engine.cpp
"""

from __future__ import annotations

import math
import sys
import threading
from bisect import insort
from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from . import anomaly, errors, grad_mode
from .dtypes import from_numpy_dtype
from .hooks import HookDict, NodeExtras, call_each, check_replacements
from .inplace import compute_there
from .node import (
    AccumulateGrad,
    Edge,
    Node,
    gradient_edge,
    meta_at,
    meta_of,
    node_of,
    shape_and_dtype,
    zeros_of,
)
from .ops.broadcasting import expandable, sum_to
from .tensor import Tensor, new_tensor

sequence_number = attrgetter("seq")
accumulating = threading.Lock()  # threads that share a leaf take turns adding to its gradient


class Nesting(threading.local):
    """The backwards of this thread that are under way: a Function's backward may call another.

    Attributes:
        depth: how many there are.
        innermost: the latest of them, once somebody watches it.
    """

    depth = 0
    innermost: Pass | None = None


nesting = Nesting()
DEEPEST = 30  # beyond it the next backward gets a new stack, so thousands can be nested


def run_backward(
    sent: Sequence[Any], keep: bool, graph: bool, targets: Targets | None = None
) -> None:
    """Push gradients into the graph and on to the leaves, or only towards `targets`.

    Args:
        sent: edge, gradient, edge, gradient, …, as `Node.backward` returns them; the gradients are
            arrays, or tensors if `graph`.
        keep: leave the saved values in place, so that the graph can be used again.
        graph: record what backward does, so that it can be differentiated in turn.
        targets: where gradients are wanted; None means every leaf.
    """
    depth = nesting.depth
    if depth == DEEPEST:
        on_a_new_stack(run_backward, sent, keep, graph, targets)
        return
    nesting.depth = depth + 1
    outer, before = nesting.innermost, grad_mode.is_grad_enabled()
    try:
        Pass(keep, graph, targets).run(sent)
    finally:
        grad_mode.set_mode(before)
        nesting.innermost = outer
        nesting.depth = depth


def on_a_new_stack(function: Callable[..., None], *args: Any) -> None:
    """Call `function` in a thread of its own, where Python's limit on nested calls starts anew."""
    errors_there: list[BaseException] = []

    def call() -> None:
        try:
            function(*args)
        except BaseException as error:
            errors_there.append(error)

    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    if errors_there:
        raise errors_there[0]


class Pass:
    """One backward pass through a graph.

    While nobody watches, nobody can tell when a leaf gets its gradient: all get theirs at the end.
    From the first hook on, or where code of the user's runs, or if an error ends the pass, the
    edges to each leaf are counted, and it gets its gradient when the last one has been followed.

    Attributes:
        keep, graph, targets: what `run_backward` was told.
        part: the targets, if only a part of the graph leads to them.
        pending: node → the gradients that have arrived there, added up; of a node with several
            outputs, a list with the gradient of each.
        live: the nodes in `pending` that are no leaves, by rising sequence number.
        nodes: once somebody watches, those that were still to run then.
        uses: once somebody watches, for each leaf how many edges to it are still to be followed.
    """

    __slots__ = (
        "__weakref__", "graph", "keep", "live", "nodes", "part", "pending", "targets", "uses",
    )  # fmt: skip

    def __init__(self, keep: bool, graph: bool, targets: Targets | None) -> None:
        self.keep, self.graph, self.targets = keep, graph, targets
        self.part: Targets | None = None
        self.pending: dict[Any, Any] = {}
        self.live: list[Node] = []
        self.nodes: list[Node] = []
        self.uses: dict[Node, int] | None = None

    def run(self, sent: Sequence[Any]) -> None:
        """Run the newest live node, hand on what it sends, and so on to the leaves."""
        node: Any = None
        self.prepare(sent[::2])
        try:
            while True:
                if self.uses is None:
                    node, sent = self.walk(node, sent)
                hooks = self.hand_on(node, sent)
                edges, sent = sent[::2], ()  # `pending` alone holds the gradients, see `finish`
                if self.uses is not None:
                    self.count_down(edges)
                elif hooks:
                    self.watch(self.live)
                if not self.live:
                    break
                node = self.live.pop()
                if self.uses is None and node.extra is not None:
                    self.watch([node, *self.live])
                sent = self.fire(node, self.pending.pop(node))
        except BaseException:
            if self.uses is None:
                self.watch([node, *self.live])
            raise
        for leaf in tuple(self.pending):
            self.finish(leaf)

    def fire(self, node: Node, grad: Any) -> Sequence[Any]:
        """What `node` sends along its edges when `grad` has arrived."""
        if self.uses is not None:
            sent: Sequence[Any] = anomaly.watched(self.run_with_care)(node, grad)
            return sent
        return (node.backward_graph if self.graph else node.backward)(grad, self.keep)

    def prepare(self, edges: Sequence[Any]) -> None:
        """Look where the edges of the roots lead, if only a part of that is to run."""
        if self.graph:
            grad_mode.set_mode(True)
        if self.targets is not None and not self.targets.are_all_leaves(edges):
            self.part = self.targets
        if anomaly.enabled:
            self.watch(edges)

    def walk(  # noqa: C901 - a call to another function takes a fifth of the time of a node
        self, node: Any, sent: Sequence[Any]
    ) -> tuple[Any, Sequence[Any]]:
        """Hand on what `node` sent and run the newest live node, over and over, while that is easy.

        It is what `run` and `hand_on` do, in a third of the time, for nodes of one output that
        nobody watches; such nodes send a gradient along each of their edges. One edge leads on, the
        one to the newer node, and that is mostly the newest of all: then nothing has to be stored
        or looked up. Returns the last node that ran, and what is left of what it sent.
        """
        pending, live, keep, graph = self.pending, self.live, self.keep, self.graph
        part = self.part
        newest = live[-1].seq if live else -1
        try:
            while True:
                beside: Any = None
                if part is not None:
                    sent = part.on_the_way(sent)
                length = len(sent)
                if length == 4:
                    edge, grad, beside, given = sent
                    if edge is None:
                        edge, grad, beside = beside, given, None
                    elif beside is not None:
                        if edge.__class__ is tuple or beside.__class__ is tuple:
                            break
                        if edge.seq <= beside.seq:  # the same: then the first arrives first
                            edge, grad, beside, given = beside, given, edge, grad
                        if beside.extra is not None:
                            break
                elif length == 2:
                    edge, grad = sent
                elif length == 6:  # of three edges, as addmm has them, the first
                    edge, grad = sent[:2]
                    if edge is not None:
                        if edge.__class__ is tuple or edge.extra is not None:
                            break
                        self.arrive(edge, grad, node)
                        newest = live[-1].seq if live else -1
                    sent = sent[2:]
                    continue
                else:
                    break
                if edge is None or edge.__class__ is tuple or edge.extra is not None:
                    break
                if beside is not None:
                    before = pending.get(beside)
                    if before is None:
                        self.arrive(beside, given, node)
                        newest = live[-1].seq if live else -1
                    else:
                        if given.__class__ is not beside.meta:
                            given = conform(given, beside, node)
                        pending[beside] = before + given
                if edge.seq > newest:
                    if grad.__class__ is not edge.meta:
                        grad = conform(grad, edge, node)
                else:
                    self.arrive(edge, grad, node)
                    sent = ()
                    if not live or live[-1].extra is not None:
                        break
                    edge = live.pop()
                    grad = pending.pop(edge)
                    newest = live[-1].seq if live else -1
                node = edge
                sent = (node.backward_graph if graph else node.backward)(grad, keep)
        except BaseException:
            self.watch([node, *self.live])
            raise
        return node, sent

    def hand_on(self, node: Any, sent: Sequence[Any]) -> bool:
        """Let what `node` sent arrive where it counts; whether that is at a leaf with hooks."""
        hooks = False
        if self.part is not None:
            sent = self.part.on_the_way(sent)
        for edge, grad in zip(sent[::2], sent[1::2], strict=True):
            if edge is not None:
                self.arrive(edge, grad, node)
                hooks = hooks or (edge.__class__ is AccumulateGrad and edge.extra is not None)
        return hooks

    def arrive(self, edge: Any, grad: Any, node: Any) -> None:
        """Add what `node` sent along `edge`, a gradient or None, to what has arrived there."""
        pending = self.pending
        if edge.__class__ is tuple:
            self.arrive_at_output(edge, grad, node)
            return
        if grad is not None and grad.__class__ is not edge.meta:
            grad = conform(grad, edge, node)
        if edge in pending:
            pending[edge] = added(pending[edge], grad)
            return
        pending[edge] = grad
        if edge.__class__ is not AccumulateGrad:
            add_live(self.live, edge)

    def arrive_at_output(self, edge: tuple[Node, int], grad: Any, node: Any) -> None:
        """The same for an edge to one of several outputs."""
        target, number = edge
        if target not in self.pending:
            self.pending[target] = [None] * target.outputs
            add_live(self.live, target)
        arrived = self.pending[target]
        if grad is not None:
            grad = conform(grad, edge, node)
        arrived[number] = added(arrived[number], grad)

    def watch(self, ahead: Iterable[Edge]) -> None:
        """Count the edges from `ahead` on, and finish the leaves to which none leads."""
        self.nodes, self.uses = reachable(ahead)
        nesting.innermost = self
        grad_mode.set_mode(self.graph)
        leaves = [each for each in self.pending if each.__class__ is AccumulateGrad]
        complete = [leaf for leaf in leaves if not self.uses.setdefault(leaf, 0)]
        for leaf in complete:
            self.finish(leaf)

    def count_down(self, edges: Iterable[Any]) -> None:
        """Note that these edges have been followed."""
        assert self.uses is not None
        for leaf in edges:
            if leaf.__class__ is AccumulateGrad:
                self.uses[leaf] -= 1
                if not self.uses[leaf] and leaf in self.pending:
                    self.finish(leaf)

    def includes(self, node: Node | None) -> bool:
        """Whether a gradient, or None, will arrive at `node`. RuntimeError for a leaf in `grad`."""
        if node not in (self.uses or ()) and node not in self.nodes:
            return False
        targets = self.targets
        captures = targets is not None and node in targets.nodes and not targets.accumulate
        if captures and isinstance(node, AccumulateGrad):
            raise errors.will_leaf_execute()
        return self.part is None or node in self.part.reached

    def finish(self, leaf: Any) -> None:
        """All of a leaf's gradient is here: give it to the leaf, or to the caller of `grad`."""
        grad = self.pending.pop(leaf)
        if anomaly.enabled or leaf.extra is not None:
            grad_mode.set_mode(self.graph)
            anomaly.watched(self.finish_with_care)(leaf, grad)
        elif self.targets is not None and not self.targets.accumulate:
            self.targets.found[leaf] = grad
        elif grad is not None:
            # The same array may be on its way to another leaf, be part of a larger one, or the
            # user's: not if this function alone holds it.
            own = sys.getrefcount(grad) == ALONE and is_whole(grad)
            accumulate(leaf.variable, grad, own, self.graph)

    def finish_with_care(self, node: Any, grad: Any) -> None:
        """Run a leaf's hooks on its gradient, then add that to `.grad`, or hand it over."""
        graph, targets = self.graph, self.targets
        leaf, extra = node.variable, node.extra
        hooks = leaf._hooks
        if hooks is not None and hooks.pre:
            grad = carried(call_each(hooks.pre.values(), as_tensor(grad)), graph)
        if targets is not None and not targets.accumulate:
            targets.found[node] = grad
            return
        if extra is not None:
            arrived = call_prehooks(extra.pre_hooks, [as_tensor(grad)])
            grad = carried(arrived[0], graph)
        if grad is not None:
            accumulate(leaf, grad, False, graph)
        if hooks is not None:
            for hook in tuple(hooks.post_accumulate.values()):
                if hook(leaf) is not None:
                    raise errors.post_accumulate_result()
        if extra is not None:
            call_posthooks(extra.post_hooks, (), arrived, graph)

    def run_with_care(self, node: Node, grad: Any) -> Sequence[Any]:
        """Run a node that has hooks, that may be a target, or that no gradient has reached."""
        keep, graph, part = self.keep, self.graph, self.part
        nothing = sent = node.along([None] * len(node.next))
        several = node.meta.__class__ is list
        grads = grad if several else [grad]
        arrived = any(each is not None for each in grads)
        if part is not None and not arrived and node not in part.reached:
            return nothing
        runs = part is None or node in part.runs
        if part is not None and runs:
            part.capture(node, grads)  # before the hooks: that is what PyTorch returns here
        extra = node.extra
        tensors: list[Tensor | None] = []
        if extra is not None:
            tensors = [as_tensor(each) for each in grads]
            call_tensor_hooks(extra, tensors)
            if runs:
                tensors = call_prehooks(extra.pre_hooks, tensors)
            grads = [carried(each, graph) for each in tensors]
        if part is not None and not runs:
            part.capture(node, grads)
            return nothing
        if node.runs_on_nothing or any(each is not None for each in grads):
            grad = grads if several else grads[0]
            sent = (node.backward_graph if graph else node.backward)(grad, keep)
        elif not keep:
            node.release()
        if extra is not None and extra.post_hooks:
            edges = sent[::2] if part is None else part.on_the_way(sent)[::2]
            results = [
                conform(each, edge, node) if each is not None and edge is not None else None
                for edge, each in zip(edges, sent[1::2], strict=True)
            ]
            sent = node.along(call_posthooks(extra.post_hooks, results, tensors, graph))
        return sent


def add_live(live: list[Node], node: Node) -> None:
    """Put `node` in its place among the live nodes."""
    if live and node.seq < live[-1].seq:
        insort(live, node, key=sequence_number)
    else:
        live.append(node)


def reachable(edges: Iterable[Any]) -> tuple[list[Node], dict[Node, int]]:
    """The nodes that `edges` lead to; for each leaf among them the number of edges to it."""
    nodes: dict[Node, None] = {}
    uses: dict[Node, int] = {}
    ahead = list(edges)
    for edge in ahead:  # grows while it is read
        node = edge[0] if edge.__class__ is tuple else edge
        if node.__class__ is AccumulateGrad:
            uses[node] = uses.get(node, 0) + 1
        elif node is not None and node not in nodes:
            nodes[node] = None
            ahead += node.next
    return list(nodes), uses


def added(before: Any, grad: Any) -> Any:
    """The sum of two gradients, of which either may be missing."""
    return grad if before is None else before if grad is None else before + grad


def call_tensor_hooks(extra: NodeExtras, grads: list[Tensor | None]) -> None:
    """Let the hooks of the tensors that a node made see, and replace, their gradients in `grads`.

    Retaining comes last, whenever it was asked for: it keeps what the hooks have made of it.
    """
    for number, hooks in extra.tensor_hooks.items():
        grads[number] = call_each(hooks.values(), grads[number])
    for number, reference in extra.retaining.items():
        tensor, grad = reference(), grads[number]
        if tensor is not None and grad is not None:
            tensor._grad = grad.clone() if tensor._grad is None else tensor._grad + grad


def call_prehooks(hooks: HookDict, grads: Sequence[Tensor | None]) -> list[Tensor | None]:
    for hook in tuple(hooks.values()):
        replacements = hook(tuple(grads))
        if replacements is not None:
            grads = check_replacements(grads, replacements, hook)
    return list(grads)


def call_posthooks(
    hooks: HookDict, results: Sequence[Any], grad_outputs: Sequence[Any], graph: bool
) -> list[Any]:
    inputs = tuple(as_tensor(each) for each in results)
    for hook in tuple(hooks.values()):
        replacements = hook(inputs, tuple(grad_outputs))
        if replacements is not None:
            inputs = check_replacements(inputs, replacements, hook)
    return [carried(each, graph) for each in inputs]


def references_of_a_local() -> int:
    """What `sys.getrefcount` says of an object that one local variable holds.

    The way to getrefcount may count as well: it does up to Python 3.13.
    """
    lone = object()
    return sys.getrefcount(lone)


ALONE = references_of_a_local()


def is_whole(grad: Any) -> bool:
    """Whether nothing else uses the memory of `grad`, which nothing else holds."""
    if grad.__class__ is not np.ndarray or grad.base is None:
        return True
    base = grad.base
    whole = base.__class__ is np.ndarray and base.size == grad.size and grad.flags.writeable
    return whole and sys.getrefcount(base) == ALONE + 1  # `grad` holds it, too


def accumulate(leaf: Tensor, grad: Any, own: bool, graph: bool) -> None:
    """Add `grad` to `leaf.grad`: into the same object, or a new one if that is to be recorded.

    `own` says that its memory is in no other hands, so it can become `.grad` without a copy.
    """
    if not leaf._requires_grad:
        return  # it did when the graph was recorded
    with accumulating:
        held = leaf._grad
        if held is None and graph:
            leaf._grad = new_tensor(np.empty_like(grad._data)).copy_(grad)
        elif held is None:
            leaf._grad = new_tensor(grad if own else grad.copy())
        elif graph:
            leaf._grad = held + grad
        elif not compute_there(np.add, held, new_tensor(grad)):
            with grad_mode.no_grad():
                held.add_(new_tensor(grad))


def as_tensor(grad: Any) -> Any:
    """What hooks and users see of a gradient: a tensor, or None where there is none."""
    return grad if grad is None or isinstance(grad, Tensor) else new_tensor(grad)


def carried(grad: Tensor | None, graph: bool) -> Any:
    """What the loops carry of a gradient: its array, or with `graph` the tensor itself."""
    return grad if graph or grad is None else grad._data


def conform(grad: Any, edge: Any, node: Node) -> Any:
    """`grad` in the shape and dtype of what `edge` leads to: summed where that was broadcast."""
    meta = edge.meta if edge.__class__ is not tuple else meta_at(edge)
    data = grad._data if isinstance(grad, Tensor) else grad
    if data.__class__ is meta:
        return grad
    if meta.__class__ is tuple and data.dtype is meta[1] and data.shape == meta[0]:
        return grad
    shape, dtype = shape_and_dtype(meta)
    if data.shape != shape:
        if not expandable(shape, data.shape):
            raise errors.invalid_gradient(node, node.next.index(edge), data.shape, shape)
        grad = sum_to(grad, shape)
    if data.dtype is dtype or data.dtype == dtype:
        return grad
    return grad.to(from_numpy_dtype(dtype)) if isinstance(grad, Tensor) else grad.astype(dtype)


class Targets:
    """The inputs that `grad(…, inputs)` or `backward(inputs=…)` asks for, and what arrived there.

    Attributes:
        nodes: where the gradients of these inputs arrive.
        runs: the nodes that have to run for gradients to get there.
        reached: these and the targets themselves.
        found: edge → the gradient that arrived there.
    """

    def __init__(self, edges: Sequence[Edge], accumulate: bool) -> None:
        self.accumulate = accumulate
        self.nodes = {node_of(edge) for edge in edges if edge is not None}
        self.found: dict[Any, Any] = {}
        for node in self.nodes:
            if node.__class__ is not AccumulateGrad:
                node.extras()  # so that the engine looks closer there

    def are_all_leaves(self, edges: Iterable[Edge]) -> bool:
        """Whether they are just the leaves that `edges` lead to, so that nothing is left out.

        If not, this finds out where to go from `edges` to get to them.
        """
        nodes, leaves = reachable(edges)
        if leaves.keys() == self.nodes:
            return True
        self.runs = set(self.nodes) if self.accumulate else set()
        self.reached = set(self.nodes)
        nodes.sort(key=sequence_number)  # oldest first: where a node leads is known before the node
        for node in nodes:
            if any(edge is not None and node_of(edge) in self.reached for edge in node.next):
                self.runs.add(node)
                self.reached.add(node)
        return False

    def on_the_way(self, sent: Sequence[Any]) -> list[Any]:
        """`sent` without the edges that do not lead to the targets: None in their place."""
        kept = list(sent)
        for index in range(0, len(kept), 2):
            if kept[index] is not None and node_of(kept[index]) not in self.reached:
                kept[index] = None
        return kept

    def capture(self, node: Node, grads: Sequence[Any]) -> None:
        """Note what arrived at `node`, if it is a target; the first word counts."""
        if node in self.nodes:
            for number, grad in enumerate(grads):
                self.found.setdefault(node.edge(number), grad)


# What users call


def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    *,
    inputs: Tensor | Sequence[Tensor] | None = None,
) -> None:
    """Add the gradients of `tensors` to the `.grad` of the leaves they were computed from.

    Args:
        tensors: the roots: results to differentiate.
        grad_tensors: a cotangent for each, of its shape; may be None for one-element roots.
        retain_graph: keep the saved values for another backward (default: `create_graph`).
        create_graph: record backward itself, for higher derivatives.
        inputs: accumulate into these tensors only.

    Raises:
        RuntimeError: a root without a graph, a freed graph, a cotangent that is missing or of a
            wrong shape.
    """
    roots = as_tuple(tensors)
    sources = None if inputs is None else as_tuple(inputs)
    if sources is not None and not sources:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    started = start(roots, as_cotangents(grad_tensors, len(roots)), create_graph)
    targets = None
    if sources is not None:
        for source in sources:
            if isinstance(source, Tensor):
                source.retain_grad()
        targets = Targets([edge_of(source) for source in sources], accumulate=True)
    keep = create_graph if retain_graph is None else retain_graph
    try:
        run_backward(started, keep, create_graph, targets)
    finally:
        if create_graph:
            errors.warn_create_graph()


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
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
        retain_graph, create_graph: as in `backward`.
        only_inputs: deprecated; without effect, as in PyTorch.
        allow_unused: return None for an input that the outputs do not depend on, instead of
            raising.
        is_grads_batched: not supported.
        materialize_grads: return zeros for such an input.

    Raises:
        NotImplementedError: for `is_grads_batched`.
        RuntimeError: no graph, a freed graph, wrong cotangents, or an unused input.
    """
    if materialize_grads and allow_unused is False:
        raise errors.contradicting_unused()
    if is_grads_batched:
        raise errors.no_batched_gradients()
    if not only_inputs:
        errors.warn_only_inputs()
    roots, sources = as_tuple(outputs), as_tuple(inputs)
    started = start(roots, as_cotangents(grad_outputs, len(roots)), create_graph)
    if not sources:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    edges = [edge_of(source) for source in sources]
    if None in edges:
        raise RuntimeError("One of the differentiated Tensors does not require grad")
    targets = Targets(edges, accumulate=False)
    keep = create_graph if retain_graph is None else retain_graph
    run_backward(started, keep, create_graph, targets)
    results: list[Tensor | None] = []
    for index, edge in enumerate(edges):
        found = targets.found.get(edge)
        if found is None and not (allow_unused or materialize_grads):
            raise errors.unused_input(index)
        if found is None and materialize_grads:
            if isinstance(sources[index], GradientEdge):
                raise errors.nothing_to_materialize()
            found = new_tensor(zeros_of(meta_at(edge)), requires_grad=create_graph)
        results.append(as_tensor(found))
    return tuple(results)


def as_tuple(tensors: Any) -> tuple[Any, ...]:
    return (tensors,) if isinstance(tensors, (Tensor, GradientEdge)) else tuple(tensors)


class GradientEdge(NamedTuple):
    """A place in the graph where a gradient can start or be asked for, without the tensor."""

    node: Node
    output_nr: int
    ownership_token: Any = None


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge that a gradient of `tensor` flows along. RuntimeError without requires_grad."""
    edge = gradient_edge(tensor)
    if edge is None:
        raise errors.no_gradient_edge()
    return GradientEdge(node_of(edge), tensor.output_nr)


def edge_of(place: Any) -> Edge:
    """The edge of a tensor or GradientEdge. RuntimeError for anything else."""
    if isinstance(place, Tensor):
        return gradient_edge(place)
    if isinstance(place, GradientEdge):
        return place.node.edge(place.output_nr)
    raise errors.no_place_for_gradient(place)


def as_cotangents(grads: Any, count: int) -> tuple[Tensor | None, ...]:
    """`grads` as one cotangent, or None, for each of `count` roots."""
    if grads is None:
        return (None,) * count
    cotangents = as_tuple(grads)
    for cotangent in cotangents:
        if cotangent is not None and not isinstance(cotangent, Tensor):
            raise errors.cotangent_type(cotangent)
    return cotangents


def start(roots: Sequence[Tensor], cotangents: Sequence[Tensor | None], graph: bool) -> list[Any]:
    """The edge of each root and the gradient to push into it, by turns, checked."""
    sent: list[Any] = []
    for index, (root, cotangent) in enumerate(zip(roots, cotangents, strict=False)):
        if isinstance(root, Tensor):
            edge, meta = gradient_edge(root), meta_of(root._data)
        elif isinstance(root, GradientEdge):
            edge = edge_of(root)
            meta = meta_at(edge)
        else:
            raise AssertionError("Expected output to be a torch.Tensor")
        shape = meta[0] if meta.__class__ is tuple else ()
        if cotangent is not None:
            if cotangent.shape != shape:
                raise errors.cotangent_shape(index, cotangent.shape, shape)
        elif edge is not None and math.prod(shape) != 1:
            raise errors.not_a_scalar()
        if edge is None:
            raise errors.no_graph(index)
        value: Any = cotangent
        if value is None:
            value = np.ones(*meta) if meta.__class__ is tuple else meta(1)
        value = as_tensor(value) if graph else value._data if isinstance(value, Tensor) else value
        sent += (edge, conform(value, edge, node_of(edge)))
    if len(roots) > len(cotangents):
        raise RuntimeError(f"got {len(roots)} tensors and {len(cotangents)} gradients")
    return sent
