"""A drawing of one call of an operation: the layers that it goes through, and what each does."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib.pyplot as plt

BLUE, BROWN, GREEN = "#0072B2", "#A84100", "#00674B"


def draw_call(call: str, layers: Sequence[tuple[str, str, str]], result: str) -> None:
    """Show a call going down through layers, and its result coming back up.

    Args:
        call: what the user writes.
        layers: from top to bottom, the name of each layer, what it does, and what does the same in
            the reader's library.
        result: what comes back.
    """
    step = 1.2
    height = step * (len(layers) + 1)
    _, place = plt.subplots(figsize=(7.8, 0.62 * height))
    place.set(xlim=(0, 12), ylim=(-0.2, height))
    place.axis("off")
    place.text(2.7, height - 0.4, call, ha="center", family="monospace", fontsize=11)
    place.text(9.2, height - 0.4, "yours:", fontsize=9, color=GREEN)
    for number, (name, does, yours) in enumerate(layers):
        middle = height - step * (number + 1) - 0.2
        box = {"boxstyle": "round,pad=0.45", "facecolor": "white", "edgecolor": BLUE}
        down = {"arrowstyle": "->"}
        place.annotate("", (2.7, middle + 0.4), (2.7, middle + 0.9), arrowprops=down)
        place.text(2.7, middle, name, ha="center", va="center", fontsize=9, bbox=box)
        place.text(5.1, middle, does, va="center", fontsize=9, color=BROWN)
        place.text(9.2, middle, yours, va="center", fontsize=9, color=GREEN)
    bottom = height - step * len(layers) - 0.2
    up = {"arrowstyle": "->", "color": BLUE}
    place.annotate("", (0.2, height - 0.5), (0.2, bottom), arrowprops=up)
    place.text(0.2, bottom - 0.75, f"back up: {result}", fontsize=9, color=BLUE)
    plt.show()
