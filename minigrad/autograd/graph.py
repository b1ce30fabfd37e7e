"""`minigrad.autograd.graph`: nodes, edges and hooks, as in `torch.autograd.graph`."""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from ..core.engine import BackwardPass
from ..core.node import AccumulateGrad, Node, gradient_edge, leaf_node
from ..core.targets import GradPass
from ..core.tensor import Tensor
from ..rare.saved_tensors_hooks import disable_saved_tensors_hooks, save_on_cpu, saved_tensors_hooks
from ..support.backward_args import GradientEdge
from ..support.hook_handles import RemovableHandle
from ..support.missing import public_names
from ..support.observers import current_pass

__all__ = [
    "GradientEdge", "Node", "RemovableHandle", "disable_saved_tensors_hooks", "get_gradient_edge",
    "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge to the node of `tensor`. RuntimeError unless it requires grad."""
    node, number = gradient_edge(tensor)
    if node is None:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require"
            " gradients"
        )
    return GradientEdge(node, number)


class _MultiHandle(RemovableHandle):
    """Removes the hooks of several tensors together."""

    def __init__(self, handles: Sequence[RemovableHandle]) -> None:
        self.handles = tuple(handles)

    def remove(self) -> None:
        for handle in self.handles:
            handle.remove()


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[[Any], object], *, mode: str = "all"
) -> RemovableHandle:
    """Call `fn` once per backward pass with the gradients of `tensors`; its result is ignored.

    Args:
        tensors: may be leaves; mode "any" ignores those that do not require grad.
        fn: with mode "all", it is called with the list of gradients once the last one has been
            computed, with None for tensors that this pass does not reach. With mode "any", it is
            called with the first gradient that is computed.
        mode: "all" or "any".

    Raises:
        ValueError: for another mode.
        AssertionError: for a tensor that does not require grad with mode "all".
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    tensors = tuple(tensors)
    if mode == "all":
        hooks = _hooks_for_all(tensors, fn)
    else:
        tensors = tuple(each for each in tensors if each.requires_grad)
        hooks = [_hook_for_any(fn)] * len(tensors)
    return _MultiHandle(
        [each.register_hook(hook) for each, hook in zip(tensors, hooks, strict=True)]
    )


def _hooks_for_all(
    tensors: Sequence[Tensor], fn: Callable[[list[Tensor | None]], object]
) -> list[Callable[[Tensor], None]]:
    """A hook for each tensor; the last one to be called in a backward pass calls `fn`."""
    references = [_reference_to_node(each) for each in tensors]
    waiting: weakref.WeakKeyDictionary[BackwardPass, list[Any]] = weakref.WeakKeyDictionary()

    def hook(index: int, grad: Tensor) -> None:
        current = current_pass()
        assert current is not None, "expected this hook to be called inside a backward call"
        if current not in waiting:
            calls = sum(_will_run(current, _dereference(reference)) for reference in references)
            waiting[current] = [calls, [None] * len(references)]
        state = waiting[current]
        state[0] -= 1
        state[1][index] = grad
        if state[0] == 0:
            del waiting[current]
            fn(state[1])

    return [functools.partial(hook, index) for index in range(len(references))]


def _hook_for_any(fn: Callable[[Tensor], object]) -> Callable[[Tensor], None]:
    """A hook that calls `fn` the first time a backward pass calls it."""
    seen: weakref.WeakSet[BackwardPass] = weakref.WeakSet()

    def hook(grad: Tensor) -> None:
        current = current_pass()
        assert current is not None, "expected this hook to be called inside a backward call"
        if current not in seen:
            seen.add(current)
            fn(grad)

    return hook


def _reference_to_node(tensor: Tensor) -> weakref.ref[Any]:
    """A weak reference to the node of `tensor`, or to `tensor` itself if it is a leaf.

    It is weak because the node will refer to the hook, and a leaf may have a different
    AccumulateGrad by the time the hook is called. `_dereference` returns the node.
    """
    node = tensor.grad_fn
    assert node is not None or tensor.requires_grad, "Expected gradient function to be set"
    return weakref.ref(tensor if node is None else node)


def _dereference(reference: weakref.ref[Any]) -> Node | None:
    target = reference()
    return leaf_node(target) if isinstance(target, Tensor) else target


def _will_run(current: BackwardPass, node: Node | None) -> bool:
    """Whether this pass runs `node`. RuntimeError if it is a leaf among the inputs of `grad`."""
    if node not in current.dependencies:
        return False
    captures = isinstance(current, GradPass) and node in current.targets
    if captures and isinstance(node, AccumulateGrad):
        raise RuntimeError(
            "A leaf node was passed to _will_engine_execute_node but we are currently running"
            " autograd.grad(). This is currently not supported."
        )
    return True


__getattr__, __dir__ = public_names(__name__, __all__)
