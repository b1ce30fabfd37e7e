"""In-place operations, and views, through which they change the memory of other tensors.

`y.mul_(2)` computes the result as `y * 2` would, writes it to y's memory, increments the version
counter, and makes the new node y's `grad_fn`: the history is rebased. A node that saved the old
values notices because the counter has changed.

If y is a view, its base has changed too, so the base's history becomes `CopySlices`. Its backward
takes the part of the gradient that the view shows, sends it through the operation, and puts the
result back where it was. The view itself, and every other view of that base, gets a new `grad_fn`
the next time one is needed: "the part of the base that I show" (PyTorch's AsStridedBackward0).
Shape, strides and offset say which part that is.

Source: torch/csrc/autograd/VariableTypeUtils.h, and the notes in torch/csrc/autograd/variable.h
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..support import errors
from ..support.checks import (
    check_fits,
    check_inference,
    check_leaf,
    check_overlap,
    check_view,
    not_implemented,
)
from ..support.version_counters import UNTRACKED
from ..support.methods import as_method
from .checks import check_followed
from .grad_mode import mode
from .node import NOWHERE, Node, SavedTensor, gradient_edge, sequence_numbers, set_history
from .tensor import Tensor, as_array, count_change, new_tensor, version_counter


class View:
    """What a view knows: its base, which owns the memory, and the version of its history."""

    refuses = ""  # why its history cannot be renewed, a reason in `errors`  #@rare

    def __init__(self, source: Tensor) -> None:
        before = source._view
        self.base: Tensor = source if before is None else before.base
        self.version = source._counter[0]  # type: ignore[index]
        if before is not None:  #@rare
            self.refuses = before.refuses
        if not mode.recording:  #@rare
            self.refuses = errors.made_unrecorded(mode)

    def refresh(self, view: Tensor) -> None:
        """Derive the history of `view` from its base's if the memory has changed since."""
        unchanged = view._counter[0] == self.version  # type: ignore[index]
        if unchanged or not (view._node or self.base._requires_grad):
            return
        if self.refuses:  #@rare
            raise errors.view_in_place(view, False, self.refuses)
        node = AsStridedBackward0(view)
        self.version = view._version  #@22
        move_retained_grad(view, node)  #@22
        set_history(view, node)


def track_view(out: Tensor, source: Tensor) -> None:
    """Make `out`, which shows memory of `source`, a view that shares its version counter."""
    out._counter = version_counter(source)
    if out._counter is UNTRACKED:  #@rare
        return
    out._view = View(source)


def made_with_others(out: Tensor) -> None:  #@rare
    """Make a view refuse changes because a function returned it with others."""
    if out._view is not None and mode.recording:
        out._view.refuses = errors.MADE_WITH_OTHERS


def places(shape: Sequence[int], strides: Sequence[int], offset: int) -> Any:  #@22
    """The place of each element in memory: offset + the sum of index times stride."""
    return offset + np.tensordot(np.array(strides, int), np.indices(shape), 1)


class Part:  #@22
    """Which elements of its base a view shows, without a reference to either tensor."""

    def __init__(self, view: Tensor) -> None:
        base: Tensor = view._view.base  # type: ignore[union-attr]
        self.base = base.shape, base.stride(), 0
        self.view = view.shape, view.stride(), view.storage_offset()

    def positions(self) -> Any:
        """The position in the flattened base of every element of the view."""
        whole = places(*self.base)
        numbers = np.empty(whole.max(initial=-1) + 1, int)
        numbers[whole] = np.arange(whole.size).reshape(whole.shape)
        return numbers[places(*self.view)]

    def take(self, grad: Tensor) -> Tensor:
        """Copy the elements that the view shows from the gradient of the base."""
        positions = new_tensor(self.positions().reshape(-1))
        return grad.reshape(-1).index_select(0, positions).view(self.view[0])

    def put_into(self, grad: Tensor, values: Any) -> Tensor:
        """The gradient of the base, with `values` at the view's positions."""
        flat = grad.reshape(-1).clone()
        flat[self.positions()] = values
        return flat.view(grad.shape)

    def scatter(self, grad: Tensor) -> Tensor:
        """Scatter the view's gradient into zeros of the base's shape."""
        shape, _, _ = self.base
        zeros = new_tensor(np.zeros(math.prod(shape), grad.dtype.numpy))
        positions = new_tensor(self.positions().reshape(-1))
        return zeros.index_add(0, positions, grad.reshape(-1)).view(shape)


