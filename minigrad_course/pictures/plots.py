"""What all plots of the notebooks share: a description in words, whole ticks, legends, and colors.

matplotlib's text for a figure is `<Figure size 640x380 with 1 Axes>`. Here it is what the figure
says, and the image has the same alternative text. An axis of whole numbers, such as layers or
steps, has no ticks in between, and a legend is beside the plot, where it hides no data. The colors
match the drawings, because matplotlib reads them from the file `matplotlibrc` beside this module.
"""

from __future__ import annotations

import html
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SETTINGS = Path(__file__).with_name("matplotlibrc")
WORD = re.compile(r"[^$]*[^\W\d_][^$]*$")  # a letter outside of formulas, such as powers of ten


def prepare_plots() -> None:
    """Make this notebook show each figure as an image with alternative text, in our colors."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None:
        if "matplotlib" in sys.modules:
            sys.modules["matplotlib"].rc_file(SETTINGS, use_default_template=False)
        else:
            os.environ.setdefault("MATPLOTLIBRC", str(SETTINGS))  # read on import
        formatter = shell.display_formatter
        # By name, so that a notebook without plots does not import matplotlib.
        formatter.mimebundle_formatter.for_type_by_name(
            "matplotlib.figure", "Figure", lambda figure: with_alt_text(figure, formatter)
        )


def with_alt_text(figure: Figure, formatter: Any) -> dict[str, str]:
    """A figure as an image with alternative text, and as plain text.

    JupyterLab would prefer a plain PNG, which has no alternative text, so there is none.
    """
    from IPython.core.pylabtools import print_figure

    for axes in figure.axes:
        with_whole_ticks(axes)
    with_legends_beside(figure)
    text = words(figure)
    formatter.formatters["image/png"].for_type(type(figure), no_png)
    encoded = print_figure(figure, base64=True, bbox_inches="tight")
    if encoded is None:
        return {"text/plain": text}
    alt = html.escape(text.replace("\n", "; "))
    image = f'<img alt="{alt}" src="data:image/png;base64,{encoded}">'
    return {"text/html": image, "text/plain": text}


def no_png(figure: Figure) -> None:
    """Replaces IPython's PNG printer, so that there is no PNG besides the image."""


def with_whole_ticks(axes: Axes) -> None:
    """Leave out ticks between whole numbers on axes where all data are whole numbers."""
    from matplotlib.ticker import AutoLocator

    for axis, number in ((axes.xaxis, 0), (axes.yaxis, 1)):
        found = {float(value) for line in axes.lines for value in line.get_data()[number]}
        locator = axis.get_major_locator()
        if len(found) > 2 and all(map(float.is_integer, found)) and type(locator) is AutoLocator:
            locator.set_params(integer=True)


def with_legends_beside(figure: Figure) -> None:
    """Move legends to the right of the last plot, unless the code has placed them outside.

    A layout engine would make room for such a legend beside its own plot, so in front of others it
    stays where it is.
    """
    for axes in figure.axes:
        legend, last = axes.get_legend(), figure.axes[-1]
        has_room = axes is last or figure.get_layout_engine() is None
        if legend is not None and has_room and legend._bbox_to_anchor is None:
            legend.set_loc("upper left")
            legend.set_bbox_to_anchor((1.02, 1), transform=last.transAxes)


def words(figure: Figure) -> str:
    """A figure in words: its label, or else its titles, axis labels and legends."""
    if label := str(figure.get_label()):
        return label
    title = figure.get_suptitle()
    plots = [text for axes in figure.axes if (text := words_of_axes(axes))]
    return "\n".join([f"Plots: {title}."] * bool(title) + plots) or "A plot without words."


def words_of_axes(axes: Axes) -> str:
    """One plot of a figure in words; text inside it counts only if there is nothing else."""
    titles = [axes.get_title(loc=place) for place in ("left", "center", "right")]
    parts = {"Plot": titles}
    if axes.axison:
        parts |= {"Across": axis_words(axes.xaxis), "Up": axis_words(axes.yaxis)}
    _, parts["Showing"] = axes.get_legend_handles_labels()
    if not any(any(texts) for texts in parts.values()):
        parts["Plot"] = [text.get_text() for text in axes.texts]
    lists = {what: "; ".join(dict.fromkeys(filter(None, texts))) for what, texts in parts.items()}
    sentences = [f"{what}: {texts}." for what, texts in lists.items() if texts]
    return " ".join(sentences if lists["Plot"] or not sentences else ["Plot.", *sentences])


def axis_words(axis: Any) -> list[str]:
    """The words on an axis: its label, and ticks that are words."""
    ticks = [tick.get_text() for tick in axis.get_ticklabels()]
    return [axis.get_label_text(), *(tick for tick in ticks if WORD.match(tick))]
