"""Hooks: functions of the user's that run while backward passes by.

Where they run, in this order: the hooks of the tensor, `retain_grad`, the pre-hooks of the node,
the node itself, for a leaf its post-accumulate hooks, the post-hooks of the node. Hooks of a tensor
that an operation made are kept by that operation's node, so an in-place edit of the tensor leaves
them behind with the old node. Hooks of a leaf are kept by the leaf, because its AccumulateGrad
comes and goes with the graphs.

A backward passes by every node that it could get to, also where no gradient arrives: of an output
that was not used, or behind a Function that returned None. Hooks are called there with None.

Source: https://docs.pytorch.org/docs/2.13/notes/autograd.html#backward-hooks-execution
"""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import errors

if TYPE_CHECKING:
    from .tensor import Tensor

_next_id = itertools.count().__next__


class HookDict(dict[int, Callable[..., Any]]):
    """Hooks by the id of their handle, in the order in which they were registered."""

    __slots__ = ("__weakref__",)


class RemovableHandle:
    """What registering a hook returns: `remove()`, or leaving a `with` block, takes it away."""

    def __init__(self, hooks: HookDict, hook: Callable[..., Any]) -> None:
        self.id = _next_id()
        self.hooks_dict_ref = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        hooks = self.hooks_dict_ref()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()


class NodeExtras:
    """What few nodes have: hooks, tensors that retain their gradient, notes of the user's.

    Attributes:
        tensor_hooks: the hooks of the tensors that the node made, by output number.
        retaining: weak references to those of them that retain their gradient, by output number.
        pre_hooks, post_hooks: the node's own.
        metadata: the dictionary that `node.metadata` shows.
    """

    __slots__ = ("metadata", "post_hooks", "pre_hooks", "retaining", "tensor_hooks")

    def __init__(self) -> None:
        self.tensor_hooks: dict[int, HookDict] = {}
        self.retaining: dict[int, weakref.ref[Tensor]] = {}
        self.pre_hooks = HookDict()
        self.post_hooks = HookDict()
        self.metadata: dict[str, Any] = {}


class LeafHooks:
    """The hooks of a leaf: on the gradient that arrives, and on the leaf after `.grad` is set."""

    __slots__ = ("post_accumulate", "pre")

    def __init__(self) -> None:
        self.pre = HookDict()
        self.post_accumulate = HookDict()


def call_each(hooks: Iterable[Callable[..., Any]], grad: Tensor | None) -> Tensor | None:
    """`grad` after every hook has seen it; a hook that returns a tensor replaces it."""
    for hook in tuple(hooks):
        replacement = hook(grad)
        if replacement is not None:
            grad = check_replacement(grad, replacement, hook)
    return grad


def check_replacement(grad: Tensor | None, replacement: Any, hook: Callable[..., Any]) -> Tensor:
    """`replacement`, if it can stand for `grad`. RuntimeError or TypeError if not."""
    if grad is None:
        raise errors.hook_gave_gradient()
    if not isinstance(replacement, type(grad)):
        raise errors.hook_result_type("Variable", replacement)
    if replacement.dtype is not grad.dtype:
        raise errors.hook_changed_dtype(hook, grad.dtype, replacement.dtype)
    if replacement.shape != grad.shape:
        raise errors.hook_changed_size(hook)
    return replacement


def check_replacements(
    grads: Sequence[Tensor | None], replacements: Any, hook: Callable[..., Any]
) -> tuple[Tensor | None, ...]:
    """`replacements`, what a node's hook returned, if they can stand for `grads`; else as above."""
    if not isinstance(replacements, tuple):
        raise errors.hook_result_type("tuple", replacements)
    if len(replacements) != len(grads):
        raise errors.hook_result_count(hook, len(replacements), len(grads))
    return tuple(
        new if new is None else check_replacement(old, new, hook)
        for old, new in zip(grads, replacements, strict=True)
    )
