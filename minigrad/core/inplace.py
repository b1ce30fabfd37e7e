"""Changing tensors in place, and views, through which the same memory is changed.

`y.mul_(2)` computes the result as `y * 2` would, writes it into y's memory, raises the version
counter, and lets y's `grad_fn` be the new node: the history is rebased. A node that saved the old
values notices by the counter.

If y is a view, its base has changed too. The base's history becomes `CopySlices`: backward takes
the gradient of the part that the view shows, sends it through the operation, and puts it back in
place. The view itself, and every other view of that base, gets a new `grad_fn` when it is next
asked for it: "the part of the base that I show" (PyTorch's AsStridedBackward0). A view therefore
remembers how it was made from its base.

Source: torch/csrc/autograd/VariableTypeUtils.h and python_variable notes on views and in-place
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ..support import errors
from ..support import plugs  # 19
from ..support.checks import check_fits, check_leaf, check_overlap, check_view, not_implemented
from ..support.checks import check_inference  # 99
from ..support.counters import counts_no_versions  # 99
from ..support.silence import silent  # 99
from .grad_mode import mode
from .node import Node, SavedTensor, gradient_edge, sequence_numbers, set_history
from .tensor import Tensor, as_array, count_change, new_tensor, version_counter

# A view operation on arrays, its arguments, and the steps before it, which views of views share.
Steps = tuple["Steps", Callable[..., Any], Sequence[Any]] | None


class View:
    """How a view came about: from which base, by which steps, at which version of the memory.

    Attributes:
        base: the tensor that owns the memory; of a view of a view, the base of that.
        steps: the view operations that lead from the base to the view.
        version: of the memory when the view's history was made; if it has moved on, the history is
            renewed.
        refuses: why the history cannot be renewed, one of the reasons in `errors`; else "".
    """

    def __init__(
        self, source: Tensor, kernel: Callable[..., Any], args: Sequence[Any], refuses: str
    ) -> None:
        before = source._view
        self.base: Tensor = source if before is None else before.base
        self.steps: Steps = (None if before is None else before.steps, kernel, args)
        self.refuses: str = refuses or ("" if before is None else before.refuses)
        if not mode.records():
            self.refuses = errors.MADE_UNRECORDED
        if mode.inference:  # 99
            self.refuses = errors.MADE_IN_INFERENCE
        self.version = source._version

    def refresh(self, view: Tensor, strict: bool = False) -> None:
        """Let the history of `view` start from its base's, if the memory was changed meanwhile.

        RuntimeError if it cannot; while nothing is recorded only if `strict`.
        """
        if view._version == self.version or not (view._node or self.base._requires_grad):
            return
        if self.refuses and not strict and not mode.records():
            return  # nobody wants its history
        if self.refuses:
            raise errors.view_in_place(view, False, self.refuses)
        self.version = view._version
        node = AsStridedBackward0(Part(self), view)
        move_retained_grad(view, node)
        set_history(view, node)

    def no_longer_follows(self, view: Tensor, alone: bool) -> None:
        """A Function returned `view`: to follow a change would pass the user's backward by."""
        self.refuses = errors.MADE_BY_FUNCTION if alone else errors.MADE_WITH_OTHERS
        self.version = view._version  # there is nothing to follow yet


def track_view(
    out: Tensor,
    source: Tensor,
    kernel: Callable[..., Any],
    args: Sequence[Any],
    refuses: str = "",
) -> None:
    """Let `out`, made by `kernel` from the memory of `source`, share its counter, and be a view."""
    out._counter = version_counter(source)
    if counts_no_versions(source):  # 99
        return
    out._view = View(source, kernel, args, refuses)


