"""Operations of the user's own: `Function`, with a forward and a backward.

`MyPow.apply(x, q)` makes the node that will be `y.grad_fn`, of class `MyPowBackward`, and hands
that very node to `forward` as `ctx`: what forward leaves on it, backward finds. Forward itself runs
unrecorded.

Source: https://docs.pytorch.org/docs/2.13/notes/extending.html#extending-torch-autograd and
torch/csrc/autograd/custom_function.h
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from . import errors, grad_mode, watching
from .inplace import changed, check_in_place, rebase
from .node import (
    FREED,
    Node,
    gradient_edge,
    meta_of,
    next_sequence_number,
    node_of,
    shape_and_dtype,
    stale,
)
from .ops import indexing
from .ops.runtime import in_graph
from .tensor import Tensor, new_tensor, version_counter


class FunctionNode(Node):
    """The node of a user's operation, and the `ctx` of its forward and backward.

    Attributes:
        function: the Function.
        needs_input_grad: for each argument of `apply`, whether its gradient is wanted.
        positions: for each argument, whether it is a tensor; `next` has an edge for those only.
        saved_values: what `save_for_backward` was given, as `SavedTensor`s; FREED after backward.
        dirty, non_differentiable, materialize: what the methods below were told.
    """

    __slots__ = (
        "__dict__",
        "dirty",
        "materialize",
        "needs_input_grad",
        "non_differentiable",
        "positions",
        "saved_values",
        "to_save",
    )

    function: ClassVar[type[Function]]
    runs_on_nothing = calls_user = True

    needs_input_grad: tuple[bool, ...]
    saved_values: Any
    to_save: tuple[Tensor | None, ...]
    dirty: tuple[Tensor, ...]
    non_differentiable: tuple[Tensor, ...]
    materialize: bool
    positions: list[bool]

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep inputs or outputs for `backward`, where `ctx.saved_tensors` returns them.

        Unlike attributes of ctx they are checked for in-place changes, and freed with the graph.
        """
        self.to_save = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say that forward has changed these inputs in place."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say that these outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing gradients arrive in backward as zeros (the default) or as None."""
        self.materialize = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept. RuntimeError if it is freed or was changed since."""
        if self.saved_values is FREED:
            raise errors.freed_graph()
        return tuple(None if saved is None else saved.unpack(self) for saved in self.saved_values)

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {id(self):#x}>"

    def backward(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        given = grad if self.outputs > 1 else [grad]
        results = self.call([None if each is None else new_tensor(each) for each in given], keep)
        return tuple(None if each is None else each._data for each in results)

    def backward_graph(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        return self.call(grad if self.outputs > 1 else [grad], keep)

    def call(self, grads: Sequence[Tensor | None], keep: bool) -> tuple[Any, ...]:
        """Run the user's backward and check what it returns."""
        if self.materialize:
            metas = self.meta if self.outputs > 1 else [self.meta]
            grads = [zeros_for(m) if g is None else g for g, m in zip(grads, metas, strict=True)]
        results = self.function.backward(self, *grads)
        if not isinstance(results, tuple):
            results = (results,)
        expected = len(self.positions)
        if len(results) > expected and all(each is None for each in results[expected:]):
            results = results[:expected]
        if len(results) != expected:
            raise RuntimeError(
                f"function {self.name()} returned an incorrect number of gradients (expected"
                f" {expected}, got {len(results)})"
            )
        for position, (result, is_tensor) in enumerate(zip(results, self.positions, strict=True)):
            if result is None:
                continue
            if not is_tensor:
                raise RuntimeError(
                    f"function {self.name()} returned a gradient different than None at position"
                    f" {position + 1}, but the corresponding forward input was not a Variable"
                )
            if not isinstance(result, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(result).__name__})")
        if not keep:
            self.saved_values = FREED if self.saved_values else self.saved_values
        return tuple(r for r, is_tensor in zip(results, self.positions, strict=True) if is_tensor)


class SavedTensor:
    """A tensor as it was when it was saved. Holds its memory and history, not the tensor itself."""

    __slots__ = ("counter", "data", "edge", "number", "version")

    def __init__(self, tensor: Tensor, node: FunctionNode) -> None:
        self.data, self.version = tensor._data, tensor._version
        self.counter = version_counter(tensor)
        edge = gradient_edge(tensor)
        # An output is saved without its history, which would be a cycle: unpacking adds it again.
        self.number = None
        if edge is not None and node_of(edge) is node:
            self.number = tensor.output_nr
        self.edge = edge if self.number is None else None

    def unpack(self, node: FunctionNode) -> Tensor:
        edge = self.edge
        if self.number is not None:
            edge = node.edge(self.number)
        if self.counter[0] != self.version:
            is_output = self.number is not None
            raise stale(self.data, self.counter, self.version, edge, is_output)
        return in_graph(self.data, self.counter, edge)


