"""A drawing of one call of an operation and of its backward: the stations, and what each does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib.pyplot as plt

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, BROWN, GREEN, GREY = "#0072B2", "#A84100", "#00674B", "#767676"

Layer = tuple[str, str, str]  # its name, what it does, and what does the same in your library


# From top to bottom; a layer whose name has no number is no station. `None` leaves the row to NODE.
CALL: list[Layer | None] = [
    ("1  Python: Tensor.__mul__", "calls the C++ operation", "Tensor.__mul__"),
    ("2  dispatcher", "calls the function at the highest key", "–"),
    ("3  autograd key: VariableType", "makes the node, and calls again", "Operation"),
    None,
    ("dispatcher, once more", "CPU is the highest key that is left", "–"),
    ("CPU: the kernel", "multiplies numbers", "np.multiply"),
]
NODE: Layer = ("4  the node", "holds the edges, x and y; calls nothing", "SavedTensor")
ENGINE: Layer = ("5  engine", "runs the nodes: they unpack x and y", "BackwardPass")
MIDDLE = 2.5  # of the boxes; the call goes past the node, at its left
PAST, BESIDE = 1.35, 3.5


def draw_call() -> None:
    """Show a product going down through the stations, its result coming up, and its backward."""
    height = len(CALL) + 3.7
    _, place = plt.subplots(figsize=(7.8, 0.66 * height))
    place.set(xlim=(0, 12), ylim=(0, height))
    place.axis("off")
    top = height - 0.4
    _write(place, top, "z = x * y")
    place.text(10.1, top, "yours:", va="center", fontsize=9, color=GREEN)
    for number, layer in enumerate(CALL):
        level = top - 1 - number
        if layer is None:  # the call goes on, past the node
            _station(place, level, NODE, BESIDE)
            _down(place, PAST, level + 0.7, level - 0.7)
        else:
            _station(place, level, layer, MIDDLE, arrow=CALL[number - 1] is not None)
    bottom = top - len(CALL)
    turn = "angle,angleA=180,angleB=90,rad=6"
    up = {"arrowstyle": "->", "color": BLUE, "connectionstyle": turn, "shrinkA": 0}
    place.annotate("", (0.25, top), (1.2, bottom), arrowprops=up)
    said = "back up: the result. VariableType gives it the node as grad_fn,\n"
    said += "and saves it in the node if a formula needs it, as for exp"
    place.text(0.4, bottom - 0.8, said, va="center", fontsize=9, color=BLUE)
    place.plot((0, 12), (bottom - 1.3, bottom - 1.3), color=GREY, lw=0.8, ls="--")
    _write(place, bottom - 1.7, "z.backward()")
    _station(place, bottom - 2.7, ENGINE, MIDDLE)
    plt.show()


def _write(place: Axes, height: float, call: str) -> None:
    """Put what the user writes above the arrow to the first box."""
    place.text(MIDDLE, height, call, ha="center", va="center", family="monospace", fontsize=11)


def _down(place: Axes, across: float, start: float, end: float) -> None:
    """Draw an arrow downward."""
    place.annotate("", (across, end), (across, start), arrowprops={"arrowstyle": "->"})


def _station(place: Axes, height: float, layer: Layer, across: float, arrow: bool = True) -> None:
    """Draw a box below an arrow; beside it what happens, there and in your library."""
    name, does, yours = layer
    edge = BLUE if name[0].isdigit() else GREY  # a station has a number
    box = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": edge}
    if arrow:
        _down(place, across, height + 0.75, height + 0.3)
    place.text(across, height, name, ha="center", va="center", fontsize=9, bbox=box, color=edge)
    place.text(4.9, height, does, va="center", fontsize=9, color=BROWN)
    place.text(10.1, height, yours, va="center", fontsize=9, color=GREEN)
