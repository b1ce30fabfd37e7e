"""The graph: nodes, the edges between them, and what a node keeps for backward.

Every recorded operation leaves a `Node`, the object that `grad_fn` shows. A tensor holds its node
and a node holds the nodes before it, but no node holds the tensor that it computed. Since there are
no cycles, a graph is freed together with its last tensor, without the garbage collector.

Source: https://docs.pytorch.org/docs/2.13/notes/autograd.html#how-autograd-encodes-the-history and
torch/csrc/autograd/function.h
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TYPE_CHECKING

import numpy as np

from ..support import extension_points, locks, observers
from ..support.checks import check_memory, check_post_hook_result
from ..support.dtypes import dtype
from ..support.errors import freed_graph, modified_in_place, no_derivative, not_summed
from ..support.hook_handles import EMPTY, HookDict, own_dict
from ..support.backward_args import GradientEdge
from ..support.shapes import has_no_gaps
from ..support.gradient_layout import copy_for_grad
from .grad_mode import mode
from .tensor import Tensor, as_array, count_change, new_tensor, version_counter, without_graph

Edge = tuple["Node | None", int]  # a node, and which of its outputs
NOWHERE: Edge = (None, 0)
Meta = tuple[tuple[int, ...], dtype]  # the shape and dtype of a gradient  #@04
sequence_numbers = itertools.count()  #@04
LAST = 2**64 - 1  # the sequence number of every AccumulateGrad, so leaves run first  #@04
FREED = object()  # replaces a saved value that backward has freed  #@06


class Node:
    """One recorded operation. Each operation has a subclass with its own `backward`."""

    if not TYPE_CHECKING:  # subclasses in `fast` define their own slots  #@fast
        __slots__ = ()

    next_functions: tuple[Edge, ...] = ()
    _meta: list[Any]  # shape and dtype of each output  #@04
    _saved: dict[str, Any] = EMPTY  # type: ignore[assignment]  # what backward needs, by name
    _hooked: bool = False  # whether it has hooks or an output that retains its gradient  #@05
    _retaining: Mapping[int, weakref.ref[Tensor]] = EMPTY  # output number → weak reference  #@05
    _own = own_dict  # creates a dictionary of this node's own  #@05
    _tensor_hooks: Mapping[int, HookDict] = EMPTY  # output number → hooks  #@15
    _pre_hooks: Mapping[int, Callable[..., Any]] = EMPTY  #@15
    _post_hooks: Mapping[int, Callable[..., Any]] = EMPTY  #@15

    def record(self, edges: Iterable[Edge], outputs: Sequence[Tensor]) -> None:
        """Make `outputs` the outputs of this node, which sends gradients along `edges`."""
        self.next_functions = tuple(edges)
        self._seq = next(sequence_numbers)  #@04
        self._meta = []  #@04
        for number, each in enumerate(outputs):
            self._meta.append((each._data.shape, each.dtype))  #@04
            set_history(each, self, number)
        if observers.active:  #@rare
            observers.recorded(self, outputs)

    def backward(self, *grads: Any) -> Sequence[Tensor | None]:
        """Compute the gradients of the inputs from those of the outputs; either may be None."""
        raise no_derivative(self)

    def _unpack(self, name: str) -> Any:
        """A saved value; if it is a tensor, `SavedTensor.unpack` checks it."""
        value = self._saved[name]
        if value is FREED:  #@06
            raise freed_graph()
        return value.unpack(self) if isinstance(value, SavedTensor) else value

    def release_variables(self) -> None:  #@06
        """Free the saved tensors."""
        for name, value in self._saved.items():
            if isinstance(value, SavedTensor):
                self._saved[name] = FREED

    def name(self) -> str:
        return type(self).__name__

    def __lt__(self, other: Node) -> bool:  #@04
        """Whether it runs before `other`: the newest node runs first."""
        return self._seq > other._seq

    if TYPE_CHECKING:  # what later chapters and `more` attach  #@rare
        metadata: dict[str, Any]

        def __getattr__(self, name: str) -> Any: ...


class AccumulateGrad(Node):
    """The end of a path: the gradient that reaches this node becomes the `.grad` of its leaf.

    A leaf has one such node, which holds the leaf. The leaf holds it only weakly, so the node stays
    alive as long as some graph leads to it.
    """

    __module__ = "builtins"

    def __init__(self, leaf: Tensor) -> None:
        self.variable = leaf
        self._seq = LAST  #@04
        self._meta = [(leaf._data.shape, leaf.dtype)]  #@04
        if leaf._hooks is not None:  #@15
            self._own("_tensor_hooks")[0] = leaf._hooks

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def backward(self, grad: Tensor | None) -> Sequence[Tensor]:  #@04
        leaf = self.variable
        if grad is not None and leaf._requires_grad:
            if grad._data.shape != leaf._data.shape:
                raise not_summed(grad, leaf)
            with locks.one_at_a_time:  # threads may share the leaf  #@rare:
                leaf._grad = self.new_sum(leaf._grad, grad)
        for hook in tuple((leaf._after_hooks or EMPTY).values()):  #@15
            check_post_hook_result(leaf, hook(leaf))
        return ()

    def new_sum(self, held: Tensor | None, grad: Tensor) -> Tensor:  #@04
        """The new `.grad`."""
        if mode.enabled:  #@14
            return recorded_copy(grad, self.variable) if held is None else held + grad
        if held is not None:  #@07
            check_memory(held)  #@11
            with np.errstate(all="ignore"):
                np.add(held._data, grad._data, out=as_array(held))
            count_change(held)  #@11
            return held
        return new_tensor(copy_for_grad(grad._data, self.variable._data))  # others may hold it


def recorded_copy(grad: Tensor, leaf: Tensor) -> Tensor:  #@14
    """A recorded copy of `grad`, for a `.grad` that has a graph of its own."""
    like = as_array(leaf)
    return new_tensor(np.empty_like(like)).copy_(grad) if has_no_gaps(like) else grad.clone()


def gradient_edge(tensor: Any) -> Edge:
    """The edge for the gradient of `tensor`: to its grad_fn, its AccumulateGrad, or NOWHERE."""
    if isinstance(tensor, GradientEdge):  #@rare
        return (tensor.node, tensor.output_nr)
    if not isinstance(tensor, Tensor):
        return NOWHERE
    if tensor._view is not None:  #@11
        tensor._view.refresh(tensor)
    if tensor._node is not None:
        return (tensor._node, tensor._output_nr)
    return (leaf_node(tensor), 0) if tensor._requires_grad else NOWHERE


def leaf_node(leaf: Tensor) -> AccumulateGrad:
    """The one AccumulateGrad of a leaf, created if no graph leads to it yet."""
    node = leaf._accumulator() if leaf._accumulator is not None else None
    if node is None:
        node = AccumulateGrad(leaf)
        if extension_points.leaf:  #@fast
            node = extension_points.leaf(node)
        leaf._accumulator = weakref.ref(node)
        if observers.active:  #@rare
            observers.recorded(node)
    return node


def set_history(tensor: Tensor, node: Node, number: int = 0) -> None:
    """Make `tensor` output `number` of `node`."""
    tensor._node, tensor._output_nr, tensor._requires_grad = node, number, True


class SavedTensor:
    """A tensor that a node saved: an input itself, but of the node's own output only the array."""

    def __init__(self, tensor: Tensor, number: int | None = None) -> None:
        self.number = number  # which output of the node it is; None for an input
        self.tensor = tensor if number is None else without_graph(tensor)
        self.version: int = version_counter(tensor)[0]  #@11

    def unpack(self, node: Node) -> Tensor:
        """The tensor that `node` saved."""
        if self.tensor._counter[0] != self.version:  # type: ignore[index]  #@11
            raise modified_in_place(self, node)
        if self.number is None:  #@14
            return self.tensor
        tensor = without_graph(self.tensor)
        set_history(tensor, node, self.number)  #@14
        return tensor

    def keep_old_values(self) -> None:  #@11
        """Switch to a copy, because the values are about to be overwritten."""
        copied = new_tensor(as_array(self.tensor).copy())
        if self.tensor._node is not None:  #@14
            set_history(copied, self.tensor._node, self.tensor._output_nr)
        self.tensor, self.version = copied, version_counter(copied)[0]

    def moved_to(self, tensor: Tensor) -> None:  #@rare
        """Note that the output was written to the memory of `tensor`."""
        self.tensor, self.version = without_graph(tensor), tensor._version
