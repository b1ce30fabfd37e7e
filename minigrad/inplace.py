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

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import errors, grad_mode
from .node import (
    FREED,
    Edge,
    HandWrittenNode,
    Node,
    PackedValue,
    gradient_edge,
    meta_of,
    next_sequence_number,
    node_of,
    short_name,
)

# A view operation with its arguments, and the steps before it: a chain of views shares its steps.
Steps = tuple["Steps", Callable[..., Any], tuple[Any, ...]] | None


class View:
    """How a view came about: from which base, by which operations, at which version of the memory.

    Attributes:
        base: the tensor that owns the memory; of a view of a view, the base of that.
        steps: the view operations that lead from the base to the view, with their arguments.
        version: of the memory when the view's history was made; if it has moved on, the history is
            renewed.
        refuses: why the view's history cannot be renewed, one of the reasons in `errors`; else "".
    """

    __slots__ = ("base", "refuses", "steps", "version")

    def __init__(
        self,
        source: Tensor,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        refuses: str,
        version: int,
    ) -> None:
        if grad_mode.threads_off and not grad_mode.is_recording():
            inference = grad_mode.is_inference_mode_enabled()
            refuses = errors.MADE_IN_INFERENCE if inference else errors.MADE_UNRECORDED
        before = source._view
        self.base: Tensor = source if before is None else before.base
        self.steps: Steps = (None if before is None else before.steps, function, args)
        self.refuses: str = refuses or ("" if before is None else before.refuses)
        self.version = version

    def refresh(self, view: Tensor, strict: bool = False) -> None:
        """Let the history of `view` start from its base's, if the memory was changed meanwhile.

        RuntimeError if it cannot; while nothing is recorded only if `strict`.
        """
        base = self.base
        if base._requires_grad:
            view._requires_grad = True
        if view._version == self.version or not (view._edge or base._requires_grad):
            return
        if self.refuses and not strict and not grad_mode.is_recording():
            return  # nobody wants its history
        if self.refuses:
            raise errors.view_in_place(maker(view), False, self.refuses)
        self.version = view._version
        node = AsStridedBackward0()
        node.seq, node.next, node.extra = next_sequence_number(), (gradient_edge(base),), None
        node.meta, node.part = meta_of(view._data), Part(self.steps, base)
        move_retained_grad(view, node)
        view._edge, view._requires_grad = node, True


def maker(view: Tensor) -> str | None:
    """How PyTorch's messages name the operation that made a view; None if it is not recorded."""
    edge = view._edge
    return None if edge is None else f"Output {view.output_nr} of {short_name(node_of(edge))}"


def track_view(
    out: Tensor,
    source: Tensor,
    function: Callable[..., Any],
    args: tuple[Any, ...],
    refuses: str = "",
) -> None:
    """Let `out` share the version counter of `source`, and remember its base."""
    counter = source._counter
    if counter is None:
        counter = source._counter = [0]
    out._counter = counter
    if counter is not grad_mode.UNTRACKED:
        out._view = View(source, function, args, refuses, counter[0])


class Part:
    """Which elements of a base a view shows, without holding either."""

    __slots__ = ("shape", "steps", "strides")

    def __init__(self, steps: Steps, base: Tensor) -> None:
        self.steps, self.shape, self.strides = steps, base._data.shape, base._data.strides

    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    def positions(self) -> Any:
        """The position in the flattened base of every element of the view.

        Found by making the view of an array of positions, laid out in memory as the base is.
        """
        outer_first = sorted(range(len(self.shape)), key=lambda dim: -abs(self.strides[dim]))
        layout = np.empty([self.shape[dim] for dim in outer_first], int)
        positions = layout.transpose([outer_first.index(dim) for dim in range(len(self.shape))])
        positions[...] = np.arange(self.size()).reshape(self.shape)
        for function, args in reversed(list(unlinked(self.steps))):
            positions = table.row_of(function).kernel()(positions, *args)
        return positions


def unlinked(steps: Steps) -> Iterator[tuple[Callable[..., Any], tuple[Any, ...]]]:
    """The steps one by one, the last one first."""
    while steps is not None:
        steps, function, args = steps
        yield function, args


