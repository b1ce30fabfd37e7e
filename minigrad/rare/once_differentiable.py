"""`once_differentiable`: mark a Function whose backward cannot be differentiated.

A backward that computes outside the graph, for example with NumPy, would give silently wrong second
derivatives. With this decorator, the gradient ends in a node that raises an error.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.autograd.Function.once_differentiable.html
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..core import grad_mode
from ..core.node import NOWHERE, Node
from ..ops.results import finish


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a backward so that trying to differentiate it raises RuntimeError."""

    @functools.wraps(backward)
    def wrapper(ctx: Any, *grads: Any) -> Any:
        with grad_mode.no_grad():
            results = backward(ctx, *grads)
        recorded = any(getattr(each, "requires_grad", False) for each in grads)
        if not recorded or not grad_mode.is_grad_enabled():
            return results
        outputs = results if isinstance(results, tuple) else (results,)
        sources = [each.detach() for each in outputs if each is not None]
        for source in sources:
            source.requires_grad = True
        copies = [source.detach() for source in sources]
        error = Error()
        refused = iter(finish("once_differentiable", error, sources, copies))
        edges = iter(error.next_functions)
        error.next_functions = tuple([NOWHERE if each is None else next(edges) for each in outputs])
        return tuple([each if each is None else next(refused) for each in outputs])

    return wrapper


class Error(Node):
    """The node of a gradient that cannot be differentiated; its backward raises RuntimeError."""

    __module__ = "builtins"

    def name(self) -> str:
        return "torch::autograd::Error"

    def backward(self, *grads: Any) -> Any:
        raise RuntimeError(
            "trying to differentiate twice a function that was marked with @once_differentiable"
        )
