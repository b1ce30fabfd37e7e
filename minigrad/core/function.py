"""Operations of the user's own: `Function`, with a forward and a backward.

`MyPow.apply(x, q)` makes the node that will be `y.grad_fn`, of class `MyPowBackward`, and hands
that very node to `forward` as `ctx`: what forward leaves on it, backward finds. Forward itself runs
unrecorded.

Source: https://docs.pytorch.org/docs/2.13/notes/extending.html#extending-torch-autograd and
torch/csrc/autograd/custom_function.h
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from ..support import errors, observers
from ..support.custom_functions import (
    FunctionBase,
    by_position,
    check_bool,
    check_dirty,
    check_gradients,
    check_marks,
    check_saveable,
    users_backward,
)
from .grad_mode import mode, no_grad
from .inplace import check_in_place, rebase_history
from .node import FREED, Meta, Node, SavedTensor, gradient_edge, sequence_numbers, set_history
from .tensor import Tensor, count_change, new_tensor, without_graph


class FunctionNode(Node):
    """The node of a user's operation, and the `ctx` of its forward and backward.

    What only `apply` calls has an underscore: users give ctx attributes of any name.
    """

    _function: ClassVar[type[Function]]
    needs_input_grad: tuple[bool, ...]  # for each argument of `apply`
    _are_tensors: list[bool]  # for each argument; only tensors have an edge
    _to_save: Sequence[Tensor | None] = ()
    _constant: Sequence[Tensor] = ()
    _dirty: Sequence[Tensor] = ()
    _materialize = True
    __repr__ = object.__repr__  # with the module, as in PyTorch

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for `backward`, where `ctx.saved_tensors` returns them.

        Unlike attributes of ctx they are checked for in-place changes, and freed with the graph.
        """
        self._to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say that forward has changed these inputs, which it returns, in place."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say that these outputs have no gradient."""
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing gradients arrive in backward as zeros (the default) or as None."""
        check_bool(value)
        self._materialize = value

    def _begin(self, args: Sequence[Any]) -> None:
        """Note what `apply` was called with, before forward runs."""
        edges = [gradient_edge(each) if isinstance(each, Tensor) else None for each in args]
        self._are_tensors = [edge is not None for edge in edges]
        self.next_functions = tuple(edge for edge in edges if edge is not None)
        self.needs_input_grad = tuple(isinstance(t, Tensor) and t.requires_grad for t in args)
        self._seq = next(sequence_numbers)

    @no_grad()  # type: ignore[untyped-decorator]  # 10
    def _run_forward(self, args: tuple[Any, ...]) -> Any:
        """What the user's forward gives for these arguments."""
        function = self._function
        if function.setup_context is Function.setup_context:
            return function.forward(self, *args)
        output = function.forward(*args)
        function.setup_context(self, args, output)
        return output

    def _finish(self, args: Sequence[Any], output: Any) -> Any:
        """Make what forward returned the outputs of this node, and save what it wanted saved."""
        results = list(output) if isinstance(output, tuple) else [output]
        for changed in self._dirty:  # 18
            count_change(check_dirty(changed))
        check_marks(self, results)
        self._meta = [(r.shape, r.dtype) if isinstance(r, Tensor) else None for r in results]
        record = any(self.needs_input_grad)
        record = record and mode.recording  # 10
        outputs = [attach_output(self, args, each, n, record) for n, each in enumerate(results)]
        keep_views(self, outputs)  # 18
        if record:
            self._save()
            observers.recorded(self, outputs)  # 99
        self._to_save = self._dirty = self._constant = ()  # they would keep tensors
        return tuple(outputs) if isinstance(output, tuple) else outputs[0]

    def _save(self) -> None:
        """Keep what `save_for_backward` was given."""
        self._saved = {}
        for position, each in enumerate(check_saveable(self._to_save)):
            number = None if each is None or not self._is_output(each) else each._output_nr
            self._saved[str(position)] = None if each is None else SavedTensor(each, number)

    def _is_output(self, tensor: Tensor) -> bool:
        """Whether forward made `tensor`."""
        if tensor._view is not None and among(self._dirty, tensor):  # 99  its base has the history
            return tensor.requires_grad
        return tensor._node is self

    def release_variables(self) -> None:  # 99
        """Let go of what was saved; `saved_tensors` raises from now on, even if it was empty."""
        self._saved = dict.fromkeys(self._saved, FREED) or {"0": FREED}

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept. RuntimeError if it is freed or was changed since."""
        return tuple(self._unpack(name) for name in self._saved)

    def backward(self, *grads: Tensor | None) -> Sequence[Tensor | None]:
        """Run the user's backward; what it returns for arguments that are no tensors goes."""
        if self._materialize:
            given = zip(grads, self._meta, strict=True)
            grads = tuple(zeros(meta) if grad is None else grad for grad, meta in given)
        results = users_backward(self._function)(self, *grads)
        results = results if isinstance(results, tuple) else (results,)
        results = check_gradients(self, results, self._are_tensors)
        return [grad for grad, wanted in zip(results, self._are_tensors, strict=True) if wanted]


