"""Watches one real backward pass, through the public hooks of its nodes or in its engine.

A function of the reader's that walks the graph itself has neither. It is watched where it has to
come by: at the nodes that it calls, and at the `.grad` that it sets.
"""

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial, wraps
from typing import Any

import numpy as np

from minigrad.viz import values
from minigrad.viz.engines import replaced, run_backward
from minigrad.viz.gradients import Gradient, copies
from minigrad.viz.protocol import TensorLike, elements_of, is_accumulator, variable_of
from minigrad.viz.saved import read_saved

Passing = tuple[Gradient | None, ...]


@dataclass
class Firing:
    """What was seen of one node that ran.

    `arriving` has a gradient for each output of the node, `leaving` one for each entry of its
    `next_functions`; `leaving` stays None if the node raised. `grad` is the leaf's `.grad` after an
    AccumulateGrad has run, and `replaced` is true if that is not the sum with the `.grad` before.
    `freed` is true if the saved tensors were freed before the next node ran.
    """

    node: Any
    arriving: Passing
    leaving: Passing | None = None
    grad: str = ""
    replaced: bool = False
    freed: bool = False


@dataclass
class Log:
    """The firings in the order in which they happened, and the error that ended them, if any."""

    firings: list[Firing] = field(default_factory=list)
    error: str | None = None


def watch(
    tensor: Any, gradient: Any, nodes: Sequence[Any], *, retain_graph: bool, engine: type | None
) -> Log:
    """Run backward from `tensor` through `nodes`, and log what their hooks see.

    With `engine`, the class of the passes in a library without hooks, log what the engine sees
    instead. Nodes that no gradient reaches are left out, because PyTorch calls their hooks and
    minigrad does not.

    Raises:
        Exception: whatever backward raises before any node has run; a later error ends the log.
    """
    log = Log()
    held = {} if engine is None else _held(nodes)

    def after(node: Any, results: Sequence[Any], *_: Any) -> None:
        firing = _after(log, node, results)
        if id(node) in held:
            (part,) = firing.arriving
            _note(held, firing, variable_of(node).grad, part and part.numbers)

    see = partial(_before, log), after
    with _errors_in(log):
        run_backward(tensor, gradient, nodes, *see, engine=engine, retain_graph=retain_graph)
    log.firings = [each for each in log.firings if any((*each.arriving, *(each.leaving or ())))]
    return log


def watch_function(run: Callable[[], object], nodes: Sequence[Any]) -> Log:
    """Call `run`, which is the reader's own backward pass through `nodes`, and log what it does.

    Raises:
        Exception: whatever it raises before any node has run; a later error ends the log.
    """
    log = Log()
    ours = {id(node) for node in nodes}
    leaves = {id(variable_of(node)): node for node in nodes if is_accumulator(node)}
    held = _held(nodes)
    running: list[int] = []

    def spy_on_node(original: Any) -> Any:
        @wraps(original)
        def spy(node: Any, *grads: Any) -> Any:
            if id(node) not in ours or id(node) in running:  # `node(grad)` calls its `backward`
                return original(node, *grads)
            _before(log, node, grads)
            running.append(id(node))
            try:
                results = original(node, *grads)
            finally:
                running.pop()
            several = results if isinstance(results, list | tuple) else (results,)
            firing = _after(log, node, several)
            if is_accumulator(node):
                _note(held, firing, variable_of(node).grad, grads[0])
            return results

        return spy

    def spy_on_grad(original: Any) -> Any:
        def spy(leaf: Any, value: Any) -> None:
            original.fset(leaf, value)
            node = leaves.get(id(leaf))
            if node is None or id(node) in running or value is None:
                return
            before = held[id(node)]
            part = _numbers(value) - (0.0 if before is None else before)
            _look_back(log)
            firing = Firing(node, (Gradient.of(part),), (), values.short(value))
            log.firings.append(firing)
            _note(held, firing, value, part)

        return property(original.fget, spy)

    kinds = {type(node): None for node in nodes}
    tensors = {type(variable_of(node)): None for node in leaves.values()}
    places = [(kind, name, spy_on_node) for kind in kinds for name in ("backward", "__call__")]
    places += [(kind, "grad", spy_on_grad) for kind in tensors]
    with _errors_in(log), ExitStack() as stack:
        for kind, name, spy_on in places:
            original = inspect.getattr_static(kind, name, None)
            if isinstance(original, Callable | property):  # type: ignore[arg-type]
                stack.enter_context(replaced(kind, {name: spy_on(original)}))
        run()
    return log


@contextmanager
def _errors_in(log: Log) -> Iterator[None]:
    """In this block a pass runs, and an error ends its log, or is raised if nothing has run yet."""
    try:
        yield
    except Exception as error:
        if not log.firings:
            raise
        sentence = str(error).partition(". ")[0].partition("\n")[0]
        log.error = f"{type(error).__name__}: {sentence}"
    _look_back(log)


def _held(nodes: Sequence[Any]) -> dict[int, Any]:
    """Return the `.grad` that each leaf has before the pass, by the id of its AccumulateGrad."""
    leaves = (node for node in nodes if is_accumulator(node))
    return {id(node): _numbers(variable_of(node).grad) for node in leaves}


def _note(held: dict[int, Any], firing: Firing, after: Any, part: Any) -> None:
    """Note a leaf's new `.grad`, and whether it is something else than the old one plus `part`."""
    before, now, part = held[id(firing.node)], _numbers(after), _numbers(part)
    held[id(firing.node)] = now
    if before is not None and now is not None and part is not None:
        total = before.ravel() + part.ravel()
        firing.replaced = not np.allclose(total, now.ravel(), rtol=1e-4, atol=1e-12)


def _numbers(tensor: Any) -> Any:
    """Copy the numbers of a gradient, because the next one may be added in place."""
    if tensor is None:
        return None
    return np.array(elements_of(tensor) if hasattr(tensor, "shape") else tensor, dtype=float)


def _before(log: Log, node: Any, grad_outputs: Sequence[TensorLike | None]) -> None:
    """Log what has arrived at a node that is about to run."""
    _look_back(log)
    log.firings.append(Firing(node, copies(grad_outputs)))


def _after(log: Log, node: Any, grad_inputs: Sequence[TensorLike | None]) -> Firing:
    """Log what a node has passed on, and the `.grad` that an AccumulateGrad has changed."""
    firing = next(firing for firing in reversed(log.firings) if firing.node is node)
    firing.leaving = copies(grad_inputs)
    if is_accumulator(node):
        firing.grad = values.grad_of(variable_of(node))
    return firing


def _look_back(log: Log) -> None:
    """Log whether the saved tensors of the last node have been freed.

    The engine frees them after the node's hooks have run, so we look when the next node runs.
    """
    if log.firings:
        last = log.firings[-1]
        last.freed = last.leaving is not None and read_saved(last.node).freed
