"""Operations of the user's own: `Function`, with a forward and a backward.

`MyPow.apply(x, q)` makes the node that will be `y.grad_fn`, of class `MyPowBackward`, and hands
that very node to `forward` as `ctx`: what forward leaves on it, backward finds. Forward itself runs
unrecorded.

Source: https://docs.pytorch.org/docs/2.13/notes/extending.html#extending-torch-autograd and
torch/csrc/autograd/custom_function.h
"""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from . import errors, grad_mode, watching
from .engine import as_tensor, carried, conform
from .hooks import NodeExtras
from .inplace import changed, check_in_place, rebase
from .node import (
    FREED,
    HandWrittenNode,
    gradient_edge,
    meta_of,
    next_sequence_number,
    stale,
    zeros_of,
)
from .ops import indexing, runtime
from .tensor import Tensor, as_array, new_tensor, version_counter


class FunctionNode(HandWrittenNode):
    """The node of a user's operation, and the `ctx` of its forward and backward.

    Attributes:
        needs_input_grad: for each argument of `apply`, whether its gradient is wanted.
        _function: the Function.
        _are_tensors: for each argument, whether it is a tensor; `next` has an edge for those only.
        _to_save, _dirty, _constant, _materialize: what the methods below were told.
        _kept: what `save_for_backward` was given, as `Kept`s; FREED after backward.
    """

    __slots__ = (
        "__dict__", "_are_tensors", "_constant", "_dirty", "_kept", "_materialize", "_to_save",
        "needs_input_grad",
    )  # fmt: skip

    _function: ClassVar[type[Function]]
    runs_on_nothing = True

    needs_input_grad: tuple[bool, ...]
    _are_tensors: list[bool]
    _to_save: tuple[Tensor | None, ...]
    _dirty: tuple[Tensor, ...]
    _constant: tuple[Tensor, ...]
    _materialize: bool
    _kept: Any

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
        if not isinstance(value, bool):
            raise errors.materialize_type()
        self._materialize = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept. RuntimeError if it is freed or was changed since."""
        if self._kept is FREED:
            raise errors.freed_graph()
        return tuple(None if saved is None else saved.unpack(self) for saved in self._kept)

    @property
    def saved_variables(self) -> tuple[Tensor | None, ...]:
        """What `saved_tensors` was called when tensors were variables."""
        errors.warn_saved_variables()
        return self.saved_tensors

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {id(self):#x}>"

    def backward(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        return self.along(carried(each, False) for each in self.backward_graph(grad, keep)[1::2])

    def backward_graph(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        """Run the user's backward, which always gets tensors."""
        given, metas = (grad, self.meta) if self.meta.__class__ is list else ([grad], [self.meta])
        grads = [as_tensor(each) for each in given]
        if self._materialize:
            grads = [zeros_for(m) if g is None else g for g, m in zip(grads, metas, strict=True)]
        results = users_backward(self._function)(self, *grads)
        results = self._checked(results if isinstance(results, tuple) else (results,))
        if not keep:
            self._kept = FREED
        # All of them before the first is passed on, so that an error leaves every `.grad` alone.
        return self.along(
            [
                each if each is None or edge is None else conform(each, edge, self)
                for each, edge in zip(results, self.next, strict=True)
            ]
        )

    def _checked(self, results: tuple[Any, ...]) -> list[Tensor | None]:
        """The results for arguments that are tensors. RuntimeError unless they can be gradients."""
        expected = len(self._are_tensors)
        if all(each is None for each in results[expected:]):
            results = results[:expected]
        if len(results) != expected:
            raise errors.gradient_count(self, expected, len(results))
        pairs = list(zip(results, self._are_tensors, strict=True))
        for position, (result, is_tensor) in enumerate(pairs, 1):
            if result is not None and not is_tensor:
                raise errors.gradient_of_no_tensor(self, position)
            if result is not None and not isinstance(result, Tensor):
                raise errors.gradient_type(result)
        return [result for result, is_tensor in pairs if is_tensor]


def users_backward(function: type[Function]) -> Callable[..., Any]:
    """The static method `backward`, or `vjp` if that is what the user's class has."""
    if function.vjp is Function.vjp:
        return function.backward
    if function.backward is not Function.backward:
        raise errors.backward_and_vjp()
    return function.vjp