class Function(FunctionBase):
    """Base class of the user's operations: static `forward` and `backward`, called through `apply`.

    `forward(ctx, *args)` computes with tensors and returns a tensor or a tuple of them;
    `backward(ctx, *grads)` gets a gradient for every output and returns one, or None, for every
    argument of forward. Alternatively `forward(*args)` without ctx, and `setup_context(ctx, inputs,
    output)`. What a class leaves out raises, as the base says.
    """

    _node_class: type[FunctionNode]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        about = {"__module__": "torch.autograd.function", "_function": cls}
        cls._node_class = type(f"{cls.__name__}Backward", (FunctionNode,), about)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward and, if an argument requires grad, record it."""
        args = by_position(cls, args, kwargs)
        node = cls._node_class()
        node._begin(args)
        return node._finish(args, node._run_forward(args))


def among(values: Sequence[Any], tensor: Tensor) -> bool:
    """Whether this very tensor is one of `values`."""
    return any(each is tensor for each in values)


def attach_output(
    node: FunctionNode, args: Sequence[Any], result: Any, number: int, record: bool
) -> Any:
    """`result` as output `number` of `node`; an input as the same memory in a new tensor."""
    if not isinstance(result, Tensor):
        return result
    is_input = among(args, result)
    if among(node._constant, result) or not result.dtype.is_floating_point or not record:
        return without_history(result, is_input, among(node._dirty, result))
    if among(node._dirty, result):  # 18
        rebase_dirty(result, is_input, node, number)
        return result
    output = without_graph(result) if is_input else result
    if is_input:  # 18
        output = unrecorded_alias(result)
    set_history(output, node, number)
    return output


def keep_views(node: FunctionNode, outputs: Sequence[Any]) -> None:  # 18
    """Let no output that is a view follow a change of its base: it would pass backward by."""
    tensors = [each for each in outputs if isinstance(each, Tensor)]
    alone = sum(each._node is node for each in tensors) <= 1
    for each in tensors:
        if each._view is not None and not among(node._dirty, each):
            each._view.no_longer_follows(each, alone)


def without_history(result: Tensor, is_input: bool, is_dirty: bool) -> Tensor:
    """`result` as an output through which no gradient flows."""
    if is_dirty and not result.requires_grad:
        return result
    if is_input and not result.requires_grad:  # 18
        alias: Tensor = unrecorded_alias(result)
        return alias
    if not is_input and result._view is not None:  # 18
        return result
    return without_graph(result) if is_input else result.detach_()


@no_grad()  # type: ignore[untyped-decorator]  # 18
def unrecorded_alias(tensor: Tensor) -> Tensor:  # 18
    """The same memory as another tensor, outside every graph; a view of it."""
    alias: Tensor = tensor.view_as(tensor)
    return alias


def rebase_dirty(result: Tensor, is_input: bool, node: FunctionNode, number: int) -> None:  # 18
    """Make `node` the history of a tensor that forward has changed in place; raise if it cannot."""
    if result._node is None and result.requires_grad:
        raise errors.dirty_leaf()
    if not is_input and result._view is not None:
        raise errors.dirty_no_input()
    if not is_input:
        errors.warn_dirty_no_input()
    if result._view is not None and len(node._meta) > 1:
        raise errors.dirty_view_with_others()
    check_in_place(result)
    rebase_history(result, node, number)
    result.grad = None  # it is no leaf any more


def zeros(meta: Meta | None) -> Tensor | None:
    """Zeros for an output without a gradient; None if that is no tensor."""
    return None if meta is None else new_tensor(np.zeros(meta[0], meta[1].numpy))
