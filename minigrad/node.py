"""The graph: nodes, the edges between them, and what a node keeps for backward.

Every recorded operation leaves a `Node`: the object that `grad_fn` shows. A node knows the nodes
that its inputs came from (`next`), the shape and dtype of its output (`meta`), and the values that
its derivative needs. A tensor holds its node and a node holds the nodes before it; no node holds
the tensor it made, so a graph dies with its last tensor, without the garbage collector.

An edge leads from a node to one input of its derivative: to a `Node` where the operation had one
output, to a pair `(node, output number)` where it had several, and is None where no gradient is
wanted.

Source: https://docs.pytorch.org/docs/2.13/notes/autograd.html#how-autograd-encodes-the-history and
torch/csrc/autograd/function.h
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Union

import numpy as np

from . import errors, watching
from .dtypes import from_numpy_dtype
from .hooks import NodeExtras, RemovableHandle

if TYPE_CHECKING:
    from .tensor import Tensor

Edge = Union["Node", tuple["Node", int], None]

next_sequence_number = itertools.count().__next__
LEAF_SEQUENCE_NUMBER = -1  # less than any operation's; PyTorch shows it as an unsigned number

# What a saved value is replaced by once backward has used it.
FREED: Any = type("Freed", (), {"__repr__": lambda self: "<freed>", "__slots__": ()})()


class PackedValue:
    """What stands in the place of a saved tensor that a hook of the user's keeps."""

    __slots__ = ()

    def open(self) -> Tensor:
        """The tensor that was saved."""
        raise NotImplementedError


