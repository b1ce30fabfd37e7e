"""Watches a backward pass in the engine, for the libraries of chapters that have no hooks yet.

The course builds its engine, the class `BackwardPass`, long before hooks. A subclass that overrides
`run_node` sees each node run.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.viz.protocol import TensorLike

Callback = Callable[[Any, Sequence[Any]], object]  # takes a node and gradients


def engine_of(tensor: TensorLike) -> type | None:
    """Return the class `BackwardPass` that `tensor.backward()` uses, None if there is none."""
    backward: Any = inspect.unwrap(getattr(type(tensor), "backward", None) or engine_of)
    found = backward.__globals__.get("BackwardPass")
    return found if isinstance(found, type) and hasattr(found, "run_node") else None


def run_backward(
    tensor: Any,
    gradient: Any,
    engine: Any,
    before: Callback,
    after: Callback,
    *,
    retain_graph: bool,
) -> None:
    """Run the engine's pass from `tensor`; call `before(node, grads)`, `after(node, results)`."""

    class Watched(engine):  # type: ignore[misc]
        def run_node(self, node: Any, grads: Any) -> Any:
            before(node, grads)
            results = super().run_node(node, grads)
            after(node, results)
            return results

    options = {"retain_graph": retain_graph} if hasattr(engine, "retain_graph") else {}
    Watched(**options).run([tensor], None if gradient is None else [gradient])
