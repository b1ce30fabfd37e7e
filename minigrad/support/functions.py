"""What users' `Function`s are given and give: arguments by name, marks, gradients; all checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from . import errors
from .operands import is_tensor


def by_position(function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
    """All arguments of forward by position; the defaults as well if there is a `setup_context`."""
    separate = function.setup_context is not function.__mro__[-2].setup_context
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
    """The static method `backward`, or `vjp` if that is what the user's class has."""
    base = function.__mro__[-2]
    if function.vjp is base.vjp:
        backward: Callable[..., Any] = function.backward
        return backward
    if function.backward is not base.backward:
        raise errors.backward_and_vjp()
    vjp: Callable[..., Any] = function.vjp
    return vjp


def check_dirty(tensor: Any) -> Any:
    """What was marked as changed in place. RuntimeError if it is no tensor."""
    if not is_tensor(tensor):
        raise RuntimeError("mark_dirty can only accept variables, but argument ")
    return tensor


def check_marks(node: Any, results: Sequence[Any]) -> None:
    """RuntimeError for a mark that cannot be."""
    if not all(is_tensor(tensor) for tensor in node._constant):
        raise RuntimeError("mark_non_differentiable only accepts variable arguments, but got ")
    if not all(any(each is tensor for each in results) for tensor in node._dirty):
        raise errors.dirty_not_returned()


def check_gradients(
    node: Any, results: tuple[Any, ...], are_tensors: Sequence[bool]
) -> tuple[Any, ...]:
    """The results without surplus Nones. RuntimeError unless each can be a gradient."""
    expected = len(are_tensors)
    if all(each is None for each in results[expected:]):
        results = results[:expected]
    if len(results) != expected:
        raise errors.gradient_count(node, expected, len(results))
    for position, (result, takes_tensor) in enumerate(zip(results, are_tensors, strict=True), 1):
        if result is not None and not takes_tensor:
            raise errors.gradient_of_no_tensor(node, position)
        if result is not None and not is_tensor(result):
            raise errors.gradient_type(result)
    return results