class Function:
    """Base class of the user's operations: static `forward` and `backward`, called through `apply`.

    `forward(ctx, *args)` computes with tensors and returns a tensor or a tuple of them;
    `backward(ctx, *grads)` gets a gradient for every output and returns one, or None, for every
    argument of forward. Alternatively `forward(*args)` without ctx, and `setup_context(ctx, inputs,
    output)`.
    """

    _node_class: type[FunctionNode]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._node_class = type(
            f"{cls.__name__}Backward",
            (FunctionNode,),
            {"__slots__": (), "__module__": "torch.autograd.function", "function": cls},
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all"
            " static, so you should invoke them on the class itself. Instantiating an autograd"
            " function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise RuntimeError(
            "Legacy autograd function with non-static forward method is deprecated. Please use"
            " new-style autograd function with static forward method. (Example:"
            " https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            "You must implement the forward function for custom autograd.Function."
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function"
            " to use it with backward mode AD."
        )

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run forward and, if an argument requires grad, record it."""
        node = cls._node_class()
        node.extra = None
        node.saved_values, node.to_save = (), ()
        node.dirty, node.non_differentiable, node.materialize = (), (), True
        node.positions = [isinstance(each, Tensor) for each in args]
        recording = grad_mode.is_recording()
        edges = [
            gradient_edge(a) if is_t else None for a, is_t in zip(args, node.positions, strict=True)
        ]
        node.seq = next_sequence_number()  # after those that `gradient_edge` may have made
        node.needs_input_grad = tuple(edge is not None for edge in edges)
        node.next = tuple(edge for edge, is_t in zip(edges, node.positions, strict=True) if is_t)
        with grad_mode.no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(node, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
        return finish(node, args, output, recording and any(node.needs_input_grad))


def finish(node: FunctionNode, args: tuple[Any, ...], output: Any, record: bool) -> Any:
    """Make what forward returned the outputs of `node`, and save what it wanted saved."""
    several = isinstance(output, tuple)
    results = list(output) if several else [output]
    for tensor in node.dirty:
        if not any(tensor is result for result in results):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as"
                " output. The inputs that are modified inplace must all be outputs of the Function."
            )
    metas = [meta_of(each._data) if isinstance(each, Tensor) else None for each in results]
    node.meta = metas if len(results) > 1 else metas[0]
    replaced = []
    for number, result in enumerate(results):
        replaced.append(connect(node, args, result, number, record))
    if record:
        node.saved_values = tuple(
            None if each is None else SavedTensor(same(each, results, replaced), node)
            for each in check_saveable(node.to_save)
        )
        if watching.active:
            watching.recorded(node)
    node.to_save, node.dirty, node.non_differentiable = (), (), ()  # they would keep tensors
    return tuple(replaced) if several else replaced[0]


def same(tensor: Tensor, before: list[Any], after: list[Any]) -> Any:
    """The output that stands for `tensor`, if forward returned it; else `tensor`."""
    for old, new in zip(before, after, strict=True):
        if old is tensor:
            return new
    return tensor


def check_saveable(values: tuple[Any, ...]) -> tuple[Tensor | None, ...]:
    for position, value in enumerate(values):
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {position} is of type "
                f"{type(value).__name__}"
            )
    return values


def connect(
    node: FunctionNode, args: tuple[Any, ...], result: Any, number: int, record: bool
) -> Any:
    """`result` as output `number` of `node`: itself if fresh or changed in place, else an alias."""
    if not isinstance(result, Tensor):
        return result
    differentiable = (
        record
        and result.dtype.is_floating_point
        and not any(result is each for each in node.non_differentiable)
    )
    if any(result is each for each in node.dirty):
        if record and result._edge is None and result._requires_grad:
            raise RuntimeError(
                "a leaf Variable that requires grad has been used in an in-place operation."
            )
        if record:
            check_in_place(result)
        changed(result)
        if differentiable:
            rebase_output(result, node, number)
        return result
    if any(result is each for each in args):
        with grad_mode.no_grad():
            result = indexing.alias(result)
        result._requires_grad = False
    if result._view is not None:  # following an in-place change would pass the user's backward by
        alone = node.outputs == 1
        result._view.refuses = errors.MADE_BY_FUNCTION if alone else errors.MADE_WITH_OTHERS
    if differentiable:
        result._edge, result._requires_grad = node.edge(number), True
    return result


def rebase_output(result: Tensor, node: FunctionNode, number: int) -> None:
    if node.outputs == 1:
        rebase(result, node)
    else:
        result._edge, result._requires_grad = (node, number), True


def zeros_for(meta: Any) -> Tensor | None:
    if meta is None:
        return None
    shape, dtype = shape_and_dtype(meta)
    return new_tensor(np.zeros(shape, dtype)[()])


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a backward that cannot be differentiated: trying to raises RuntimeError."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        with grad_mode.no_grad():
            results = backward(ctx, *grads)
        if not grad_mode.is_grad_enabled() or not any(
            isinstance(each, Tensor) and each._requires_grad for each in grads
        ):
            return results
        outputs = results if isinstance(results, tuple) else (results,)
        refusing = tuple(
            each if each is None else Refuse.apply(each.detach().requires_grad_())
            for each in outputs
        )
        return refusing if isinstance(results, tuple) else refusing[0]

    return wrapper


class Refuse(Function):
    """Passes a tensor on, and says no when a gradient comes back."""

    @staticmethod
    def forward(ctx: FunctionNode, tensor: Tensor) -> Tensor:
        return tensor

    @staticmethod
    def backward(ctx: FunctionNode, grad: Tensor) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


Refuse._node_class.__name__ = "torch::autograd::Error"
