"""Hooks: user functions that backward calls on its way.

They run in this order: the tensor's hooks, `retain_grad`, the node's pre-hooks, the node itself, a
leaf's post-accumulate hooks, and the node's post-hooks. The hooks of a tensor that an operation
computed belong to that operation's node, so an in-place edit of the tensor leaves them with the old
node. The hooks of a leaf belong to the leaf, because its AccumulateGrad is freed with the graphs
that lead to it and created again with the next.

Backward runs every node that it can reach, even one that receives no gradient because an output was
not used or a Function returned None. Hooks are called with None there.

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
    """Call `hook(grad)` with this tensor's gradient; a tensor that it returns replaces it."""
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
    """Call `hook(leaf)` each time backward has run the AccumulateGrad of this leaf.

    If only None arrived there, `leaf.grad` may be None.
    """
    check_hookable(self, only_leaves=True)
    return RemovableHandle(own_hooks(self, "_after_hooks"), hook)


def own_hooks(leaf: Tensor, name: str) -> HookDict:
    """The leaf's dictionary of hooks, its attribute `name`, created when it is first needed."""
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
    """Let the hooks of the node's outputs see and replace their gradients."""
    for number, hooks in node._tensor_hooks.items():
        for hook in tuple(hooks.values()):
            grads[number] = replaced(grads[number], hook(grads[number]), hook)
    return grads


def call_pre_hooks(node: Node, grads: list[Tensor | None]) -> list[Tensor | None]:
    """Let the node's pre-hooks see and replace the gradients that it is about to receive."""
    for hook in tuple(node._pre_hooks.values()):
        grads[:] = replaced_all(grads, hook(tuple(grads)), hook)
    return grads


def call_post_hooks(node: Node, results: Grads, grads: Grads) -> Grads:
    """Let the node's post-hooks see and replace what it computed from `grads`."""
    for hook in tuple(node._post_hooks.values()):
        results = replaced_all(results, hook(tuple(results), tuple(grads)), hook)
    return results