class Part:
    """Which elements of a base a view shows, without holding either."""

    def __init__(self, view: View) -> None:
        self.steps, base = view.steps, as_array(view.base)
        self.shape, self.strides = base.shape, base.strides

    def positions(self) -> Any:
        """The position in the flattened base of every element of the view.

        Found by making the view of an array of positions, laid out in memory as the base is.
        """
        return self.seen_in(self.laid_out(np.arange(math.prod(self.shape)).reshape(self.shape)))

    def laid_out(self, array: Any) -> Any:
        """A copy of an array of the base's shape, laid out in memory as the base is."""
        outer_first = sorted(range(len(self.shape)), key=lambda dim: -abs(self.strides[dim]))
        layout = np.empty([self.shape[dim] for dim in outer_first], array.dtype)
        copy = layout.transpose([outer_first.index(dim) for dim in range(len(self.shape))])
        copy[...] = array
        return copy

    def seen_in(self, array: Any) -> Any:
        """What the view would show of an array that is laid out as the base is."""
        for kernel, args in reversed(list(one_by_one(self.steps))):
            array = kernel(array, *args)
        return array

    def of(self, grad: Tensor) -> Tensor:
        """A copy of the elements that the view shows, from the gradient of the base."""
        positions = self.positions()
        picked = grad.reshape(-1).index_select(0, new_tensor(positions.reshape(-1)))
        return picked.view(positions.shape)

    def put_into(self, grad: Tensor, values: Any) -> Tensor:
        """The gradient of the base, with these values where the view looks."""
        flat = grad.reshape(-1).clone()
        flat[self.positions()] = values
        return flat.view(self.shape)

    def spread(self, grad: Tensor) -> Tensor:
        """From the gradient of the view that of the base: zero wherever the view does not look."""
        zeros = new_tensor(np.zeros(math.prod(self.shape), grad.dtype.numpy))
        positions = new_tensor(self.positions().reshape(-1))
        return zeros.index_add(0, positions, grad.reshape(-1)).view(self.shape)


def one_by_one(steps: Steps) -> Iterator[tuple[Callable[..., Any], Sequence[Any]]]:
    """The steps, the last one first."""
    while steps is not None:
        steps, kernel, args = steps
        yield kernel, args


class AsStridedBackward0(Node):
    """The history of a view whose base was changed: a part of that base."""

    __module__ = "builtins"
    is_view = True

    def __init__(self, part: Part, view: Tensor) -> None:
        base: Tensor = view._view.base  # type: ignore[union-attr]
        self.part = part
        self.next_functions = (gradient_edge(base),)
        self._seq, self._meta = next(sequence_numbers), [(view.shape, view.dtype)]

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        return [None if grad is None else self.part.spread(grad)]


class CopySlices(Node):
    """The history of a base that was changed through a view, by the operation `inner`."""

    __module__ = "builtins"

    def __init__(self, view: View, inner: Node) -> None:
        self.part = Part(view)
        self.inner: Node | None = inner
        self.next_functions = (gradient_edge(view.base), *inner.next_functions[1:])
        self._seq, self._meta = next(sequence_numbers), [(view.base.shape, view.base.dtype)]

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        if self.inner is None:
            raise errors.freed_graph()
        if grad is None:
            return [None] * len(self.next_functions)
        first, *others = self.inner.backward(self.part.of(grad))
        return [self.part.put_into(grad, 0 if first is None else first), *others]

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
        return self

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place version of `{name[:-1]}`: changes the tensor and returns it."
    method = plugs.in_place(name, method)  # 19
    return method


def check_in_place(tensor: Tensor, operands: Sequence[Any] = ()) -> None:
    """RuntimeError if a change of `tensor` could not be recorded: on a leaf, or certain views."""
    check_inference(tensor, mode.inference)  # 99
    if not mode.records():
        return
    if tensor._view is not None:
        check_view(tensor, operands)
    check_leaf(tensor)


@silent  # 99
def write(tensor: Tensor, result: Tensor) -> None:
    """Put the values of `result` into the memory of `tensor`, and its history with them."""
    check_fits(tensor, result)
    node = result._node
    if node is not None:
        keep_old_values(node)
    as_array(tensor)[...] = result._data
    count_change(tensor)
    if node is not None:
        if "result" in node._saved:
            node._saved["result"] = node._saved["result"].moved_to(tensor)
        rebase(tensor, node)


def keep_old_values(node: Node) -> None:
    """Let a node have a copy of the input that it saved, which is about to be overwritten."""
    saved = node._saved.get("self")
    if isinstance(saved, SavedTensor):
        node._saved["self"] = saved.of_its_own()


def rebase(tensor: Tensor, node: Node, number: int = 0) -> None:
    """Let output `number` of `node`, the tensor's present values, be its history, and a base's.

    A node that has changed a view must have this one output.
    """
    changed, view = tensor, tensor._view
    if view is not None:
        tensor, node = view.base, CopySlices(view, node)
    move_retained_grad(tensor, node, number)
    set_history(tensor, node, number)
    version_counter(tensor)[1:] = [errors.short_name(node)]  # the error about stale values names it
    if view is not None:
        view.refresh(changed)  # now, since its number says when its hooks run


def move_retained_grad(tensor: Tensor, node: Node, number: int = 0) -> None:
    """`retain_grad` follows the tensor to its new node; its hooks stay with the old one."""
    old, before = tensor._node, tensor._output_nr
    reference = None if old is None else old._retaining.get(before)
    if old is not None and reference is not None and reference() is tensor:
        node._own("_retaining")[number] = old._own("_retaining").pop(before)
