"""A backward pass watched where its nodes run: for libraries on the way, which have no hooks yet.

The course builds its engine, a class `BackwardPass`, long before hooks. A subclass of it that
overrides `run_node` sees each node run.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from minigrad.viz.protocol import TensorLike

See = Callable[[Any, Sequence[Any]], object]  # of a node and gradients of its outputs or inputs


def engine_of(tensor: TensorLike) -> type | None:
    """Return the class `BackwardPass` that `tensor.backward()` uses, None if it uses none."""
    backward: Any = inspect.unwrap(getattr(type(tensor), "backward", None) or engine_of)
    found = backward.__globals__.get("BackwardPass")
    return found if isinstance(found, type) and hasattr(found, "run_node") else None


def run_backward(
    tensor: Any, gradient: Any, engine: Any, before: See, after: See, *, retain_graph: bool
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
