"""`minigrad.autograd.graph`: nodes, edges and what they save, as in `torch.autograd.graph`."""

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
from ..support import errors
from ..support.backward_args import GradientEdge
from ..support.hook_handles import RemovableHandle
from ..support.missing import public_names
from ..support.observers import current_pass

__all__ = [
    "GradientEdge", "Node", "RemovableHandle", "disable_saved_tensors_hooks", "get_gradient_edge",
    "register_multi_grad_hook", "save_on_cpu", "saved_tensors_hooks",
]  # fmt: skip


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge that a gradient of `tensor` flows along. RuntimeError without requires_grad."""
    node, number = gradient_edge(tensor)
    if node is None:
        raise errors.no_gradient_edge()
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
    """Call `fn` once in each backward pass with the gradients of `tensors`; its result is ignored.

    Args:
        tensors: leaves or not; mode "any" ignores those that do not require grad.
        fn: with mode "all" it receives the list of gradients once the last one is computed, with
            None for tensors that this pass does not reach; with mode "any" it receives the first
            gradient that is computed.
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
    """A hook for each tensor; the last one that a backward pass calls, calls `fn`."""
    places = [_place_of(each) for each in tensors]
    waiting: weakref.WeakKeyDictionary[BackwardPass, list[Any]] = weakref.WeakKeyDictionary()

    def arrive(index: int, grad: Tensor) -> None:
        current = current_pass()
        assert current is not None, "expected this hook to be called inside a backward call"
        if current not in waiting:
            calls = sum(_will_run(current, _node_at(place)) for place in places)
            waiting[current] = [calls, [None] * len(places)]
        state = waiting[current]
        state[0] -= 1
        state[1][index] = grad
        if state[0] == 0:
            del waiting[current]
            fn(state[1])

    return [functools.partial(arrive, index) for index in range(len(places))]


def _hook_for_any(fn: Callable[[Tensor], object]) -> Callable[[Tensor], None]:
    """A hook that calls `fn` the first time a backward pass calls it."""
    seen: weakref.WeakSet[BackwardPass] = weakref.WeakSet()

    def arrive(grad: Tensor) -> None:
        current = current_pass()
        assert current is not None, "expected this hook to be called inside a backward call"
        if current not in seen:
            seen.add(current)
            fn(grad)

    return arrive


def _place_of(tensor: Tensor) -> weakref.ref[Any]:
    """A weak reference, as the node will hold the hook; `_node_at` turns it into the tensor's node.

    A leaf may have another AccumulateGrad by then, so for a leaf it refers to the leaf itself.
    """
    node = tensor.grad_fn
    assert node is not None or tensor.requires_grad, "Expected gradient function to be set"
    return weakref.ref(tensor if node is None else node)


def _node_at(place: weakref.ref[Any]) -> Node | None:
    found = place()
    return leaf_node(found) if isinstance(found, Tensor) else found


def _will_run(current: BackwardPass, node: Node | None) -> bool:
    """Whether this pass computes the gradient at `node`. RuntimeError for a leaf in `grad`."""
    if node not in current.dependencies:
        return False
    captures = isinstance(current, GradPass) and node in current.targets
    if captures and isinstance(node, AccumulateGrad):
        raise errors.will_leaf_execute()
    return True


__getattr__, __dir__ = public_names(__name__, __all__)
