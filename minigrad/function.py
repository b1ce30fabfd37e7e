"""Operations of the user's own: `Function`, with a forward and a backward.

`MyPow.apply(x, q)` makes the node that will be `y.grad_fn`, of class `MyPowBackward`, and hands
that very node to `forward` as `ctx`: what forward leaves on it, backward finds. Forward itself runs
unrecorded.

Source: https://docs.pytorch.org/docs/2.13/notes/extending.html#extending-torch-autograd and
torch/csrc/autograd/custom_function.h
"""

from __future__ import annotations

import functools
import inspect
import warnings
import weakref
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

import numpy as np

from . import errors, grad_mode, watching
from .engine import conform
from .inplace import changed, check_in_place, rebase
from .node import (
    FREED,
    Node,
    gradient_edge,
    meta_of,
    next_sequence_number,
    shape_and_dtype,
    stale,
)
from .ops import indexing
from .ops.runtime import in_graph
from .tensor import Tensor, as_array, new_tensor, version_counter


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
        """Say that forward has changed these inputs, which it returns, in place."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say that these outputs have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing gradients arrive in backward as zeros (the default) or as None."""
        if not isinstance(value, bool):
            raise TypeError(
                "set_materialize_grads received an invalid combination of arguments - got (), but"
                " expected (bool)"
            )
        self.materialize = value

    @property
    def saved_tensors(self) -> tuple[Tensor | None, ...]:
        """What `save_for_backward` kept. RuntimeError if it is freed or was changed since."""
        if self.saved_values is FREED:
            raise errors.freed_graph()
        return tuple(None if saved is None else saved.unpack(self) for saved in self.saved_values)

    @property
    def saved_variables(self) -> tuple[Tensor | None, ...]:
        """What `saved_tensors` was called when tensors were variables."""
        warnings.warn(
            "'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2
        )
        return self.saved_tensors

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__} object at {id(self):#x}>"

    def backward(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        given = grad if self.meta.__class__ is list else [grad]
        results = self.call([None if each is None else new_tensor(each) for each in given], keep)
        return tuple(None if each is None else each._data for each in results)

    def backward_graph(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        return self.call(grad if self.meta.__class__ is list else [grad], keep)

    def call(self, grads: Sequence[Tensor | None], keep: bool) -> tuple[Any, ...]:
        """Run the user's backward and check what it returns."""
        if self.materialize:
            metas = self.meta if self.meta.__class__ is list else [self.meta]
            grads = [zeros_for(m) if g is None else g for g, m in zip(grads, metas, strict=True)]
        results = users_backward(self.function)(self, *grads)
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
                raise RuntimeError(f"expected Variable or None (got {errors.type_name(result)})")
        if not keep:
            self.saved_values = FREED
        results = [r for r, is_tensor in zip(results, self.positions, strict=True) if is_tensor]
        # All of them before the first is passed on, so that an error leaves every `.grad` alone.
        return tuple(
            each if each is None or edge is None else conform(each, edge, self)
            for each, edge in zip(results, self.next, strict=True)
        )


def users_backward(function: type[Function]) -> Callable[..., Any]:
    """The static method `backward`, or `vjp` if that is what the user's class has."""
    if function.vjp is Function.vjp:
        return function.backward
    if function.backward is not Function.backward:
        raise RuntimeError(
            "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You"
            " should only implement one of them."
        )
    return function.vjp


class SavedTensor:
    """A tensor as it was when it was saved.

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
        edge = self.edge
        if self.number is not None:
            edge = node.edge(self.number)
        if self.counter[0] != self.version:
            raise stale(self.data, self.counter, self.version, edge, self.number is not None)
        tensor = self.original() if self.original is not None else None
        return in_graph(self.data, self.counter, edge) if tensor is None else tensor


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

    vjp = backward

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run forward and, if an argument requires grad, record it."""
        if kwargs or cls.setup_context is not Function.setup_context:
            args = by_position(cls, args, kwargs)
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


def by_position(
    cls: type[Function], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[Any, ...]:
    """All arguments of forward by position, with the defaults if there is a `setup_context`."""
    signature = inspect.signature(cls.forward)
    names = [
        name
        for name, each in signature.parameters.items()
        if each.kind in (each.POSITIONAL_ONLY, each.POSITIONAL_OR_KEYWORD)
    ]
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
        node.saved_values = tuple(
            None if each is None else as_saved(each, results, outputs)
            for each in check_saveable(node.to_save)
        )
        if watching.active:
            watching.recorded(node)
    node.to_save, node.dirty, node.non_differentiable = (), (), ()  # they would keep tensors
    return tuple(outputs) if several else outputs[0]


def check_marks(node: FunctionNode, results: list[Any]) -> None:
    """Count the changes that `mark_dirty` tells of. RuntimeError for a mark that cannot be."""
    for tensor in node.dirty:
        if not isinstance(tensor, Tensor):
            raise RuntimeError("mark_dirty can only accept variables, but argument ")
        changed(tensor)
    if not all(isinstance(tensor, Tensor) for tensor in node.non_differentiable):
        raise RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")
    for tensor in node.dirty:
        if not among(results, tensor):
            raise RuntimeError(
                "Some elements marked as dirty during the forward method were not returned as"
                " output. The inputs that are modified inplace must all be outputs of the Function."
            )


def among(values: Sequence[Any], tensor: Tensor) -> bool:
    """Whether this very tensor is one of `values`."""
    return any(each is tensor for each in values)


def as_saved(tensor: Tensor, results: list[Any], outputs: list[Any]) -> SavedTensor:
    """`tensor` as something to save: the output that stands for it, if forward returned it."""
    for number, (result, output) in enumerate(zip(results, outputs, strict=True)):
        if result is tensor:
            return SavedTensor(output, number if output._requires_grad else None)
    return SavedTensor(tensor, None)


def check_saveable(values: tuple[Any, ...]) -> tuple[Tensor | None, ...]:
    for position, value in enumerate(values):
        if value is not None and not isinstance(value, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {position} is of type "
                f"{errors.type_name(value)}"
            )
    return values


def connect(
    node: FunctionNode, args: tuple[Any, ...], result: Any, number: int, record: bool
) -> Any:
    """`result` as output `number` of `node`: itself if fresh or changed in place, else an alias."""
    if not isinstance(result, Tensor):
        return result
    is_input, is_dirty = among(args, result), among(node.dirty, result)
    constant = among(node.non_differentiable, result) or not result.dtype.is_floating_point
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
        raise RuntimeError(
            "a leaf Variable that requires grad has been used in an in-place operation."
        )
    if not is_input:
        stray = (
            "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have"
            " been mutated should be passed to ctx.mark_dirty()."
        )
        if result._view is not None:
            raise RuntimeError(stray)
        warnings.warn(stray, UserWarning, stacklevel=5)
    if result._view is not None and node.outputs > 1:
        raise RuntimeError(
            "If your Function modifies inplace an input that is a view of another Tensor, your"
            " Function cannot return more than one Tensor. This is not supported by the current"
            " autograd engine. You should either make sure the input is not a view (using .clone()"
            " for example) or make your Function only return one Tensor (potentially splitting it"
            " into two Functions: one doing the inplace that returns a single Tensor and a second"
            " one that does the other operations). You can ask on the forum"
            " https://discuss.pytorch.org/ if you need help to do this change."
        )
    check_in_place(result)
    rebase(result, node, number)


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
        return Refuse.apply(*(each if each is None else requiring_grad(each) for each in outputs))

    return wrapper


def requiring_grad(tensor: Tensor) -> Tensor:
    """The values of `tensor` as a leaf that requires grad."""
    leaf = tensor.detach()
    leaf.requires_grad = True
    return leaf


class Refuse(Function):
    """Passes tensors on, and says no when a gradient comes back."""

    @staticmethod
    def forward(ctx: FunctionNode, *tensors: Tensor | None) -> Any:
        passed = tuple(each if each is None else each.detach() for each in tensors)
        return passed if len(passed) > 1 else passed[0]

    @staticmethod
    def backward(ctx: FunctionNode, *grads: Tensor) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )


class Error(FunctionNode):
    """The node of `Refuse`, named as PyTorch names it."""

    __slots__ = ()
    function = Refuse

    def name(self) -> str:
        return "torch::autograd::Error"


Refuse._node_class = Error
