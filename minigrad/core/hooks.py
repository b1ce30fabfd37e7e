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

from collections.abc import Callable, Sequence
from typing import Any

from ..support.checks import check_hookable, replaced, replaced_all
from ..support.hook_handles import HookDict, RemovableHandle
from ..support.methods import method_of
from .node import Node, leaf_node
from .tensor import Tensor

Grads = Sequence["Tensor | None"]


@method_of(Tensor)
def register_hook(self: Tensor, hook: Callable[[Tensor], Tensor | None]) -> RemovableHandle:
    """Call `hook(grad)` when this tensor's gradient is there; what it returns replaces it."""
    check_hookable(self)
    node = self.grad_fn
    if node is None:
        node, hooks = leaf_node(self), own_hooks(self, "_hooks")
    else:
        hooks = HookDict()
    hooks = node._own("_tensor_hooks").setdefault(self._output_nr, hooks)
    return RemovableHandle(hooks, hook)


@method_of(Tensor)
def register_post_accumulate_grad_hook(
    self: Tensor, hook: Callable[[Tensor], None]
) -> RemovableHandle:
    """Call `hook(leaf)` each time backward has come to this leaf, when its `.grad` is there."""
    check_hookable(self, only_leaves=True)
    return RemovableHandle(own_hooks(self, "_after_hooks"), hook)


def own_hooks(leaf: Tensor, name: str) -> HookDict:
    """The leaf's dictionary of that name, made when it is needed."""
    hooks: HookDict | None = getattr(leaf, name)
    if hooks is None:
        hooks = HookDict()
        setattr(leaf, name, hooks)
    return hooks


@method_of(Node, "register_hook")
def register_node_hook(self: Node, hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(grad_inputs, grad_outputs)` after this node; it may return new grad_inputs."""
    return RemovableHandle(self._own("_post_hooks"), hook)


@method_of(Node)
def register_prehook(self: Node, hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(grad_outputs)` before this node runs; it may return new grad_outputs."""
    return RemovableHandle(self._own("_pre_hooks"), hook)


def call_tensor_hooks(node: Node, grads: list[Tensor | None]) -> list[Tensor | None]:
    """Let the hooks of the tensors that `node` made see, and replace, their gradients."""
    for number, hooks in node._tensor_hooks.items():
        for hook in tuple(hooks.values()):
            grads[number] = replaced(grads[number], hook(grads[number]), hook)
    return grads


def call_pre_hooks(node: Node, grads: list[Tensor | None]) -> list[Tensor | None]:
    """Let the node's pre-hooks see, and replace, all that it is about to get."""
    for hook in tuple(node._pre_hooks.values()):
        grads[:] = replaced_all(grads, hook(tuple(grads)), hook)
    return grads


def call_post_hooks(node: Node, results: Grads, grads: Grads) -> Grads:
    """Let the node's post-hooks see, and replace, what it gives for `grads`."""
    for hook in tuple(node._post_hooks.values()):
        results = replaced_all(results, hook(tuple(results), tuple(grads)), hook)
    return results
