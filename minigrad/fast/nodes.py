"""Nodes of generated operations, with slots instead of tuples, dictionaries and objects.

From outside they look like any other node, because `next_functions`, `_meta` and `_saved` are
properties that build their value on demand.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from typing import Any, ClassVar

from ..core.checks import check_all_saved
from ..core.grad_mode import is_grad_enabled
from ..core.node import FREED, Edge, Node, SavedTensor, set_history
from ..core.operation import Operation, OperationNode
from ..core.tensor import Tensor, as_array, new_tensor, version_counter
from ..rows.operands import PYTHONS_NUMBERS, wrapped
from ..rows.row import in_rules
from ..rows.silence import silence
from ..support.errors import modified_in_place
from ..support.hook_handles import EMPTY, HookDict
from . import modes
from .arrays import Array
from .leaves import meta

LaneEdge = Node | Edge | None  # just the node, if its output number is 0


def plain_edge(edge: LaneEdge) -> Edge:
    """A lane edge in the form that the plain library uses: a pair (node, output number)."""
    return edge if isinstance(edge, tuple) else (edge, 0)


def extra_dict(name: str) -> Any:
    """A property for a dictionary that few nodes have, so it is created on first use."""
    return property(lambda node: EMPTY if node._extra is None else node._extra.get(name, EMPTY))


class GeneratedNode(Node):
    """The node of an operation that `fast.operations` generated; each row has its own subclass.

    Attributes:
        order: the sequence number.
        like: the type of the output: a NumPy scalar type for a scalar, (shape, NumPy dtype) for an
            array.
        _extra: hooks and other rare things by name; None for most nodes. Unless it is None, the
            lane checks before it runs the node, since it may call user code or be a target.
        edges: for each input a node, a pair (node, output number) or None. Each has a slot of its
            own, since a tuple would be one more object for the garbage collector to visit.
        run, run_graph: backward on arrays and on tensors, from the gradient of the output to a flat
            sequence edge, gradient, edge, gradient, …
    """

    __slots__ = ("__weakref__", "_extra", "like", "order")

    row: ClassVar[Operation]
    like: Any
    order: int
    _extra: dict[str, Any] | None
    edges: tuple[LaneEdge, ...]
    run: Callable[[Any, bool], Sequence[Any]]
    run_graph: Callable[[Tensor, bool], Sequence[Any]]

    _retaining, _tensor_hooks = extra_dict("_retaining"), extra_dict("_tensor_hooks")
    _pre_hooks, _post_hooks = extra_dict("_pre_hooks"), extra_dict("_post_hooks")
    _seq = property(lambda node: node.order)
    _hooked = property(lambda node: node._extra is not None)

    def _own(self, name: str) -> HookDict:
        if self._extra is None:
            self._extra = {}
        hooks: HookDict = self._extra.setdefault(name, HookDict())
        return hooks

    def name(self) -> str:
        return self.row.node_name

    @property
    def next_functions(self) -> tuple[Edge, ...]:  # type: ignore[override]
        return tuple([plain_edge(edge) for edge in self.edges])

    @property
    def _meta(self) -> Any:
        return [meta(self.like)]

    @_meta.setter
    def _meta(self, value: Any) -> None:
        ((shape, kind),) = value
        self.like = (tuple(shape), kind.numpy) if shape else kind.numpy.type

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        if grad is None:
            check_all_saved(self)
            return [None] * len(self.edges)
        if is_grad_enabled() or grad._view is not None:  # a hook may have returned it
            return self.backward_graph(grad)
        data = as_array(grad)  # an array, since hooks may change it in place or through a view
        with silence():
            results = self.run(data, True)[1::2]
        same = {id(None): None, id(data): grad}
        return [same[id(each)] if id(each) in same else new_tensor(each) for each in results]

    @in_rules
    def backward_graph(self, grad: Tensor) -> Sequence[Tensor | None]:
        modes.recorded_backward = True
        results: Sequence[Tensor | None] = self.run_graph(grad, True)[1::2]
        return results

    def release_variables(self) -> None:
        for name in self.row.freed:
            if getattr(self, f"saved_{name}", None) is not None:
                setattr(self, f"saved_{name}", FREED)

    @property
    def _saved(self) -> Any:  # type: ignore[override]
        return SlotMapping(self)


def numpy_scalar(data: Array) -> Array:
    """A 0-d array as a NumPy scalar, because NumPy computes faster with those."""
    return data[()] if not data.ndim else data


class SlotMapping(MutableMapping[str, Any]):
    """The slots of a generated node as a mapping from name to saved value, like `Node._saved`."""

    def __init__(self, node: GeneratedNode) -> None:
        self.node = node

    def __getitem__(self, name: str) -> Any:
        node: Any = self.node
        value = getattr(node, f"saved_{name}", self) if name in slots_of(node.row) else self
        if value is self:
            raise KeyError(name)
        if name not in node.row.tensors and name != "result":
            return value
        if value is FREED:
            return FREED
        return wrapped(value) if type(value) in PYTHONS_NUMBERS else SlotSaved(node, name)

    def __iter__(self) -> Iterator[str]:
        return (name for name in slots_of(self.node.row) if hasattr(self.node, f"saved_{name}"))

    def __len__(self) -> int:
        return sum(1 for name in self)

    def __setitem__(self, name: str, value: Any) -> None:
        if value is FREED:
            setattr(self.node, f"saved_{name}", FREED)
        elif type(value) is not SlotSaved:  # a SlotSaved has already written to the slots
            with_saved_dict(self.node)[name] = value

    def __delitem__(self, name: str) -> None:
        del with_saved_dict(self.node)[name]


def slots_of(row: Operation) -> list[str]:
    """The names of the values that nodes of this row save."""
    return row.names_to_save(*row.rules)


class SlotSaved(SavedTensor):
    """A saved tensor of a generated node, which stores it in slots."""

    def __init__(self, node: GeneratedNode, name: str) -> None:
        self.node, self.name = node, name
        self.number = 0 if name == "result" else None

    @property
    def tensor(self) -> Tensor:
        if self.name == "result":
            return result_of(self.node, recorded=False)
        saved: Tensor = getattr(self.node, f"saved_{self.name}")
        return saved

    @tensor.setter
    def tensor(self, value: Tensor) -> None:
        if self.name == "result":
            node: Any = self.node
            node.saved_result, node.counter_result = as_array(value), value._counter
        else:
            version_counter(value)  # creates the counter, which the generated backward relies on
            setattr(self.node, f"saved_{self.name}", value)

    @property
    def version(self) -> int:
        version: int = getattr(self.node, f"version_{self.name}")
        return version

    @version.setter
    def version(self, value: int) -> None:
        setattr(self.node, f"version_{self.name}", value)


def with_saved_dict(node: GeneratedNode) -> dict[str, Any]:
    """Move the saved values of `node` from slots to a dictionary, and return that."""
    saved: dict[str, Any] = {}
    for name, value in node._saved.items():
        if isinstance(value, SlotSaved):
            copy = object.__new__(SavedTensor)
            copy.tensor, copy.number, copy.version = value.tensor, value.number, value.version
            value = copy
        saved[name] = value
    if isinstance(node._saved, SlotMapping):
        node._own("_saved").update(saved)  # type: ignore[arg-type]
        cls: Any = type(node)
        node.__class__ = class_with_saved_dict(cls)
    return node._saved  # type: ignore[no-any-return]


@functools.cache
def class_with_saved_dict(cls: Any) -> Any:
    """A subclass of a node class, with the same name, that saves its values in a dictionary."""
    attributes = {
        "__slots__": (),
        "__module__": "builtins",
        "_saved": extra_dict("_saved"),
        "backward": OperationNode.backward,
        "release_variables": OperationNode.release_variables,
    }
    return type(cls.__name__, (cls,), attributes)


def result_of(node: Any, recorded: bool = True) -> Tensor:
    """The saved result of a generated node as a tensor, with its version counter and history."""
    tensor = new_tensor(node.saved_result)
    tensor._counter = node.counter_result
    if recorded:
        set_history(tensor, node)
    return tensor


def check_saved(node: GeneratedNode, name: str) -> None:
    """RuntimeError if the saved tensor `name` was modified in place since it was saved."""
    saved = SlotSaved(node, name)
    if version_counter(saved.tensor)[0] != saved.version:
        raise modified_in_place(saved, node)