class Kept:
    """What `save_for_backward` keeps of a tensor: how it was then.

    It is given back as the same object, like in PyTorch, if that is still alive. What is held is
    its memory and history: holding the tensor would be a cycle as soon as it is changed in place
    by what came of it. An output is saved without its history, because that is a cycle at once.

    Attributes:
        data: the values, or a PackedValue in their place.
        counter, version: the version counter of that memory, and how it stood.
        edge: where a gradient goes, for tensors that are no output.
        number: which output of the node it is; None if it is none.
        original: a weak reference to the tensor, if it is no output.
    """

    __slots__ = ("counter", "data", "edge", "number", "original", "version")

    def __init__(self, tensor: Tensor, number: int | None) -> None:
        self.data: Any = as_array(tensor)
        self.counter, self.version = version_counter(tensor), tensor._version
        self.number = number
        self.edge = gradient_edge(tensor) if number is None else None
        self.original = weakref.ref(tensor) if number is None else None

    def unpack(self, node: FunctionNode) -> Tensor:
        """The tensor. RuntimeError if its memory was changed since."""
        edge = self.edge if self.number is None else node.edge(self.number)
        if self.counter[0] != self.version:
            raise stale(self.data, self.counter, self.version, edge, self.number is not None)
        tensor = self.original() if self.original is not None else None
        return runtime.in_graph(self.data, self.counter, edge) if tensor is None else tensor