class Node:
    """One recorded operation.

    Subclasses (one an operation, made by the table in `minigrad.ops`) add the edges to the nodes of
    the inputs, the saved values, and `backward(grad, keep)`: from the gradient of the output to
    what goes along the edges, as edge, gradient, edge, gradient, … where a gradient may be None.
    Unless `keep`, it lets go of the saved values. `backward` computes with bare NumPy arrays,
    `backward_graph` with tensors, so that what it does is recorded in turn.

    Attributes:
        seq: the sequence number; a node's is larger than those of the nodes it was computed from.
        next: the edges. Nodes of the table have a slot for each, and show them together here: a
            tuple more would be a second object for the garbage collector to visit.
        meta: what the output is: a NumPy scalar type for a number, (shape, NumPy dtype) for an
            array, a list of these for several outputs.
        extra: hooks and other rare things, None for most nodes. Where it is not None, code of the
            user's may run, which can see what leaves have got by then.
    """

    __slots__ = ("__weakref__", "extra", "meta", "seq")

    seq: int
    next: tuple[Edge, ...]
    meta: Any
    extra: NodeExtras | None

    # The name of a saved tensor → the number of the input it is, or "output", or None for an input
    # that has no derivative.
    saved: ClassVar[dict[str, Any]] = {}
    # Whether the output shares memory with the input.
    is_view: ClassVar[bool] = False
    # Whether it also runs if no gradient has arrived, as functions of the user's do.
    runs_on_nothing: ClassVar[bool] = False

    def backward(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        raise NotImplementedError(f"{self.name()} has no derivative")

    def backward_graph(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        raise NotImplementedError(f"{self.name()} has no derivative")

    def along(self, grads: Iterable[Any]) -> tuple[Any, ...]:
        """What `backward` returns if `grads` are the gradients for the edges in `next`."""
        return tuple(each for pair in zip(self.next, grads, strict=True) for each in pair)

    def release(self) -> None:
        """Let go of the saved values, as backward does."""
        for name in self.saved:
            if getattr(self, f"saved_{name}", None) is not None:
                setattr(self, f"saved_{name}", FREED)

    def name(self) -> str:
        return type(self).__name__

    @property
    def outputs(self) -> int:
        """How many tensors the operation made."""
        return len(self.meta) if self.meta.__class__ is list else 1

    def edge(self, number: int) -> Edge:
        """The edge that leads to output `number`."""
        return (self, number) if self.meta.__class__ is list else self

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The edges as PyTorch shows them: pairs of a node, or None, and an output number."""
        return tuple(edge if edge.__class__ is tuple else (edge, 0) for edge in self.next)  # type: ignore[misc]

    @property
    def metadata(self) -> dict[str, Any]:
        """A dictionary for the user's own notes about this node."""
        return self.extras().metadata

    def extras(self) -> NodeExtras:
        if self.extra is None:
            self.extra = NodeExtras()
        return self.extra

    def register_hook(self, hook: Any) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after this node; it may return new grad_inputs."""
        return RemovableHandle(self.extras().post_hooks, hook)

    def register_prehook(self, hook: Any) -> RemovableHandle:
        """Call `hook(grad_outputs)` before this node runs; it may return new grad_outputs."""
        return RemovableHandle(self.extras().pre_hooks, hook)

    def _sequence_nr(self) -> int:
        return self.seq

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"


class HandWrittenNode(Node):
    """A node whose class no row of the table has written; it may have any number of inputs."""

    __slots__ = ("next",)

    next: tuple[Edge, ...]


class AccumulateGrad(Node):
    """The end of a path: adds the gradient that arrives to the `.grad` of a leaf.

    There is one for a leaf, however often the leaf is used. It holds the leaf, and the leaf holds
    it weakly: it lives as long as some graph leads to it.
    """

    __slots__ = ("variable",)
    __module__ = "builtins"

    variable: Tensor
    next = ()

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def _sequence_nr(self) -> int:
        return self.seq % 2**64


def leaf_edge(leaf: Tensor) -> AccumulateGrad:
    """The AccumulateGrad of a leaf that requires grad; made if no graph has one yet."""
    reference = leaf._accumulator
    node = reference() if reference is not None else None
    if node is None:
        node = AccumulateGrad()
        node.seq, node.extra, node.variable = LEAF_SEQUENCE_NUMBER, None, leaf
        node.meta = meta_of(leaf._data)
        leaf._accumulator = weakref.ref(node)
        if leaf._hooks is not None:
            node.extras()
        if watching.active:
            watching.recorded(node)
    return node


def gradient_edge(tensor: Tensor) -> Edge:
    """Where a gradient of `tensor` goes: its grad_fn, its AccumulateGrad, or None."""
    if tensor._view is not None:
        tensor._view.refresh(tensor)
    edge = tensor._edge
    if edge is None and tensor._requires_grad:
        return leaf_edge(tensor)
    return edge


def node_of(edge: Edge) -> Node:
    return edge[0] if edge.__class__ is tuple else edge  # type: ignore[return-value]


def meta_of(data: Any) -> Any:
    """What a gradient for `data` has to look like; see `Node.meta`."""
    return (data.shape, data.dtype) if data.__class__ is np.ndarray else data.__class__


def meta_at(edge: Any) -> Any:
    """What a gradient that goes along `edge` has to look like."""
    node, number = edge if edge.__class__ is tuple else (edge, 0)
    return node.meta[number] if node.meta.__class__ is list else node.meta


def shape_and_dtype(meta: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return meta if meta.__class__ is tuple else ((), np.dtype(meta))


def zeros_of(meta: Any) -> Any:
    """A gradient of zeros that looks as `meta` says."""
    shape, dtype = shape_and_dtype(meta)
    return np.zeros(shape, dtype)[()]


def short_name(node: Node) -> str:
    """The operation's name without `Backward0`, as PyTorch's messages about edits give it."""
    name, backward, number = node.name().rpartition("Backward")
    return name + number.removeprefix("0") if backward and number != "s" else node.name()


def check_saved(node: Node, name: str) -> Any:
    """The saved array `name` of `node`. RuntimeError if it is freed or was changed since."""
    data = getattr(node, f"saved_{name}", None)
    if data is FREED:
        raise errors.freed_graph()
    if data is None or isinstance(data, PackedValue):
        return data
    if getattr(node, f"counter_{name}")[0] != getattr(node, f"version_{name}"):
        raise modified(node, name)
    return data


def modified(node: Node, name: str) -> Exception:
    """The error for the saved tensor `name`, which an in-place operation has changed."""
    counter, version = getattr(node, f"counter_{name}"), getattr(node, f"version_{name}")
    is_output = node.saved[name] == "output"
    return stale(
        getattr(node, f"saved_{name}"), counter, version, saved_edge(node, name), is_output
    )


def saved_edge(node: Node, name: str) -> Edge:
    """The edge along which a gradient of the saved value `name` goes."""
    source = node.saved[name]
    return node if source == "output" else None if source is None else node.next[source]


def stale(data: Any, counter: list[Any], version: int, edge: Edge, is_output: bool) -> Exception:
    """The error for a value that was saved at `version`, came from `edge`, and has changed since.

    PyTorch names the `grad_fn` that the saved tensor has by now: the last in-place operation's, or
    AsStrided for a view of what was changed. For an output it names the operation itself.
    """
    maker = ""
    if edge is not None and not isinstance(node_of(edge), AccumulateGrad):
        number = edge[1] if isinstance(edge, tuple) else 0
        writer = short_name(node_of(edge))
        if node_of(edge).is_view and not is_output:
            writer = "AsStrided"
        elif len(counter) > 1 and not is_output:
            writer = counter[1]
        maker = f", which is output {number} of {writer},"
    kind = from_numpy_dtype(data.dtype)
    return errors.modified_in_place(kind, data.shape, maker, counter[0], version)
