"""Drawings of the graph that autograd records, for minigrad and PyTorch tensors alike.

`draw(z)` reads a graph through PyTorch's public protocol (`protocol`), notes what is known about it
(`recording`, `saved`, `gradients`), turns that into plain boxes and arrows (`compose`, `labels`,
`picture`) and turns those into what JupyterLab shows (`render`). `replay(z)` runs a backward pass
and shows it step by step (`replays`), and `plot_jacobian` plots a matrix (`plots`). Graphviz and
matplotlib are loaded on first use.
"""

import sys
from collections.abc import Mapping, Sequence

from minigrad.viz.code import lines_of
from minigrad.viz.compose import compose
from minigrad.viz.gradients import Cotangent, measure
from minigrad.viz.holders import draw_holders
from minigrad.viz.modules import children_of
from minigrad.viz.plots import plot_jacobian
from minigrad.viz.protocol import (
    ModuleLike,
    TensorLike,
    is_module,
    is_tensor,
)
from minigrad.viz.recording import names_in, record
from minigrad.viz.render import Direction, Drawing
from minigrad.viz.replays import Frame, Replay, replay

__all__ = [
    "Drawing", "draw", "draw_holders",
    "Frame", "Replay", "replay",
    "plot_jacobian",
]  # fmt: skip


def draw(
    *tensors: TensorLike,
    names: Mapping[str, TensorLike] | None = None,
    gradients: bool | TensorLike | Sequence[Cotangent] = False,
    modules: ModuleLike | Sequence[ModuleLike] = (),
    values: bool = True,
    saved: bool = True,
    memory: bool = False,
    max_nodes: int = 60,
    direction: Direction = "TB",
) -> Drawing:
    """Draw the graph behind `tensors`, data flowing forward.

    Leaves are blue with a bold frame, operations are rounded, and a dashed tensor does not require
    grad. An operation shows the name of its `grad_fn` and what it has saved, and a number at an
    arrow is the position of that input in `next_functions`. A tensor has a box only if a variable
    holds it, because the graph knows operations and not tensors. A click on a box shows the line of
    code that made it. If there are two results that share a leaf, what the second one adds to the
    graph of the first is green. `replay` shows the same nodes without the tensors between them,
    because gradients go from node to node; `draw_holders` shows who holds whom.

    Args:
        tensors: results to draw, of minigrad or of PyTorch.
        names: names to use before those of the caller's variables.
        gradients: True draws the backward pass instead, with the gradient on every arrow, from a
            real `autograd.grad` that leaves the graph and every `.grad` as they are. If the result
            is not a scalar, pass the gradient to begin with instead of True. For several results,
            pass a list of such gradients: None stands for the 1 of a scalar, and False draws that
            result without gradients.
        modules: a list of modules, or a network for its children: an operation that uses their
            parameters is drawn as a box with the module's name.
        values: whether to show the values of tensors, rather than their shapes.
        saved: whether to show what the operations have saved.
        memory: whether to show which tensors share memory, by giving the same memory one letter.
        max_nodes: how many operations to draw, nearest first; the rest is counted in one box.
        direction: "TB" for top to bottom, or "LR" for left to right, which suits a slide. Long
            lines are broken then, so that more boxes fit side by side.

    Raises:
        TypeError: there is no tensor, or an argument is not one.
        ValueError: `max_nodes` is not positive, `direction` is unknown, or there is not one entry
            of `gradients` for each result.
    """
    if not tensors:
        raise TypeError("draw() needs at least one tensor")
    roots = tuple({id(root): root for root in map(_tensor, tensors)}.values())
    if max_nodes < 1:
        raise ValueError(f"max_nodes must be positive, not {max_nodes}")
    if direction not in ("LR", "TB"):
        raise ValueError(f"direction must be 'LR' or 'TB', not {direction!r}")
    frame = sys._getframe(1)
    pairs = [(name, _tensor(given)) for name, given in (names or {}).items()]
    pairs.extend(names_in(frame))
    recording = record(roots, pairs, max_nodes, _boxes(modules))
    flow = None
    if gradients is not False:
        flow = measure(recording, _cotangents(gradients, len(roots)))
    picture = compose(
        recording,
        flow,
        saved=saved,
        values=values,
        memory=memory,
        lines=lines_of(frame, recording),
    )
    return Drawing(picture, direction)


def _tensor(given: object) -> TensorLike:
    if is_tensor(given):
        return given
    hint = ""
    if is_module(given):
        hint = ": draw what it returns, with modules= to see it as boxes"
    elif isinstance(given, list | tuple):
        hint = ": draw(*tensors)"
    raise TypeError(f"draw() draws tensors, not {type(given).__name__}{hint}")


def _boxes(modules: ModuleLike | Sequence[ModuleLike]) -> Sequence[ModuleLike]:
    if is_module(modules):
        return children_of(modules)
    if not isinstance(modules, list | tuple):
        raise TypeError(f"modules must be a module or a list, not {type(modules).__name__}")
    for module in modules:
        if not is_module(module):
            raise TypeError(f"modules must be modules, not {type(module).__name__}")
    return modules


def _cotangents(
    gradients: bool | TensorLike | Sequence[Cotangent], results: int
) -> Sequence[Cotangent]:
    """Return one cotangent for each result."""
    if isinstance(gradients, bool):
        return [None] * results
    given: list[Cotangent] = (
        [gradients] if is_tensor(gradients) else list(gradients)  # type: ignore[arg-type]
    )
    if len(given) != results:
        raise ValueError(f"gradients needs one tensor for each result: {len(given)} for {results}")
    return given
