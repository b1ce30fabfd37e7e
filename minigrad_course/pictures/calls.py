"""A drawing of one call of an operation and of its backward: its stops, and what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

from minigrad.viz.palette import BLUE, GRADIENT, GREEN, GREY, HOOK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Its name, what it does, what can hook in there, and its counterpart in your library.
Layer = tuple[str, str, str, str]


# From top to bottom; numbered layers are the stations of the text. None is the row of NODE.
CALL: list[Layer | None] = [
    (
        "1  Python: Tensor.__mul__",
        "calls the C++ operation",
        "__torch_function__;\na Function, in its place",
        "Tensor.__mul__",
    ),
    ("2  dispatcher", "calls the highest key's function", "vmap, autocast", "–"),
    ("3  autograd key: VariableType", "makes the node, calls again", "custom_op", "Operation"),
    None,
    ("dispatcher, once more", "CPU is the highest key left", "__torch_dispatch__", "–"),
    ("CPU: the kernel", "multiplies numbers", "", "np.multiply"),
]
NODE: Layer = (
    "4  the node",
    "holds the edges, saves x and y",
    "saved_tensors_hooks:\noffload, checkpoint",
    "Node, SavedTensor",
)
ENGINE: Layer = (
    "5  engine",
    "calls the nodes in turn",
    "hooks;\ncompiled autograd",
    "BackwardPass",
)
CENTER = 2.5  # of the boxes; the arrow passes the node on its left
PAST, BESIDE = 1.35, 3.5
SIDE = 0.2  # of the arrow on which the result returns
DOES, COMES_IN, YOURS = 4.8, 9.0, 12.0


def draw_call() -> None:
    """Draw a product on its way down the layers, its result on the way up, and its backward."""
    height = len(CALL) + 3.8
    _, axes = plt.subplots(figsize=(9.6, 0.62 * height))
    axes.set(xlim=(0, 14.6), ylim=(0, height))
    axes.axis("off")
    top = height - 0.4
    _write(axes, top, "z = x * y")
    for across, title, colour in (
        (DOES, "what it does", GRADIENT),
        (COMES_IN, "who can come in", HOOK),
        (YOURS, "yours", GREEN),
    ):
        axes.text(across, top, title, va="center", fontsize=9, color=colour, weight="bold")
    levels = [top - 1 - number for number in range(len(CALL))]
    for number, (level, layer) in enumerate(zip(levels, CALL, strict=True)):
        if layer is None:  # the call continues past the node
            _station(axes, level, NODE, BESIDE)
            _down(axes, PAST, level + 0.7, level - 0.7)
        else:
            _station(axes, level, layer, CENTER, arrow=CALL[number - 1] is not None)
    third, kernel = levels[2], levels[-1]
    _back(axes, (1.2, kernel), (0.55, third - 0.17))  # the numbers return to VariableType
    _back(axes, (0.55, third + 0.17), (SIDE, top))
    caption = "the way back: VariableType gets the numbers, gives the result the node as grad_fn,\n"
    caption += "and saves the result in the node if a formula needs it, as that of exp does"
    axes.text(0.4, kernel - 0.85, caption, va="center", fontsize=9, color=BLUE)
    axes.plot((0, 14.6), (kernel - 1.4, kernel - 1.4), color=GREY, lw=0.8, ls="--")
    _write(axes, kernel - 1.8, "z.backward()")
    _station(axes, kernel - 2.8, ENGINE, CENTER)
    plt.show()


def _back(axes: Axes, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Draw a part of the way back: from a box to the left edge, up, and then to `end`."""
    (across, low), (_, high) = start, end
    axes.plot((across, SIDE, SIDE), (low, low, high), color=BLUE, lw=1)
    tip = (SIDE, high - 0.1) if end[0] == SIDE else (SIDE, high)
    style = {"arrowstyle": "->", "color": BLUE, "shrinkA": 0, "shrinkB": 0}
    axes.annotate("", end, tip, arrowprops=style)


def _write(axes: Axes, height: float, call: str) -> None:
    """Write the user's code above the arrow to the first box."""
    axes.text(CENTER, height, call, ha="center", va="center", family="monospace", fontsize=11)


def _down(axes: Axes, across: float, start: float, end: float) -> None:
    """Draw a downward arrow."""
    axes.annotate("", (across, end), (across, start), arrowprops={"arrowstyle": "->"})


def _station(axes: Axes, height: float, layer: Layer, across: float, arrow: bool = True) -> None:
    """Draw a box below an arrow, and the other columns of its layer beside it."""
    name, does, comes_in, yours = layer
    edge = BLUE if name[0].isdigit() else GREY  # a station has a number
    box = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": edge}
    if arrow:
        _down(axes, across, height + 0.75, height + 0.3)
    axes.text(across, height, name, ha="center", va="center", fontsize=9, bbox=box, color=edge)
    axes.text(DOES, height, does, va="center", fontsize=9, color=GRADIENT)
    axes.text(COMES_IN, height, comes_in, va="center", fontsize=9, color=HOOK)
    axes.text(YOURS, height, yours, va="center", fontsize=9, color=GREEN)
