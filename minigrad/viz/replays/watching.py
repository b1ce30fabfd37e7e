"""Watches one real backward pass, through the public hooks of its nodes or in its engine."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from minigrad.viz import values
from minigrad.viz.engines import run_backward
from minigrad.viz.gradients import Gradient
from minigrad.viz.protocol import TensorLike, is_accumulator, variable_of
from minigrad.viz.saved import read_saved

Passing = tuple[Gradient | None, ...]


@dataclass
class Firing:
    """What was seen of one node that ran.

    `arriving` has a gradient for each output of the node, `leaving` one for each entry of its
    `next_functions`; `leaving` stays None if the node raised. `grad` is the leaf's `.grad` after an
    AccumulateGrad has run. `freed` is true if the saved tensors were freed before the next node
    ran.
    """

    node: Any
    arriving: Passing
    leaving: Passing | None = None
    grad: str = ""
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
    handles = []
    try:
        for node in nodes if engine is None else ():
            handles.append(node.register_prehook(partial(_before, log, node)))
            handles.append(node.register_hook(partial(_after, log, node)))
        if engine is None:
            tensor.backward(gradient, retain_graph=retain_graph)
        else:
            see = partial(_before, log), partial(_after, log)
            run_backward(tensor, gradient, engine, *see, retain_graph=retain_graph)
    except Exception as error:
        if not log.firings:
            raise
        first_sentence = str(error).partition(". ")[0].partition("\n")[0]
        log.error = f"{type(error).__name__}: {first_sentence}"
    finally:
        for handle in handles:
            handle.remove()
    _look_back(log)
    log.firings = [each for each in log.firings if any((*each.arriving, *(each.leaving or ())))]
    return log


def grad_of(leaf: TensorLike) -> str:
    """Write the `.grad` of a leaf on one line."""
    return "None" if leaf.grad is None else values.short(leaf.grad)


def _before(log: Log, node: Any, grad_outputs: Sequence[TensorLike | None]) -> None:
    """Log what has arrived at a node that is about to run."""
    _look_back(log)
    log.firings.append(Firing(node, _copies(grad_outputs)))


def _after(log: Log, node: Any, grad_inputs: Sequence[TensorLike | None], *_: Any) -> None:
    """Log what a node has passed on, and the `.grad` that an AccumulateGrad has changed."""
    firing = next(firing for firing in reversed(log.firings) if firing.node is node)
    firing.leaving = _copies(grad_inputs)
    if is_accumulator(node):
        firing.grad = grad_of(variable_of(node))


def _look_back(log: Log) -> None:
    """Log whether the saved tensors of the last node have been freed.

    The engine frees them after the node's hooks have run, so we look when the next node runs.
    """
    if log.firings:
        last = log.firings[-1]
        last.freed = last.leaving is not None and read_saved(last.node).freed


def _copies(gradients: Sequence[TensorLike | None]) -> Passing:
    """Copy what is shown of each gradient, because the engine may still change it."""
    return tuple(None if gradient is None else Gradient.of(gradient) for gradient in gradients)
