"""The gradients of a graph, recorded during a real backward pass that leaves no trace."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from minigrad.viz import values
from minigrad.viz.engines import engine_of, hooked, run_backward
from minigrad.viz.protocol import (
    ArrayLike,
    NodeLike,
    TensorLike,
    library_of,
    output_of,
)
from minigrad.viz.recording import Recording

Cotangent = TensorLike | Literal[False] | None
"""The gradient of a result to begin with: None stands for 1, False for no pass from there."""


@dataclass(frozen=True)
class Gradient:
    """A copy of one gradient as it is drawn: text, shape, and its numbers if there are few.

    Numbers of a 16-bit dtype are not `precise` enough to find the factor between two of them.
    """

    text: str
    shape: tuple[int, ...]
    numbers: tuple[float, ...] | None
    precise: bool = True

    @classmethod
    def of(cls, tensor: ArrayLike) -> "Gradient":
        """Copy what is drawn of `tensor`, because the engine may still change it."""
        precise = values.dtype_name(tensor) not in ("float16", "bfloat16")
        return cls(values.short(tensor), tuple(tensor.shape), values.numbers(tensor), precise)


@dataclass
class Flow:
    """The gradients of one pass: `arriving` at a node, `leaving` it for its inputs, at `leaves`.

    `begins` are the gradients to begin with, by node and output number. Nodes and leaves are keyed
    by `id`. If the pass failed, `error` says why.
    """

    begins: dict[tuple[int, int], Gradient] = field(default_factory=dict)
    arriving: dict[int, tuple[Gradient | None, ...]] = field(default_factory=dict)
    leaving: dict[int, tuple[Gradient | None, ...]] = field(default_factory=dict)
    leaves: dict[int, Gradient] = field(default_factory=dict)
    error: str | None = None


def measure(recording: Recording, cotangents: Sequence[Cotangent]) -> Flow:
    """Run backward from the roots and report what passed each drawn operation.

    `autograd.grad` with `retain_graph=True` keeps the graph and leaves the `.grad` of leaves alone;
    that of retained tensors is put back. The user's own hooks run, as in every backward pass. In a
    library that has no hooks yet, `backward` is watched at its engine, and every `.grad` put back.
    """
    flow = Flow()
    leaves = [leaf for leaf in recording.all_leaves if leaf.requires_grad]
    begins = [
        (root, cotangent)
        for root, cotangent in zip(recording.roots, cotangents, strict=True)
        if root.grad_fn is not None and cotangent is not False
    ]
    if not begins or not leaves:
        flow.error = "there is no graph to go back through"
        return flow
    library, engine = library_of(recording.roots[0]), engine_of(begins[0][0])
    filled = [*_retaining(recording), *(leaves if library is None else ())]
    kept = [(tensor, tensor.grad) for tensor in filled]

    def arrive(node: NodeLike, grads: Sequence[Any]) -> None:
        flow.arriving[id(node)] = copies(grads)

    def leave(node: NodeLike, results: Sequence[Any], *_: Any) -> None:
        flow.leaving[id(node)] = copies(results)

    found: Sequence[TensorLike | None]
    try:
        if library is not None:
            outputs, starts = zip(*begins, strict=True)
            options = {"retain_graph": True, "allow_unused": True}
            with hooked(recording.operations, arrive, leave):
                found = library.autograd.grad(outputs, leaves, starts, **options)
        elif engine is not None:
            if len(begins) > 1:
                raise ValueError("this engine starts from one result: draw one at a time")
            for leaf in leaves:
                leaf.grad = None
            run_backward(*begins[0], (), arrive, leave, engine=engine, retain_graph=True)
            found = [leaf.grad for leaf in leaves]
        else:
            return Flow(error="these tensors have no library with autograd.grad")
    except Exception as failure:  # from a hook, a Function or the engine; it becomes a note
        return Flow(error=_explain(failure))
    finally:
        for tensor, grad in kept:
            tensor.grad = grad
    for root, start in begins:
        gradient = Gradient("1", (), (1.0,)) if start is None else Gradient.of(start)
        flow.begins[id(root.grad_fn), output_of(root)] = gradient
    totals = zip(leaves, copies(found), strict=True)
    flow.leaves = {id(leaf): total for leaf, total in totals if total is not None}
    return flow


def copies(gradients: Iterable[TensorLike | None]) -> tuple[Gradient | None, ...]:
    """Copy what is drawn of each gradient, because the engine may still change it."""
    return tuple(
        None if each is None else Gradient.of(each if hasattr(each, "shape") else np.asarray(each))
        for each in gradients
    )


def _retaining(recording: Recording) -> list[TensorLike]:
    """Return the non-leaf tensors whose `.grad` a backward pass fills."""
    everything = {id(tensor): tensor for tensor in (*recording.variables, *recording.roots)}
    return [tensor for tensor in everything.values() if getattr(tensor, "retains_grad", False)]


def _explain(failure: Exception) -> str:
    message = str(failure)
    if "second time" in message:
        return "backward() has freed the graph; draw it before, or keep it with retain_graph=True"
    if "scalar outputs" in message:
        return "a result is not a scalar; pass the gradient to begin with (gradients=tensor)"
    return f"{type(failure).__name__}: {message.partition('. ')[0].partition(chr(10))[0]}"