class AsStridedBackward0(Node):  #@22
    """The node of a view whose base was changed: it selects a part of that base."""

    __module__ = "builtins"

    def __init__(self, view: Tensor) -> None:
        self.part = Part(view)
        self.next_functions = (gradient_edge(view._view.base),)  # type: ignore[union-attr]
        self._seq, self._meta = next(sequence_numbers), [(view.shape, view.dtype)]

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        if grad is None or self.next_functions[0] == NOWHERE:
            return [None]
        return [self.part.scatter(grad)]


class CopySlices(Node):  #@22
    """The node of the base of `view`, which the operation `inner` changed in place."""

    __module__ = "builtins"

    def __init__(self, view: Tensor, inner: Node) -> None:
        base: Tensor = view._view.base  # type: ignore[union-attr]
        self.part = Part(view)
        self.inner: Node | None = inner
        self.next_functions = (gradient_edge(base), *inner.next_functions[1:])
        self._seq, self._meta = next(sequence_numbers), [(base.shape, base.dtype)]

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        if self.inner is None:
            raise errors.freed_graph()
        if grad is None:
            return [None] * len(self.next_functions)
        first, *others = self.inner.backward(self.part.take(grad))
        if first is None or self.next_functions[0] == NOWHERE:  # the base needs no gradient
            return [None, *others]
        first = first.to(grad.dtype)  #@rare
        return [self.part.put_into(grad, first), *others]

    def release_variables(self) -> None:
        """Free the operation, and with it what it saved."""
        self.inner = None


def in_place(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The in-place form of an operation: `add_` from `add`."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        check_in_place(self, args)
        check_overlap(name, self, args)
        result = function(self, *args, **kwargs)
        if result is NotImplemented:
            return not_implemented(name, args)
        write(self, result)
        if result._node is not None and "result" in result._node._saved:  #@rare
            result._node._saved["result"].moved_to(self)
        return self

    return as_method(method, name)


def check_in_place(tensor: Tensor, operands: Sequence[Any] = ()) -> None:
    """Raise RuntimeError if a change of `tensor`, a leaf or a view, could not be recorded."""
    check_inference(tensor, mode.inference)  #@rare
    if not mode.recording:
        return
    check_refusal(tensor, operands)  #@rare
    check_view(tensor)
    check_leaf(tensor)
    check_followed(operands)  #@rare


def check_refusal(tensor: Tensor, operands: Sequence[Any]) -> None:  #@rare
    """Raise RuntimeError for a view that refuses changes, if this one would be recorded."""
    view = tensor._view
    if view is None or not view.refuses:
        return
    if any(getattr(each, "requires_grad", False) for each in (tensor, *operands)):
        raise errors.view_in_place(tensor, True, view.refuses)


def write(tensor: Tensor, result: Tensor) -> None:
    """Copy the values of `result` to the memory of `tensor`, which takes over its history."""
    check_fits(tensor, result)
    node = result._node
    if node is not None:
        changed = history_of_memory(tensor, node)
        saved = node._saved.get("self")
        if isinstance(saved, SavedTensor):
            saved.keep_old_values()
    with np.errstate(all="ignore"):
        as_array(tensor)[...] = result._data
    count_change(tensor)
    if node is not None:
        node._meta = [(tensor.shape, tensor.dtype)]  # after any conversion  #@rare
        rebase_history(tensor, changed)


def history_of_memory(tensor: Tensor, node: Node) -> Node:
    """The history after `node` changed `tensor`: `node`, or, for the base of a view, CopySlices."""
    return node if tensor._view is None else CopySlices(tensor, node)


def rebase_history(tensor: Tensor, node: Node, number: int = 0) -> None:
    """Make `node` the history of `tensor`, or of its base if it is a view."""
    owner = tensor if tensor._view is None else tensor._view.base
    move_retained_grad(owner, node, number)  #@15
    set_history(owner, node, number)
    if tensor._view is not None:  #@22
        tensor._view.refresh(tensor)  # now, because newer nodes run earlier


def move_retained_grad(tensor: Tensor, node: Node, number: int = 0) -> None:  #@15
    """Let `retain_grad` follow the tensor to its new node; hooks stay with the old one."""
    old = tensor._node
    if old is not None and tensor.retains_grad:
        node._own("_retaining")[number] = old._own("_retaining").pop(tensor._output_nr)
