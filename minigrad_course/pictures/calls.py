"""A drawing of one call of an operation and of its backward, with what can intercept it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from minigrad.viz.palette import BLUE, GREEN, GREY, HOOK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Its name, what can intercept the call there, and its counterpart in your library.
Layer = tuple[str, str, str]


# From top to bottom; numbered layers are the stations of the text. None is the row of NODE.
CALL: list[Layer | None] = [
    ("1  Python: Tensor.__mul__", "__torch_function__, Function", "Tensor.__mul__"),
    ("2  dispatcher: the highest key", "vmap, autocast", "–"),
    ("3  AutogradCPU: VariableType", "custom_op", "Operation.__call__"),
    None,
    ("ADInplaceOrView: not for a product", "", "count_change, track_view"),
    ("CPU: the kernel", "__torch_dispatch__, just before", "np.multiply"),
]
NODE: Layer = ("4  the node", "saved_tensors_hooks", "Node, SavedTensor")
ENGINE: Layer = ("5  engine: node by node", "hooks", "BackwardPass")
CENTER = 2.9  # of the boxes; the arrow passes the node on its left
PAST, BESIDE = 1.5, 3.9
SIDE = 0.1  # of the arrow on which the result returns
INTERCEPTS, YOURS = 6.2, 10.6
WIDTH = 14.0


def draw_call() -> None:
    """Draw a product on its way down the layers, its result on the way up, and its backward."""
    height = len(CALL) + 3.4
    _, axes = plt.subplots(figsize=(9.6, 0.62 * height))
    axes.set(xlim=(-0.2, WIDTH), ylim=(0, height))
    axes.axis("off")
    top = height - 0.4
    _write(axes, top, "z = x * y")
    for across, title, colour in (
        (INTERCEPTS, "what can intercept it there", HOOK),
        (YOURS, "your library", GREEN),
    ):
        axes.text(across, top, title, va="center", fontsize=10, color=colour, weight="bold")
    levels = [top - 1 - number for number in range(len(CALL))]
    for number, (level, layer) in enumerate(zip(levels, CALL, strict=True)):
        if layer is None:  # the call continues past the node
            _station(axes, level, NODE, BESIDE)
            _down(axes, PAST, level + 0.7, level - 0.7)
        else:
            _station(axes, level, layer, CENTER, arrow=CALL[number - 1] is not None)
    third, kernel = levels[2], levels[-1]
    _back(axes, (CENTER - 1.3, kernel), (0.55, third - 0.17), "numbers")
    _back(axes, (0.55, third + 0.17), (SIDE, top), "z, with its grad_fn")
    for across, height, words in (
        (CENTER, levels[1] + 0.5, "call"),
        (PAST, levels[3], "redispatch"),
    ):
        axes.text(across + 0.12, height, words, va="center", fontsize=8.5)
    axes.plot((0, WIDTH), (kernel - 0.75, kernel - 0.75), color=GREY, lw=0.8, ls="--")
    _write(axes, kernel - 1.15, "z.backward()")
    _station(axes, kernel - 2.15, ENGINE, CENTER)
    plt.show()


def _back(axes: Axes, start: tuple[float, float], end: tuple[float, float], words: str) -> None:
    """Draw a part of the way back: from a box to the left edge, up, and then to `end`."""
    (across, low), (_, high) = start, end
    axes.plot((across, SIDE, SIDE), (low, low, high), color=BLUE, lw=1)
    tip = (SIDE, high - 0.1) if end[0] == SIDE else (SIDE, high)
    style = {"arrowstyle": "->", "color": BLUE, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, tip, arrowprops=style)
    middle = (low + high) / 2
    axes.text(SIDE + 0.12, middle, words, va="center", fontsize=8.5, color=BLUE, rotation=90)


def _write(axes: Axes, height: float, call: str) -> None:
    """Write the user's code above the arrow to the first box."""
    axes.text(CENTER, height, call, ha="center", va="center", family="monospace", fontsize=11)


def _down(axes: Axes, across: float, start: float, end: float) -> None:
    """Draw a downward arrow."""
    axes.annotate("", (across, end), (across, start), arrowprops={"arrowstyle": "->"})


def _station(axes: Axes, height: float, layer: Layer, across: float, arrow: bool = True) -> None:
    """Draw a box below an arrow, and the other columns of its layer beside it."""
    name, intercepts, yours = layer
    edge = BLUE if name[0].isdigit() else GREY  # a station has a number
    box = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": edge}
    if arrow:
        _down(axes, across, height + 0.75, height + 0.3)
    axes.text(across, height, name, ha="center", va="center", fontsize=9, bbox=box, color=edge)
    axes.text(INTERCEPTS, height, intercepts, va="center", fontsize=9, color=HOOK)
    axes.text(YOURS, height, yours, va="center", fontsize=9, color=GREEN)
