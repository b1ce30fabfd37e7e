"""Pictures of chapters 09, 19 and 21: tables, and errors of differences."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

Array = np.ndarray[Any, Any]


def fill(by_rows: Array, by_columns: Array) -> None:
    """Draw how two square tables fill up: the first by rows, the second by columns."""
    size = len(by_rows)
    _, panels = plt.subplots(2, size, figsize=(2.0 * size, 4.0), layout="constrained")
    for n in range(size):
        rows, columns = (np.full((size, size), np.nan) for _ in range(2))
        rows[: n + 1] = by_rows[: n + 1]
        columns[:, : n + 1] = by_columns[:, : n + 1]
        for panel, table in zip(panels[:, n], (rows, columns), strict=True):
            panel.imshow(np.isnan(table), cmap="Greys", vmax=4)
            write(panel, table)
            panel.set(xticks=[], yticks=[])
        panels[0, n].set_title(f"x[{n}] moved")
        panels[1, n].set_title(f"unit at y[{n}]")
    plt.show()


def compare(name: str, numerical: Array, analytical: Array) -> None:
    """Draw both tables, with color where they differ by more than gradcheck's tolerances."""
    wrong = ~np.isclose(analytical, numerical, 1e-3, 1e-5)
    _, panels = plt.subplots(1, 2, figsize=(5.6, 2.2), layout="constrained")
    tables = {"numerical": numerical, "analytical": analytical}
    for panel, (title, table) in zip(panels, tables.items(), strict=True):
        panel.imshow(wrong, cmap="Oranges", vmin=0, vmax=3)
        write(panel, table)
        panel.set(title=f"{name}: {title}", xlabel="output element", ylabel="input element")
        panel.set(xticks=range(table.shape[1]), yticks=range(table.shape[0]))
    plt.show()


def write(panel: Axes, table: Array) -> None:
    """Write the numbers of a table in its cells, and nothing for NaN."""
    for row, column in np.argwhere(~np.isnan(table)):
        panel.text(column, row, f"{table[row, column]:.3g}", ha="center", va="center")


def step_errors(steps: Array, errors: Mapping[str, Sequence[float]], tolerance: float) -> None:
    """Plot the errors of finite differences over the step, and the tolerance they have to meet."""
    plt.figure(figsize=(6.5, 3.2))
    for style, (name, each) in zip(("-", "--"), errors.items(), strict=True):
        plt.loglog(steps, each, style, label=name)
    plt.axhline(tolerance, color="black", lw=0.8)
    plt.text(2e-12, tolerance * 1.5, "tolerance")
    plt.axvline(1e-6, color="grey", ls=":", label="eps = 1e-6")
    plt.xlabel("eps")
    plt.ylabel("error of the difference")
    plt.legend(loc="lower left")
    plt.show()


def kink(slopes: Iterable[tuple[float, str]]) -> None:
    """Draw ReLU, lines through its kink with these slopes and names, and a step to each side."""
    line = np.linspace(-1, 1, 201)
    plt.figure(figsize=(6.5, 2.8), layout="constrained")
    plt.plot(line, np.maximum(line, 0), color="black", lw=2.5, label="ReLU")
    for style, (slope, name) in zip(("--", ":", "-."), slopes, strict=True):
        plt.plot(line, slope * line, style, label=f"slope {slope:g}: {name}")
    plt.plot([-0.6, 0.6], [0.0, 0.6], "o-", lw=0.8, label="difference")
    plt.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), fontsize=8)
    plt.xlabel("x")
    plt.ylabel("y")
    plt.show()


def table(
    columns: Sequence[str], rows: Mapping[str, Sequence[str]], looks: Mapping[str, str], text: str
) -> None:
    """Draw a table of words; `looks` maps the words of a cell to a color.

    `text` is what the figure says as text.
    """
    figure, axes = plt.subplots(figsize=(11.4, 0.36 * len(rows) + 0.6), layout="constrained")
    figure.set_label(text)
    for height, row in enumerate(rows.values()):
        for place, words in enumerate(row):
            look = looks[words] if words else "white"
            axes.add_patch(plt.Rectangle((place, height), 1, 1, fc=look, ec="white", lw=2))
            axes.text(place + 0.5, height + 0.5, words, ha="center", va="center", fontsize=9)
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    axes.set_yticks([n + 0.5 for n in range(len(rows))], [*rows])
    axes.set_xticks([n + 0.5 for n in range(len(columns))], columns)
    axes.xaxis.tick_top()
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    plt.show()


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows of a table as lines of text, each column as wide as its longest entry."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