class Function:
    """Base class of the user's operations: static `forward` and `backward`, called through `apply`.

    `forward(ctx, *args)` computes with tensors and returns a tensor or a tuple of them;
    `backward(ctx, *grads)` gets a gradient for every output and returns one, or None, for every
    argument of forward. Alternatively `forward(*args)` without ctx, and `setup_context(ctx, inputs,
    output)`. `vjp` is another name of `backward`.

    `jvp`, `vmap` and `generate_vmap_rule`, which belong to other modes of differentiation, may be
    there and are not used.
    """

    generate_vmap_rule = False
    _node_class: type[FunctionNode]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._node_class = type(
            f"{cls.__name__}Backward",
            (FunctionNode,),
            {"__slots__": (), "__module__": "torch.autograd.function", "_function": cls},
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        errors.warn_instance(type(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.called_instance()

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        raise errors.no_forward()

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        raise errors.no_backward()

    vjp = backward

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward and, if an argument requires grad, record it."""
        if kwargs or cls.setup_context is not Function.setup_context:
            args = by_position(cls, args, kwargs)
        node = cls._node_class()
        node.extra = NodeExtras()  # it calls code of the user's
        node._kept = node._to_save = node._dirty = node._constant = ()
        node._materialize = True
        node._are_tensors = [isinstance(each, Tensor) for each in args]
        recording = grad_mode.is_recording()
        arguments = list(zip(args, node._are_tensors, strict=True))
        edges = [gradient_edge(each) if is_tensor else None for each, is_tensor in arguments]
        node.seq = next_sequence_number()  # after those that `gradient_edge` may have made
        node.needs_input_grad = tuple([edge is not None for edge in edges])
        node.next = tuple([e for e, is_t in zip(edges, node._are_tensors, strict=True) if is_t])
        with grad_mode.no_grad():
            if cls.setup_context is Function.setup_context:
                output = cls.forward(node, *args)
            else:
                output = cls.forward(*args)
                cls.setup_context(node, args, output)
        return finish(node, args, output, recording and any(node.needs_input_grad))


def by_position(
    cls: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """All arguments of forward by position, with the defaults if there is a `setup_context`."""
    signature = inspect.signature(cls.forward)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, each in signature.parameters.items() if each.kind in positional]
    if cls.setup_context is Function.setup_context:
        names = names[1:]  # without ctx
    else:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        args, kwargs = bound.args, bound.kwargs
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if names.index(name) < len(args):
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    for name in names[len(args) : len(args) + len(kwargs)]:
        if name not in kwargs:
            raise TypeError(f"forward() missing required argument: '{name}' (position {len(args)})")
        args += (kwargs[name],)
    return args


def finish(node: FunctionNode, args: tuple[Any, ...], output: Any, record: bool) -> Any:
    """Make what forward returned the outputs of `node`, and save what it wanted saved."""
    several = isinstance(output, tuple)
    results = list(output) if several else [output]
    check_marks(node, results)
    metas = [meta_of(each._data) if isinstance(each, Tensor) else None for each in results]
    node.meta = metas[0] if len(results) == 1 else metas
    outputs = [connect(node, args, each, number, record) for number, each in enumerate(results)]
    if record:
        kept = [as_saved(*each, results, outputs) for each in enumerate(node._to_save)]
        node._kept = tuple(kept)
        if watching.active:
            watching.recorded(node)
    node._to_save = node._dirty = node._constant = ()  # they would keep tensors
    return tuple(outputs) if several else outputs[0]


def check_marks(node: FunctionNode, results: list[Any]) -> None:
    """Count the changes that `mark_dirty` tells of. RuntimeError for a mark that cannot be."""
    for tensor in node._dirty:
        if not isinstance(tensor, Tensor):
            raise RuntimeError("mark_dirty can only accept variables, but argument ")
        changed(tensor)
    if not all(isinstance(tensor, Tensor) for tensor in node._constant):
        raise RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")
    if not all(among(results, tensor) for tensor in node._dirty):
        raise errors.dirty_not_returned()


def among(values: Sequence[Any], tensor: Tensor) -> bool:
    """Whether this very tensor is one of `values`."""
    return any(each is tensor for each in values)


def as_saved(
    position: int, tensor: Tensor | None, results: list[Any], outputs: list[Any]
) -> Kept | None:
    """What to keep of a tensor: if forward returned it, of the output that stands for it."""
    if tensor is None:
        return None
    if not isinstance(tensor, Tensor):
        raise errors.saveable_type(position, tensor)
    for number, (result, output) in enumerate(zip(results, outputs, strict=True)):
        if result is tensor:
            return Kept(output, number if output._requires_grad else None)
    return Kept(tensor, None)


def connect(
    node: FunctionNode, args: tuple[Any, ...], result: Any, number: int, record: bool
) -> Any:
    """`result` as output `number` of `node`: itself if fresh or changed in place, else an alias."""
    if not isinstance(result, Tensor):
        return result
    is_input, is_dirty = among(args, result), among(node._dirty, result)
    constant = among(node._constant, result) or not result.dtype.is_floating_point
    if constant or not record:
        return without_history(result, is_input, is_dirty)
    if is_dirty:
        rebase_dirty(result, is_input, node, number)
        return result
    if is_input:
        result = unrecorded_alias(result)
    if result._view is not None:  # following an in-place change would pass the user's backward by
        alone = node.outputs == 1
        result._view.refuses = errors.MADE_BY_FUNCTION if alone else errors.MADE_WITH_OTHERS
        result._view.version = result._version  # there is nothing to follow yet
    result._edge, result._requires_grad = node.edge(number), True
    return result


def without_history(result: Tensor, is_input: bool, is_dirty: bool) -> Tensor:
    """`result` as an output through which no gradient flows."""
    if not result.requires_grad:
        return unrecorded_alias(result) if is_input and not is_dirty else result
    if is_input:
        return result.detach()
    return result if result._view is not None else result.detach_()


def unrecorded_alias(tensor: Tensor) -> Tensor:
    with grad_mode.no_grad():
        alias = indexing.alias(tensor)
    alias._requires_grad = False
    return alias


def rebase_dirty(result: Tensor, is_input: bool, node: FunctionNode, number: int) -> None:
    """Make `node` the history of a tensor that forward has changed in place; raise if it cannot."""
    if result._edge is None and result._requires_grad:
        raise errors.dirty_leaf()
    if not is_input and result._view is not None:
        raise errors.dirty_no_input()
    if not is_input:
        errors.warn_dirty_no_input()
    if result._view is not None and node.outputs > 1:
        raise errors.dirty_view_with_others()
    check_in_place(result)
    rebase(result, node, number)


def zeros_for(meta: Any) -> Tensor | None:
    """Zeros for an output without a gradient; None if that is no tensor."""
    return None if meta is None else new_tensor(zeros_of(meta))
