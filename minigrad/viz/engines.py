"""Watches a backward pass by the hooks of its nodes, or in an engine that has no hooks yet.

The course builds its engine, the class `BackwardPass`, long before hooks. A subclass that overrides
`run_node` sees each node run.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from typing import Any

from minigrad.viz.protocol import TensorLike

Callback = Callable[..., object]  # takes a node and gradients


def engine_of(tensor: TensorLike) -> type | None:
    """Return the class `BackwardPass` that `tensor.backward()` uses, None if there is none."""
    backward: Any = inspect.unwrap(getattr(type(tensor), "backward", None) or engine_of)
    found = backward.__globals__.get("BackwardPass")
    return found if isinstance(found, type) and hasattr(found, "run_node") else None


@contextmanager
def hooked(nodes: Iterable[Any], before: Callback, after: Callback) -> Iterator[None]:
    """In this block, call `before(node, grads)` and `after(node, results, grads)` as nodes run."""
    handles = []
    try:
        for node in nodes:
            handles.append(node.register_prehook(partial(before, node)))
            handles.append(node.register_hook(partial(after, node)))
        yield
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def replaced(owner: type, attributes: Mapping[str, Any]) -> Iterator[None]:
    """Give a class other methods and properties in this block."""
    own = {name: vars(owner).get(name) for name in attributes}
    try:
        for name, each in attributes.items():
            setattr(owner, name, each)
        yield
    finally:
        for name, each in own.items():
            delattr(owner, name) if each is None else setattr(owner, name, each)


def run_backward(
    tensor: Any,
    gradient: Any,
    nodes: Iterable[Any],
    before: Callback,
    after: Callback,
    *,
    engine: Any = None,
    retain_graph: bool,
) -> None:
    """Run backward from `tensor`; call `before(node, grads)`, `after(node, results, …)` on the way.

    What runs the pass is `tensor.backward`, and hooks watch these `nodes`; or, in a library without
    hooks, a subclass of `engine` that watches all of them.
    """
    if engine is None:
        with hooked(nodes, before, after):
            tensor.backward(gradient, retain_graph=retain_graph)
        return

    class Watched(engine):  # type: ignore[misc]
        def run_node(self, node: Any, grads: Any) -> Any:
            before(node, grads)
            results = super().run_node(node, grads)
            after(node, results)
            return results

    options = {"retain_graph": retain_graph} if hasattr(engine, "retain_graph") else {}
    Watched(**options).run([tensor], None if gradient is None else [gradient])
