"""Drawings of the graph that autograd records, for minigrad and PyTorch tensors alike.

`draw(z)` reads a graph through PyTorch's public protocol (`protocol`), notes what is known about it
(`recording`, `saved`, `gradients`), turns that into plain boxes and arrows (`compose`, `labels`,
`picture`) and those into what JupyterLab shows (`render`). `replay(z)` runs a backward pass and
shows it step by step (`replays`), `plot_jacobian` is a plot (`plots`). Graphviz and matplotlib are
loaded on first use.
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
    Root,
    TensorLike,
    is_accumulator,
    is_edge,
    is_module,
    is_tensor,
    variable_of,
)
from minigrad.viz.recording import modules_in, names_in, record
from minigrad.viz.render import Direction, Drawing
from minigrad.viz.replays import Frame, Replay, replay

__all__ = [
    "Drawing", "draw", "draw_holders",
    "Frame", "Replay", "replay",
    "plot_jacobian",
]  # fmt: skip


def draw(
    *tensors: Root,
    names: Mapping[str, TensorLike] | None = None,
    gradients: bool | TensorLike | Sequence[Cotangent] = False,
    modules: ModuleLike | Sequence[ModuleLike] | None = None,
    orders: bool | None = None,
    values: bool = True,
    flags: bool = True,
    hooks: bool = True,
    saved: bool = True,
    memory: bool = False,
    max_nodes: int = 60,
    direction: Direction = "TB",
) -> Drawing:
    """Draw the graph behind `tensors`, data flowing forward.

    Leaves are blue with a bold frame, operations are rounded, what requires no grad is dashed. An
    operation shows the name of its `grad_fn` and what it has saved; a number at an arrow is the
    position of that input in `next_functions`. Tensors that no variable holds have no box: the
    graph knows operations, and only the caller knows tensors. A click on a box shows the line of
    code that made it. `replay` shows the same nodes without the tensors between them, since
    gradients go from node to node; who holds whom is in `draw_holders`.

    Args:
        tensors: results to draw, of minigrad or of PyTorch; a GradientEdge will do.
        names: names to use before those of the caller's variables.
        gradients: True draws the way back instead, with the gradient on every arrow, from a real
            `autograd.grad` that keeps the graph and every `.grad` as they are. Where a result is
            no scalar, give the tensor to begin with instead of True. With several results, a list:
            such a tensor for each, None for the 1 of a scalar, False to draw it without gradients.
        modules: a network, each of whose children is drawn as one box, or a list of modules that
            are each one box. By default, if there are more than `max_nodes` operations, the
            children of the caller's networks, or else the networks; `()` draws every operation.
        orders: whether what each of the results adds to the graph has a colour of its own: a value,
            its derivative (made with `create_graph=True`), the derivative of that. By default where
            there are two results, of which the second one adds to the graph behind the first.
        values: whether to show the values of tensors, rather than their shapes.
        flags: whether to show dtypes other than float32, versions, and `retains_grad`.
        hooks: whether to name the hooks of tensors and of nodes.
        saved: whether to show what the operations have saved.
        memory: whether to show which tensors share memory: the same letter is the same memory.
        max_nodes: how many operations to draw, the nearest first; the rest is counted in one box.
        direction: "TB", down, or "LR", to the right: that suits a slide. Its lines are broken, so
            that more boxes fit side by side.

    Raises:
        TypeError: there is no tensor, or something else was given.
        ValueError: `max_nodes` is not positive, `direction` is unknown, or `gradients` are not as
            many as the results.
    """
    if not tensors:
        raise TypeError("draw() needs at least one tensor")
    roots = tuple({id(root): root for root in map(_root, tensors)}.values())
    if max_nodes < 1:
        raise ValueError(f"max_nodes must be positive, not {max_nodes}")
    if direction not in ("LR", "TB"):
        raise ValueError(f"direction must be 'LR' or 'TB', not {direction!r}")
    frame = sys._getframe(1)
    pairs = [(name, _tensor(given)) for name, given in (names or {}).items()]
    pairs.extend(names_in(frame))
    recording = record(roots, pairs, max_nodes, _boxes(modules or ()))
    if modules is None and recording.hidden:
        networks = modules_in(frame)
        parts = [part for network in networks for part in children_of(network)]
        for boxes in (parts, networks):
            recording = record(roots, pairs, max_nodes, boxes) if recording.hidden else recording
    flow = None
    if gradients is not False:
        flow = measure(recording, _cotangents(gradients, len(roots)))
    picture = compose(
        recording,
        flow,
        saved=saved,
        values=values,
        flags=flags,
        hooks=hooks,
        memory=memory,
        orders=orders,
        lines=lines_of(frame, recording),
    )
    return Drawing(picture, direction)


def _root(given: object) -> Root:
    """Return what a drawing begins with: a tensor, or a GradientEdge that leads to an operation."""
    if is_edge(given):
        return variable_of(given.node) if is_accumulator(given.node) else given
    return _tensor(given)


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
