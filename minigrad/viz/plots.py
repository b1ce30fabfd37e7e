"""A plot of a Jacobian, of minigrad or of PyTorch; matplotlib is loaded on first use."""

from typing import TYPE_CHECKING, Any

import numpy as np

from minigrad.viz import values
from minigrad.viz.palette import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE, LABEL, TICK = 16, 14, 12  # points, readable from the back of a lecture hall
MOST_VALUES = 8
"""A Jacobian with more rows or columns shows only colours."""


def plot_jacobian(matrix: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Plot a Jacobian as a heat map: a row for each output, a column for each input.

    The colours are centred at 0. A small matrix shows its numbers; in a larger one the negative
    elements are hatched, because both ends of the scale are equally dark in greyscale.

    `matrix` is a 2-D tensor, array or list; ValueError if it is not 2-D, or is empty.
    """
    found = np.array(matrix.tolist() if hasattr(matrix, "tolist") else matrix, dtype=float)
    if found.ndim != 2 or not found.size:
        raise ValueError(f"a Jacobian is a matrix, not an array of shape {found.shape}")
    from matplotlib.colors import ListedColormap

    ax = _axes(ax)
    largest = float(np.abs(found[np.isfinite(found)]).max(initial=0.0)) or 1.0
    image = ax.imshow(found, cmap="PuOr_r", vmin=-largest, vmax=largest, aspect="auto")
    if max(found.shape) <= MOST_VALUES:
        for (row, column), value in np.ndenumerate(found):
            dark = abs(value) > 0.7 * largest  # at both ends of the scale
            place: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": LABEL}
            colour = "white" if dark else INK
            ax.text(column, row, values.number(float(value)), color=colour, **place)
    else:
        edges = [np.arange(length + 1) - 0.5 for length in found.shape[::-1]]
        negative = np.ma.masked_where(~(found < 0), found)
        unseen = ListedColormap(["#FFFFFF00"])
        ax.pcolor(*edges, negative, cmap=unseen, hatch="////", edgecolor="#A0A0A0", linewidth=0)
    ax.locator_params(integer=True)
    bar = ax.figure.colorbar(image, ax=ax)
    bar.set_label("∂ output / ∂ input", fontsize=LABEL)
    bar.ax.tick_params(labelsize=TICK)
    return ax


def _axes(ax: "Axes | None") -> "Axes":
    """Return `ax`, or new axes, with labels of a readable size."""
    import matplotlib.pyplot as plt  # on first use: importing minigrad must not need it
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib Axes, not {type(ax).__name__}")
    if ax is None:
        _, ax = plt.subplots(figsize=(7.5, 5.5), layout="constrained")
    ax.set_title("Jacobian", fontsize=TITLE)
    ax.set_xlabel("input", fontsize=LABEL)
    ax.set_ylabel("output", fontsize=LABEL)
    ax.tick_params(labelsize=TICK)
    return ax