class AsStridedBackward0(HandWrittenNode):
    """From the gradient of a view to that of its base: zero wherever the view does not look."""

    __slots__ = ("part",)
    __module__ = "builtins"

    part: Part
    is_view = True

    def backward(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        return self._put_back(grad, ops.index_backward_kernel)

    def backward_graph(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        return self._put_back(grad, ops.index_backward)

    def _put_back(self, grad: Any, index_backward: Callable[..., Any]) -> tuple[Any, ...]:
        flat = index_backward(grad, (self.part.size(),), (self.part.positions(),))
        return self.along([flat.reshape(self.part.shape)])


class CopySlices(HandWrittenNode):
    """The history of a base that was changed through a view, by the operation `inner`."""

    __slots__ = ("inner", "part")
    __module__ = "builtins"

    inner: Node | None
    part: Part

    def name(self) -> str:
        return "torch::autograd::CopySlices"

    def backward(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        positions = self.part.positions()
        flat = grad.reshape(-1).copy()
        _, first, *others = self._inner(keep).backward(flat[positions], keep)
        flat[positions] = 0 if first is None else first
        return (self.next[0], flat.reshape(grad.shape), *others)

    def backward_graph(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        positions = self.part.positions()
        flat = grad.reshape(-1).clone()
        shown = ops.indexing.index_(flat, (positions,))  # a copy, even of a single element
        _, first, *others = self._inner(keep).backward_graph(shown, keep)
        flat[positions] = 0 if first is None else first
        return (self.next[0], flat.reshape(grad.shape), *others)

    def _inner(self, keep: bool) -> Node:
        """The operation; unless `keep`, it is let go of like a saved value."""
        inner = self.inner
        if inner is None:
            raise errors.freed_graph()
        if not keep:
            self.inner = None
        return inner


def check_in_place(tensor: Tensor, operands: tuple[Any, ...] = ()) -> None:
    """Raise if `tensor` must not be changed in place."""
    if grad_mode.is_recording():
        check_history(tensor, operands)
    if tensor._counter is grad_mode.UNTRACKED and not grad_mode.is_inference_mode_enabled():
        raise errors.inference_in_place()


def check_history(tensor: Tensor, operands: tuple[Any, ...]) -> None:
    """Raise if the change could not be recorded: on a leaf, or on certain views."""
    view = tensor._view
    if view is not None:
        involved = (tensor, view.base, *operands)
        if view.refuses and any(getattr(each, "_requires_grad", False) for each in involved):
            raise errors.view_in_place(maker(tensor), True, view.refuses)
        if tensor.requires_grad and view.base._edge is None:
            raise errors.leaf_in_place(is_view=True)
    if tensor.requires_grad and tensor._edge is None:
        raise errors.leaf_in_place(is_view=False)


def layout(array: np.ndarray[Any, Any]) -> list[tuple[int, int]]:
    """The length and the stride of each dimension; strides of single elements say nothing."""
    return [(n, step if n > 1 else 0) for n, step in zip(array.shape, array.strides, strict=True)]


def check_overlap(tensor: Tensor, operands: tuple[Any, ...], same: bool = True) -> None:
    """Raise if an operand shows memory that is about to be written; all of it it may, if `same`."""
    for each in operands:
        if not isinstance(each, type(tensor)) or not np.may_share_memory(tensor._data, each._data):
            continue
        arrays = tensor._data, each._data
        bounds = [np.lib.array_utils.byte_bounds(array) for array in arrays]
        if [end - start for start, end in bounds] != [array.nbytes for array in arrays]:
            continue  # there are gaps: what overlaps would take too long to find out
        if not same or bounds[0] != bounds[1] or layout(arrays[0]) != layout(arrays[1]):
            raise errors.overlapping_operand()


def in_place(
    function: Callable[..., Tensor], name: str, ufunc: Any = None
) -> Callable[..., Tensor]:
    """The in-place form of an operation: `add_` from `add`.

    With the operation's `ufunc`, what has no history is computed right where it belongs, without a
    result that is copied there.
    """

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        operand_only = ufunc is not None and len(args) == 1 and not kwargs
        if operand_only and compute_there(ufunc, self, *args):
            return self
        check_in_place(self, args)
        if name not in ("fill_", "masked_fill_"):  # which take a number out of the memory first
            check_overlap(self, args)
        result = function(self, *args, **kwargs)
        if result is NotImplemented and not name.startswith("__"):
            raise errors.argument_type(name, "other", 1, "Tensor", args[0] if args else None)
        if result is NotImplemented:
            return result
        write(self, result)
        return self

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place version of `{name[:-1]}`: changes the tensor and returns it."
    return method


def compute_there(ufunc: Any, tensor: Tensor, other: Any) -> bool:
    """Let `ufunc` write over `tensor`, if nothing is recorded or converted; whether it did."""
    recording = not grad_mode.threads_off or grad_mode.is_recording()
    if (recording and tensor.requires_grad) or tensor._counter is grad_mode.UNTRACKED:
        return False
    data, operand = tensor._data, other
    if isinstance(other, Tensor):
        operand = other._data
        if other.dtype is not tensor.dtype or (recording and other.requires_grad):
            return False
        if operand.base is not None or data.base is not None:  # else they share nothing, or all
            check_overlap(tensor, (other,))
    elif other.__class__ not in (int, float):
        return False
    if not tensor.dtype.is_floating_point:
        return False
    if data.__class__ is not np.ndarray:
        result = ufunc(data, operand)
        if result.shape:
            return False
        tensor._data = data.dtype.type(result)
    elif repeats(data):
        return False
    else:
        try:
            ufunc(data, operand, data)
        except ValueError:  # read-only, or too small for the result: `write` says which
            return False
    changed(tensor)
    return True


def write(tensor: Tensor, result: Tensor) -> None:
    """Put the values of `result` into the memory of `tensor`, and its history with them."""
    check_fits(tensor, result)
    data, node = tensor._data, result._edge
    assert not isinstance(node, tuple)
    if node is not None:
        rescue_old_values(node, data)
    if data.__class__ is np.ndarray:
        data[...] = result._data
    else:
        data = tensor._data = data.dtype.type(result._data)
    changed(tensor)
    if node is None:
        return
    hooked = isinstance(getattr(node, "saved_result", None), PackedValue)
    if node.saved.get("result") == "output" and not hooked:  # the changed tensor was saved
        node.saved_result, node.counter_result = data, tensor._counter  # type: ignore[attr-defined]
        node.version_result = tensor._version  # type: ignore[attr-defined]
    rebase(tensor, node)


def check_fits(tensor: Tensor, result: Tensor) -> None:
    if result._data.shape != tensor._data.shape:
        raise errors.output_shape(tensor, result)
    if result.dtype.category > tensor.dtype.category:
        raise errors.output_dtype(tensor, result)
    if repeats(tensor._data):
        raise errors.repeated_memory()


def repeats(array: Any) -> bool:
    """Whether the array shows one place in memory more than once, as `expand` makes it."""
    return not array.flags.c_contiguous and any(
        length > 1 and step == 0 for length, step in zip(array.shape, array.strides, strict=True)
    )


def rescue_old_values(node: Node, data: Any) -> None:
    """If backward needs the values that are about to be overwritten, let it have a copy."""
    for name, source in node.saved.items():
        value = getattr(node, f"saved_{name}", FREED)
        if source == 0 and value is not FREED:
            if value is data:  # and not already a copy, in another dtype
                setattr(node, f"saved_{name}", data.copy())
            setattr(node, f"counter_{name}", [0])
            setattr(node, f"version_{name}", 0)


def changed(tensor: Tensor) -> None:
    """Count one more in-place change of the tensor's memory."""
    counter = tensor._counter
    if counter is None:
        tensor._counter = [1]
    elif counter is not grad_mode.UNTRACKED:
        counter[0] += 1


def rebase(tensor: Tensor, node: Node, number: int = 0) -> None:
    """Let output `number` of `node`, the tensor's present values, be its history, and a base's.

    A node that has changed a view must have this one output.
    """
    view = tensor._view
    if view is None:
        move_retained_grad(tensor, node, number)
        tensor._edge, tensor._requires_grad = node.edge(number), True
        version_note(tensor, node)
        return
    base = view.base
    copy_slices = CopySlices()
    copy_slices.seq, copy_slices.extra = next_sequence_number(), None
    copy_slices.next = (gradient_edge(base), *node.next[1:])
    copy_slices.meta, copy_slices.part = meta_of(base._data), Part(view.steps, base)
    copy_slices.inner = node
    if node.extra is not None:
        copy_slices.extras()  # it calls code of the user's as well
    move_retained_grad(base, copy_slices)
    base._edge, base._requires_grad = copy_slices, True
    version_note(tensor, copy_slices)
    view.refresh(tensor)


def version_note(tensor: Tensor, node: Node) -> None:
    """Note who changed the memory last; the error about a stale saved tensor names it."""
    assert tensor._counter is not None
    tensor._counter[1:] = [short_name(node)]


def move_retained_grad(tensor: Tensor, node: Node, number: int = 0) -> None:
    """`retain_grad` follows the tensor to its new node; its hooks stay with the old one."""
    edge: Edge = tensor._edge
    old, before = edge if isinstance(edge, tuple) else (edge, 0)
    if old is not None and old.extra is not None:
        reference = old.extra.retaining.get(before)
        if reference is not None and reference() is tensor:
            node.extras().retaining[number] = old.extra.retaining.pop(before)


from . import ops  # noqa: E402
from .ops import table  # noqa: E402
from .tensor import Tensor  # noqa: E402
