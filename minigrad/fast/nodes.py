"""Nodes of written operations: slots instead of tuples, dictionaries and objects.

To everybody else they look like other nodes: `next_functions`, `_meta` and `_saved` are put
together when somebody asks.
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

LaneEdge = Node | Edge | None  # the node alone, if its number is 0


def pair(edge: LaneEdge) -> Edge:
    """An edge as everybody else sees it."""
    return edge if isinstance(edge, tuple) else (edge, 0)


def extra(name: str) -> Any:
    """A property for a dictionary that few nodes have."""
    return property(lambda node: EMPTY if node._extra is None else node._extra.get(name, EMPTY))


class WrittenNode(Node):
    """A node that `fast.operations` has written; there is a subclass for each row.

    Attributes:
        order: the sequence number.
        like: what the output is: a NumPy scalar type for a number, (shape, NumPy dtype) for an
            array.
        _extra: hooks and other rare things by name, None for most nodes. Where it is not None,
            the lane looks before it goes on: code of the user's may run, or a pass ends there.
        edges: the edges, a node, a pair (node, output number) or None each. There is a slot for
            each: a tuple would be a second object for the garbage collector to visit.
        run, run_graph: backward, from the gradient of the output to what goes along the edges, as
            edge, gradient, edge, gradient, …; with arrays, and with tensors.
    """

    __slots__ = ("__weakref__", "_extra", "like", "order")

    row: ClassVar[Operation]
    like: Any
    order: int
    _extra: dict[str, Any] | None
    edges: tuple[LaneEdge, ...]
    run: Callable[[Any, bool], Sequence[Any]]
    run_graph: Callable[[Tensor, bool], Sequence[Any]]

    _retaining, _tensor_hooks = extra("_retaining"), extra("_tensor_hooks")
    _pre_hooks, _post_hooks = extra("_pre_hooks"), extra("_post_hooks")
    _seq = property(lambda node: node.order)
    _hooked = property(lambda node: node._extra is not None)

    def _own(self, name: str) -> HookDict:
        if self._extra is None:
            self._extra = {}
        made: HookDict = self._extra.setdefault(name, HookDict())
        return made

    def name(self) -> str:
        return self.row.node_name

    @property
    def next_functions(self) -> tuple[Edge, ...]:  # type: ignore[override]
        return tuple([pair(edge) for edge in self.edges])

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
        if is_grad_enabled() or grad._view is not None:  # which a hook has given
            return self.backward_graph(grad)
        data = as_array(grad)  # not a number: hooks may change it, and so what shows its memory
        with silence():
            results = self.run(data, True)[1::2]
        same = {id(None): None, id(data): grad}
        return [same[id(each)] if id(each) in same else new_tensor(each) for each in results]

    @in_rules
    def backward_graph(self, grad: Tensor) -> Sequence[Tensor | None]:
        modes.graphs = True
        results: Sequence[Tensor | None] = self.run_graph(grad, True)[1::2]
        return results

    def release_variables(self) -> None:
        for name in self.row.freed:
            if getattr(self, f"saved_{name}", None) is not None:
                setattr(self, f"saved_{name}", FREED)

    @property
    def _saved(self) -> Any:  # type: ignore[override]
        return SlotMapping(self)


def number_of(data: Array) -> Array:
    """An array without dimensions as a NumPy scalar, with which NumPy computes faster."""
    return data[()] if not data.ndim else data


class SlotMapping(MutableMapping[str, Any]):
    """What a written node has saved, by name, as the `_saved` of other nodes is."""

    def __init__(self, node: WrittenNode) -> None:
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
        elif type(value) is not SlotSaved:  # else it has written to the slots already
            with_saved_dict(self.node)[name] = value

    def __delitem__(self, name: str) -> None:
        del with_saved_dict(self.node)[name]


def slots_of(row: Operation) -> list[str]:
    """The names of what nodes of this row save."""
    return row.names_to_save(*row.rules)


class SlotSaved(SavedTensor):
    """A saved tensor of a written node, which keeps it in slots."""

    def __init__(self, node: WrittenNode, name: str) -> None:
        self.node, self.name = node, name
        self.number = 0 if name == "result" else None

    @property
    def tensor(self) -> Tensor:
        if self.name == "result":
            return result_of(self.node, recorded=False)
        kept: Tensor = getattr(self.node, f"saved_{self.name}")
        return kept

    @tensor.setter
    def tensor(self, value: Tensor) -> None:
        if self.name == "result":
            node: Any = self.node
            node.saved_result, node.counter_result = as_array(value), value._counter
        else:
            version_counter(value)  # a written backward takes it that there is one
            setattr(self.node, f"saved_{self.name}", value)

    @property
    def version(self) -> int:
        version: int = getattr(self.node, f"version_{self.name}")
        return version

    @version.setter
    def version(self, value: int) -> None:
        setattr(self.node, f"version_{self.name}", value)


def with_saved_dict(node: WrittenNode) -> dict[str, Any]:
    """What `node` saves in a dictionary, as other nodes have it, from now on."""
    saved: dict[str, Any] = {}
    for name, value in node._saved.items():
        if isinstance(value, SlotSaved):
            kept = object.__new__(SavedTensor)
            kept.tensor, kept.number, kept.version = value.tensor, value.number, value.version
            value = kept
        saved[name] = value
    if isinstance(node._saved, SlotMapping):
        node._own("_saved").update(saved)  # type: ignore[arg-type]
        cls: Any = type(node)
        node.__class__ = class_with_saved_dict(cls)
    return node._saved  # type: ignore[no-any-return]


@functools.cache
def class_with_saved_dict(cls: Any) -> Any:
    """The subclass of a node class, of the same name, that keeps what it saves as others do."""
    attributes = {
        "__slots__": (),
        "__module__": "builtins",
        "_saved": extra("_saved"),
        "backward": OperationNode.backward,
        "release_variables": OperationNode.release_variables,
    }
    return type(cls.__name__, (cls,), attributes)


def result_of(node: Any, recorded: bool = True) -> Tensor:
    """The result that a written node has saved, as the tensor that it was."""
    tensor = new_tensor(node.saved_result)
    tensor._counter = node.counter_result
    if recorded:
        set_history(tensor, node)
    return tensor


def check_saved(node: WrittenNode, name: str) -> None:
    """RuntimeError if the saved tensor `name` was changed in place since."""
    saved = SlotSaved(node, name)
    if version_counter(saved.tensor)[0] != saved.version:
        raise modified_in_place(saved, node)
