"""Tables whose rows and columns are letters: a bigram, and where attention looks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np


def plot_letters(
    tables: Mapping[str, Any], rows: Sequence[str], columns: Sequence[str], numbers: bool = True
) -> None:
    """Draw tables of probabilities side by side, the darker the larger, with labeled edges.

    Each row is what the model has; each column is what it predicts, or what it looks at. A 0 leaves
    its place white.

    Args:
        numbers: whether to write numbers of at least 0.1 in their places, as percentages.
    """
    side = 1.85 if numbers else 5.2
    shape: dict[str, Any] = {"figsize": (side * len(tables) + 0.4, side + 0.4), "squeeze": False}
    figure, (panels,) = plt.subplots(1, len(tables), layout="constrained", **shape)
    for panel, (title, table) in zip(panels, tables.items(), strict=True):
        array = np.asarray(table)
        panel.imshow(np.where(array == 0, np.nan, array), cmap="Blues", vmin=0, vmax=1)
        panel.set_title(title, fontsize=9)
        panel.set_xticks(range(len(columns)), columns)
        panel.set_yticks(range(len(rows)), rows)
        panel.xaxis.tick_top()
        panel.tick_params(length=0, labelsize=8)
        for (row, column), share in np.ndenumerate(array):
            if numbers and share >= 0.1:
                color = "white" if share > 0.6 else "black"
                style: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": 6.5}
                panel.text(column, row, f"{100 * share:.0f}", color=color, **style)
    edges = f"rows {' '.join(rows)}, columns {' '.join(columns)}"
    figure.set_label("; ".join(f"{title}: {edges}" for title in tables))
    plt.show()
