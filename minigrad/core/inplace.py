"""Changing tensors in place, and views, through which the same memory is changed.

`y.mul_(2)` computes the result as `y * 2` would, writes it into y's memory, raises the version
counter, and lets y's `grad_fn` be the new node: the history is rebased. A node that saved the old
values notices by the counter.

If y is a view, its base has changed too. The base's history becomes `CopySlices`: backward takes
the gradient of the part that the view shows, sends it through the operation, and puts it back in
place. The view itself, and every other view of that base, gets a new `grad_fn` when it is next
asked for it: "the part of the base that I show" (PyTorch's AsStridedBackward0). Which part that is,
shape, strides and offset say.

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
    """What a view knows: its base, which owns the memory, and the version of its own history."""

    refuses = ""  # why the history cannot be renewed, a reason in `errors`  #@22

    def __init__(self, source: Tensor) -> None:
        before = source._view
        self.base: Tensor = source if before is None else before.base
        self.version = source._counter[0]  # type: ignore[index]
        if before is not None:  #@22
            self.refuses = before.refuses
        if not mode.recording:  #@22
            self.refuses = errors.made_unrecorded(mode)

    def refresh(self, view: Tensor) -> None:
        """Let the history of `view` start from its base's, if the memory was changed meanwhile."""
        unchanged = view._counter[0] == self.version  # type: ignore[index]
        if unchanged or not (view._node or self.base._requires_grad):
            return
        if self.refuses:  #@22
            raise errors.view_in_place(view, False, self.refuses)
        node = AsStridedBackward0(view)
        self.version = view._version  #@21
        move_retained_grad(view, node)  #@21
        set_history(view, node)


def track_view(out: Tensor, source: Tensor) -> None:
    """Let `out`, which shows memory of `source`, share its counter and be a view."""
    out._counter = version_counter(source)
    if out._counter is UNTRACKED:  #@rare
        return
    out._view = View(source)


def made_with_others(out: Tensor) -> None:  #@22
    """Let a view, one of several that a function returns, refuse changes."""
    if out._view is not None and mode.recording:
        out._view.refuses = errors.MADE_WITH_OTHERS


def places(shape: Sequence[int], strides: Sequence[int], offset: int) -> Any:  #@21
    """Where each element of a tensor lies in memory: offset + the sum of index times stride."""
    return offset + np.tensordot(np.array(strides, int), np.indices(shape), 1)


class Part:  #@21
    """Which elements of its base a view shows. It holds neither of the two."""

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

    def of(self, grad: Tensor) -> Tensor:
        """A copy of the elements that the view shows, from the gradient of the base."""
        positions = new_tensor(self.positions().reshape(-1))
        return grad.reshape(-1).index_select(0, positions).view(self.view[0])

    def put_into(self, grad: Tensor, values: Any) -> Tensor:
        """The gradient of the base, with these values where the view looks."""
        flat = grad.reshape(-1).clone()
        flat[self.positions()] = values
        return flat.view(grad.shape)

    def spread(self, grad: Tensor) -> Tensor:
        """From the gradient of the view that of the base: zero wherever the view does not look."""
        shape, _, _ = self.base
        zeros = new_tensor(np.zeros(math.prod(shape), grad.dtype.numpy))
        positions = new_tensor(self.positions().reshape(-1))
        return zeros.index_add(0, positions, grad.reshape(-1)).view(shape)


class AsStridedBackward0(Node):  #@21
    """The history of a view whose base was changed: a part of that base."""

    __module__ = "builtins"

    def __init__(self, view: Tensor) -> None:
        self.part = Part(view)
        self.next_functions = (gradient_edge(view._view.base),)  # type: ignore[union-attr]
        self._seq, self._meta = next(sequence_numbers), [(view.shape, view.dtype)]

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        if grad is None or self.next_functions[0] == NOWHERE:
            return [None]
        return [self.part.spread(grad)]


class CopySlices(Node):  #@21
    """The history of the base of `view`, which was changed by the operation `inner`."""

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
        first, *others = self.inner.backward(self.part.of(grad))
        if first is None or self.next_functions[0] == NOWHERE:  # there is nothing to give on
            return [None, *others]
        first = first.to(grad.dtype)  #@rare
        return [self.part.put_into(grad, first), *others]

    def release_variables(self) -> None:
        """Let go of the operation, and so of what it has saved."""
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
    """RuntimeError if a change of `tensor` could not be recorded: on a leaf, or certain views."""
    check_inference(tensor, mode.inference)  #@rare
    if not mode.recording:
        return
    check_refusal(tensor, operands)  #@22
    check_view(tensor)
    check_leaf(tensor)
    check_followed(operands)  #@rare


def check_refusal(tensor: Tensor, operands: Sequence[Any]) -> None:  #@22
    """RuntimeError for a view that refuses, if a graph would have to know of the change."""
    view = tensor._view
    if view is None or not view.refuses:
        return
    if any(getattr(each, "requires_grad", False) for each in (tensor, *operands)):
        raise errors.view_in_place(tensor, True, view.refuses)


def write(tensor: Tensor, result: Tensor) -> None:
    """Put the values of `result` into the memory of `tensor`, and its history with them."""
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
        node._meta = [(tensor.shape, tensor.dtype)]  # the result was converted, if need be  #@rare
        rebase_history(tensor, changed)


def history_of_memory(tensor: Tensor, node: Node) -> Node:
    """The history of what owns the memory that `node` has changed: of `tensor`, or of its base."""
    return node if tensor._view is None else CopySlices(tensor, node)


def rebase_history(tensor: Tensor, node: Node, number: int = 0) -> None:
    """Let `node` be the history of what owns the memory of `tensor`."""
    owner = tensor if tensor._view is None else tensor._view.base
    move_retained_grad(owner, node, number)  #@15
    set_history(owner, node, number)
    if tensor._view is not None:  #@21
        tensor._view.refresh(tensor)  # at once: when it was made says when it runs


def move_retained_grad(tensor: Tensor, node: Node, number: int = 0) -> None:  #@15
    """`retain_grad` follows the tensor to its new node; its hooks stay with the old one."""
    old = tensor._node
    if old is not None and tensor.retains_grad:
        node._own("_retaining")[number] = old._own("_retaining").pop(tensor._output_nr)
