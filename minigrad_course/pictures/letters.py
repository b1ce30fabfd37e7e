"""Tables whose rows and columns are letters: a bigram, and where attention looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np


def plot_letters(
    tables: Mapping[str, Any],
    rows: Sequence[str],
    columns: Sequence[str],
    edges: tuple[str, str],
    numbers: bool = True,
) -> None:
    """Draw tables of probabilities side by side, the darker the larger, with labeled edges.

    A 0 leaves its place white.

    Args:
        edges: what a row is, and what a column is.
        numbers: whether to write numbers of at least 0.05 in their places, as percentages.
    """
    side = 1.85 if numbers else 4.8
    shape: dict[str, Any] = {"figsize": (side * len(tables) + 0.4, side + 0.4), "squeeze": False}
    figure, (panels,) = plt.subplots(1, len(tables), layout="constrained", **shape)
    for panel, (title, table) in zip(panels, tables.items(), strict=True):
        array = np.asarray(table)
        panel.imshow(np.where(array == 0, np.nan, array), cmap="Blues", vmin=0, vmax=1)
        panel.set_title(title, fontsize=9)
        panel.set_xticks(range(len(columns)), columns)
        panel.set_yticks(range(len(rows)), rows)
        panel.xaxis.tick_top()
        panel.xaxis.set_label_position("top")
        panel.set_xlabel(edges[1], fontsize=8)
        panel.tick_params(length=0, labelsize=8)
        for (row, column), share in np.ndenumerate(array):
            if numbers and share >= 0.05:
                color = "white" if share > 0.6 else "black"
                style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 6.5}
                panel.text(column, row, f"{100 * share:.0f}", color=color, **style)
    panels[0].set_ylabel(edges[0], fontsize=8)
    labels = f"rows ({edges[0]}) {' '.join(rows)}, columns ({edges[1]}) {' '.join(columns)}"
    figure.set_label("; ".join(f"{title}: {labels}" if title else labels for title in tables))
    plt.show()
