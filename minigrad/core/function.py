"""User-defined operations: `Function`, with a forward and a backward.

`MyPow.apply(x, q)` creates the node that will be `y.grad_fn`, a `MyPowBackward`, and passes it to
`forward` as `ctx`, so backward finds on it whatever forward stored there. Users may give it
attributes of any name, which is why the library's own begin with an underscore. Forward itself is
not recorded.

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
    check_dirty_output,
    check_gradients,
    check_marks,
    check_saveable,
    users_backward,
)
from .grad_mode import mode, no_grad
from .inplace import check_in_place, history_of_memory, rebase_history
from .node import FREED, Meta, Node, SavedTensor, gradient_edge, sequence_numbers, set_history
from .tensor import Tensor, count_change, new_tensor, without_graph


class FunctionNode(Node):
    """The node of a user-defined operation, and the `ctx` of its forward and backward."""

    _function: ClassVar[type[Function]]  # the user's class; each has a node class of its own
    _to_save: Sequence[Tensor | None] = ()
    _constant: Sequence[Tensor] = ()  #@rare
    _dirty: Sequence[Tensor] = ()  #@rare
    _materialize = True  #@rare

    def __init__(self, args: Sequence[Any]) -> None:
        self._are_tensors = [isinstance(each, Tensor) for each in args]
        self.needs_input_grad = tuple(isinstance(t, Tensor) and t.requires_grad for t in args)
        self.next_functions = tuple(gradient_edge(t) for t in args if isinstance(t, Tensor))
        self._seq = next(sequence_numbers)

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Save inputs or outputs for `backward`, which notices changes and frees them."""
        self._to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:  #@rare
        """Declare that forward changed these inputs in place; it has to return them."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:  #@rare
        """Declare that these outputs have no gradient."""
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:  #@rare
        """Choose whether backward gets missing gradients as zeros (the default) or as None."""
        check_bool(value)
        self._materialize = value

    def _finish(self, args: Sequence[Any], results: Sequence[Any]) -> Sequence[Any]:
        """Turn what forward returned into outputs of this node, and save what it asked for."""
        for changed in self._dirty:  #@rare
            count_change(check_dirty(changed))
        check_marks(self, results)  #@rare
        self._meta = [(r.shape, r.dtype) if isinstance(r, Tensor) else None for r in results]
        results = [attach_output(self, args, each, n) for n, each in enumerate(results)]
        if self._is_wanted():
            to_save = enumerate(check_saveable(self._to_save))
            self._saved = {str(position): self._pack(each) for position, each in to_save}
            observers.recorded(self, results)  #@rare
        self._to_save = ()  # or it would keep tensors alive
        self._clear_marks(results)  #@rare
        return results

    def _clear_marks(self, results: Sequence[Any]) -> None:  #@rare
        """Forget the marks once the outputs are made, because they keep tensors alive."""
        keep_views(self, results)  #@rare
        self._dirty = self._constant = ()

    def _is_wanted(self) -> bool:
        """Whether this node can receive a gradient, so that it is worth recording."""
        if not mode.recording:  #@10
            return False
        return any(self.needs_input_grad)

    def _pack(self, tensor: Tensor | None) -> SavedTensor | None:
        """A tensor as the node saves it: an input itself, but of an output only the array."""
        if tensor is None:
            return None
        is_output = tensor._node is self
        if tensor._view is not None and among(self._dirty, tensor):  # its base has the node  #@rare
            is_output = tensor.requires_grad
        return SavedTensor(tensor, tensor._output_nr if is_output else None)

    def release_variables(self) -> None:  #@rare
        """Free what was saved; from now on `saved_tensors` raises, even if it was empty."""
        self._saved = dict.fromkeys(self._saved, FREED) or {"0": FREED}

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` saved. RuntimeError if it was freed or has changed since."""
        return tuple(self._unpack(name) for name in self._saved)

    def backward(self, *grads: Tensor | None) -> Sequence[Tensor | None]:
        """Call the user's backward with the gradients of all outputs; return the inputs'."""
        if self._materialize:  #@rare:
            grads = tuple(map(materialize, grads, self._meta))
        results = users_backward(self._function)(self, *grads)
        return check_gradients(self, results, self._are_tensors)


class Function(FunctionBase):
    """Base class of user-defined operations, with a static `forward` and `backward`; call `apply`.

    `forward(ctx, *args)` returns a tensor or a tuple of them. `backward(ctx, *grads)` receives a
    gradient for every output and returns one, or None, for every argument of forward.
    """

    _kind_of_node = FunctionNode

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward and, if an argument requires grad, record it."""
        args = by_position(cls, args, kwargs)
        node = cls._node_class(args)
        with no_grad():  #@10:
            if cls.setup_context is Function.setup_context:  #@rare:
                output = cls.forward(node, *args)
            else:  #@rare
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
        results = node._finish(args, output if isinstance(output, tuple) else (output,))
        return tuple(results) if isinstance(output, tuple) else results[0]


def among(values: Sequence[Any], tensor: Tensor) -> bool:
    """Whether this very tensor is one of `values`."""
    return any(each is tensor for each in values)


def attach_output(node: FunctionNode, args: Sequence[Any], result: Any, number: int) -> Any:
    """Make `result` output `number` of `node`; an input is first wrapped in a new tensor."""
    if not isinstance(result, Tensor):  #@rare
        return result
    is_input, flows = among(args, result), node._is_wanted()
    if not result.dtype.is_floating_point or among(node._constant, result):  #@rare
        flows = False
    if is_input and not flows and result.requires_grad:  #@rare
        return without_graph(result)
    if not is_input and not flows and result._view is None:  #@rare
        result.detach_()
    if among(node._dirty, result):  #@rare
        if flows:
            rebase_dirty(result, is_input, node, number)
        return result
    output = result.view_as(result) if is_input else result
    if flows:
        set_history(output, node, number)
    return output


def materialize(grad: Tensor | None, meta: Meta | None) -> Tensor | None:
    """`grad`, or zeros if the output has none; None if the output is not a tensor."""
    if grad is not None or meta is None:
        return grad
    shape, dtype = meta
    return new_tensor(np.zeros(shape, dtype.numpy))


def rebase_dirty(result: Tensor, is_input: bool, node: FunctionNode, number: int) -> None:  #@rare
    """Make `node` the history of a tensor that forward changed in place, or raise."""
    if result._node is None and result.requires_grad:
        raise errors.dirty_leaf()
    check_dirty_output(result, is_input, node)
    check_in_place(result)
    rebase_history(result, history_of_memory(result, node), number)
    result.grad = None  # it is not a leaf anymore


def keep_views(node: FunctionNode, outputs: Sequence[Any]) -> None:  #@rare
    """Make outputs that are views refuse changes, which would bypass the user's backward."""
    why = errors.made_by_function(node, outputs)
    for each in outputs:
        if isinstance(each, Tensor) and each._view is not None and not among(node._dirty, each):
            each._view.refuses = why
            each._view.version = each._version  # forward's own changes need no refresh
