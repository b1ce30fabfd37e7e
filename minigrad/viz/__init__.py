"""Drawings of the graph that autograd records, for minigrad and PyTorch tensors alike.

`draw(z)` reads a graph through PyTorch's public protocol (`protocol`), notes what is known about it
(`recording`, `saved`, `gradients`), turns that into plain boxes and arrows (`compose`, `labels`,
`picture`) and those into what JupyterLab shows (`render`). Graphviz is loaded on first use.
"""

import sys
from collections.abc import Mapping, Sequence

from minigrad.viz.compose import compose
from minigrad.viz.gradients import measure
from minigrad.viz.protocol import TensorLike, is_tensor
from minigrad.viz.recording import names_in, record
from minigrad.viz.render import Direction, Drawing

__all__ = ["Drawing", "draw"]


def draw(
    *tensors: TensorLike,
    names: Mapping[str, TensorLike] | None = None,
    gradients: bool | TensorLike | Sequence[TensorLike | None] = False,
    saved: bool = True,
    max_nodes: int = 60,
    direction: Direction | None = None,
) -> Drawing:
    """Draw the graph behind `tensors`, data flowing forward.

    Leaves are blue with a bold frame, operations are rounded, constants dashed. An operation shows
    the name of its `grad_fn` and what it has saved; a number at an arrow is the position of that
    input in `next_functions`. Tensors that no variable holds have no box: the graph knows
    operations, and only the caller knows tensors.

    Args:
        tensors: results to draw, of minigrad or of PyTorch.
        names: names to use before those of the caller's variables.
        gradients: True draws the way back instead, with the gradient on every arrow, from a real
            `autograd.grad` that keeps the graph and every `.grad` as they are. Where a result is
            no scalar, give the tensor to begin with instead of True (or a list, one a result).
        saved: whether to show what the operations have saved.
        max_nodes: how many operations to draw, the nearest first; the rest is counted in one box.
        direction: "LR" or "TB"; by default short graphs go right and long ones down.

    Raises:
        TypeError: there is no tensor, or something else was given.
        ValueError: `max_nodes` is not positive, `direction` is unknown, or `gradients` are not as
            many as the results.
    """
    if not tensors:
        raise TypeError("draw() needs at least one tensor")
    tensors = tuple({id(tensor): tensor for tensor in tensors}.values())
    for tensor in (*tensors, *(names or {}).values()):
        if not is_tensor(tensor):
            raise TypeError(f"draw() draws tensors, not {type(tensor).__name__}")
    if max_nodes < 1:
        raise ValueError(f"max_nodes must be positive, not {max_nodes}")
    if direction not in (None, "LR", "TB"):
        raise ValueError(f"direction must be 'LR' or 'TB', not {direction!r}")
    callers = names_in(sys._getframe(1))
    recording = record(tensors, [*(names or {}).items(), *callers], max_nodes)
    flow = None
    if gradients is not False:
        flow = measure(recording, _cotangents(gradients, len(tensors)))
    return Drawing(compose(recording, flow, saved=saved), direction)


def _cotangents(
    gradients: bool | TensorLike | Sequence[TensorLike | None], results: int
) -> Sequence[TensorLike | None]:
    """Return one cotangent for each result; None stands for the 1 that a scalar begins with."""
    if isinstance(gradients, bool):
        return [None] * results
    given: list[TensorLike | None] = (
        [gradients] if is_tensor(gradients) else list(gradients)  # type: ignore[arg-type]
    )
    if len(given) != results:
        raise ValueError(f"gradients needs one tensor for each result: {len(given)} for {results}")
    return given
