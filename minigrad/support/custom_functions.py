"""Checks for a user's `Function`: arguments by name, saved values, marks, returned gradients."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from . import errors
from .tensor_like import is_tensor

DIRTY_NO_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been"
    " mutated should be passed to ctx.mark_dirty()."
)


class FunctionBase:
    """The defaults of `Function`, which raise if a subclass omits a method or is instantiated.

    A subclass may split its forward: `forward(*args)` then has no ctx, and `setup_context(ctx,
    inputs, output)` saves for backward. `vjp` is another name for `backward`. A subclass may also
    define `jvp`, `vmap` and `generate_vmap_rule`, but minigrad never uses them because they belong
    to other modes of differentiation.
    """

    generate_vmap_rule = False
    _kind_of_node: Any  # the base class of the nodes of all Functions
    _node_class: Any  # the class of the nodes of this Function

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Create the node class, which knows the user's class and prints as in PyTorch."""
        members = {
            "__module__": "torch.autograd.function",
            "__repr__": object.__repr__,  # shows the module
            "_function": cls,
        }
        cls._node_class = type(f"{cls.__name__}Backward", (cls._kind_of_node,), members)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        errors.warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all"
            " static, so you should invoke them on the class itself. Instantiating an autograd"
            " function will raise an error in a future version of PyTorch.",
            DeprecationWarning,
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

    @staticmethod
    def jvp(*args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            "You must implement the jvp function for custom autograd.Function to use it with"
            " forward mode AD."
        )


def by_position(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments of forward by position, including defaults if there is a `setup_context`."""
    separate = function.setup_context is not FunctionBase.setup_context
    if not kwargs and not separate:
        return args
    signature = inspect.signature(function.forward)
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    names = [name for name, each in signature.parameters.items() if each.kind in positional]
    if separate:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        args, kwargs = bound.args, bound.kwargs
    else:
        names = names[1:]  # without ctx
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


def users_backward(function: Any) -> Callable[..., Any]:
    """The static method `backward` of the user's class, or `vjp` if it defines that instead."""
    found: Callable[..., Any] = function.backward
    if function.vjp is not FunctionBase.vjp:
        if found is not FunctionBase.backward:
            raise RuntimeError(
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You"
                " should only implement one of them."
            )
        found = function.vjp
    return found


def check_bool(value: Any) -> None:
    """TypeError, as `set_materialize_grads` raises it, if `value` is not a bool."""
    if not isinstance(value, bool):
        raise TypeError(
            "set_materialize_grads received an invalid combination of arguments - got (), but"
            " expected (bool)"
        )


def check_saveable(values: Sequence[Any]) -> Sequence[Any]:
    """The arguments of `save_for_backward`. TypeError for one that is not a tensor or None."""
    for position, value in enumerate(values):
        if value is not None and not is_tensor(value):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {position} is of type"
                f" {errors.type_name(value)}"
            )
    return values


def check_dirty(tensor: Any) -> Any:
    """An argument of `mark_dirty`. RuntimeError if it is not a tensor."""
    if not is_tensor(tensor):
        raise RuntimeError("mark_dirty can only accept variables, but argument ")
    return tensor


def check_dirty_output(output: Any, is_input: bool, node: Any) -> None:
    """RuntimeError for a dirty output whose history is unclear; warn if it is not an input."""
    if not is_input and output._view is not None:
        raise RuntimeError(DIRTY_NO_INPUT)
    if not is_input:
        errors.warn(DIRTY_NO_INPUT)
    if output._view is not None and len(node._meta) > 1:
        raise RuntimeError(
            "If your Function modifies inplace an input that is a view of another Tensor, your"
            " Function cannot return more than one Tensor. This is not supported by the current"
            " autograd engine. You should either make sure the input is not a view (using .clone()"
            " for example) or make your Function only return one Tensor (potentially splitting it"
            " into two Functions: one doing the inplace that returns a single Tensor and a second"
            " one that does the other operations). You can ask on the forum"
            " https://discuss.pytorch.org/ if you need help to do this change."
        )


def check_marks(node: Any, results: Sequence[Any]) -> None:
    """RuntimeError for marks on something that is not a tensor or was not returned."""
    if not all(is_tensor(tensor) for tensor in node._constant):
        raise RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")
    if not all(any(each is tensor for each in results) for tensor in node._dirty):
        raise RuntimeError(
            "Some elements marked as dirty during the forward method were not returned as output."
            " The inputs that are modified inplace must all be outputs of the Function."
        )


def check_gradients(node: Any, returned: Any, are_tensors: Sequence[bool]) -> list[Any]:
    """The gradients that a user's backward returned, one for each argument that is a tensor.

    A single gradient needs no tuple, and surplus Nones are ignored. RuntimeError for a wrong number
    of gradients, or for one that is not a tensor or belongs to an argument that is not.
    """
    results = returned if isinstance(returned, tuple) else (returned,)
    expected = len(are_tensors)
    if all(each is None for each in results[expected:]):
        results = results[:expected]
    if len(results) != expected:
        raise RuntimeError(
            f"function {node.name()} returned an incorrect number of gradients (expected"
            f" {expected}, got {len(results)})"
        )
    for position, (result, takes_tensor) in enumerate(zip(results, are_tensors, strict=True), 1):
        if result is not None and not takes_tensor:
            raise RuntimeError(
                f"function {node.name()} returned a gradient different than None at position"
                f" {position}, but the corresponding forward input was not a Variable"
            )
        if result is not None and not is_tensor(result):
            raise RuntimeError(f"expected Variable or None (got {errors.type_name(result)})")
    return [result for result, takes in zip(results, are_tensors, strict=True) if takes]
