"""A text twin for plots, as the drawings have one.

matplotlib calls a figure `<Figure size 640x380 with 1 Axes>`. Here it gets what it says in words:
for readers who do not see the picture, and as its alternative text in exported pages.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORD = re.compile(r"[^$]*[^\W\d_][^$]*$")  # a letter, and not in a formula, which a power of ten is


def describe_plots() -> None:
    """Let the notebook that runs this show each figure together with its words."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        # By name: whoever does not plot need not wait for matplotlib.
        shell.display_formatter.mimebundle_formatter.for_type_by_name(
            "matplotlib.figure", "Figure", lambda figure: {"text/plain": words(figure)}
        )


def words(figure: Figure) -> str:
    """What a figure says: its titles, what lies along its axes, what its legends name."""
    title = figure.get_suptitle()
    plots = [text for axes in figure.axes if (text := words_of_axes(axes))]
    return "\n".join([f"Plots: {title}."] * bool(title) + plots) or "A plot without words."


def words_of_axes(axes: Axes) -> str:
    """What one plot of a figure says; what is written in it counts where nothing else does."""
    titles = [axes.get_title(loc=place) for place in ("left", "center", "right")]
    said = {"Plot": titles}
    if axes.axison:
        said |= {"Across": along(axes.xaxis), "Up": along(axes.yaxis)}
    _, said["Showing"] = axes.get_legend_handles_labels()
    if not any(any(texts) for texts in said.values()):
        said["Plot"] = [text.get_text() for text in axes.texts]
    lists = {what: "; ".join(dict.fromkeys(filter(None, texts))) for what, texts in said.items()}
    sentences = [f"{what}: {texts}." for what, texts in lists.items() if texts]
    return " ".join(sentences if lists["Plot"] or not sentences else ["Plot.", *sentences])


def along(axis: Any) -> list[str]:
    """What an axis says: its label, and its ticks where they are words."""
    ticks = [tick.get_text() for tick in axis.get_ticklabels()]
    return [axis.get_label_text(), *(tick for tick in ticks if WORD.match(tick))]
