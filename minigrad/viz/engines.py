"""A backward pass watched where its nodes run: for libraries on the way, which have no hooks yet.

The course builds its engine, a class `Pass`, long before hooks. It lets others look on: `Pass.runs`
has the functions of this thread that stand around the running of a node.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from minigrad.viz.protocol import Root


def engine_of(tensor: Root) -> type | None:
    """Return the class `Pass` that `tensor.backward()` uses, None if it uses none of that name."""
    backward: Any = getattr(type(tensor), "backward", None)
    found = getattr(inspect.unwrap(backward), "__globals__", {}).get("Pass") if backward else None
    return found if isinstance(found, type) and hasattr(found, "runs") else None


@contextmanager
def watching(
    engine: Any,
    before: Callable[[Any, Sequence[Any]], object],
    after: Callable[[Any, Sequence[Any]], object],
) -> Iterator[None]:
    """Call `before(node, grads)` and `after(node, results)` around each run of the block."""

    def watched(run: Any, node: Any, grads: Any) -> Any:
        before(node, grads)
        results = run(node, grads)
        after(node, results)
        return results

    engine.runs.watchers.append(watched)
    try:
        yield
    finally:
        engine.runs.watchers.remove(watched)


def run_backward(tensor: Any, gradient: Any, *, retain_graph: bool) -> None:
    """Call `tensor.backward`, with `retain_graph` where backward frees the graph without it."""
    accepts = "retain_graph" in inspect.signature(type(tensor).backward).parameters
    given = {"retain_graph": retain_graph} if accepts else {}
    tensor.backward(*([] if gradient is None else [gradient]), **given)
