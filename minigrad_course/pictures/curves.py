"""Plots of chapters 06 to 08, 12 to 16 and 18: curves, bars, panels of numbers, tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from minigrad.viz.palette import BLUE, GRADIENT

LOOKS = ("o-", "s--")


def plot_curves(
    across: str,
    up: str,
    *,
    level: float | None = None,
    legend: str = "upper right",
    log: bool = False,
    **curves: Sequence[float],
) -> None:
    """Plot curves from step 0 on and a line at `level`; `legend` is the legend's location."""
    plt.figure(figsize=(6.5, 2.8))
    for (name, values), look in zip(curves.items(), cycle(LOOKS), strict=False):
        plt.plot(values, look, ms=4, label=name)
    if level is not None:
        plt.axhline(level, color="black", lw=0.8)
    if log:
        plt.yscale("log")
    plt.xlabel(across)
    plt.ylabel(up)
    plt.legend(loc=legend)
    plt.show()


def plot_functions(across: Any, named: str = "x", /, **curves: Any) -> None:
    """Plot functions of the same x; the first line is broad, so one on top of it is visible."""
    plt.figure(figsize=(6.5, 2.8))
    for number, (name, values) in enumerate(curves.items()):
        plt.plot(across, values, label=name, lw=1.5 if number else 6, alpha=1 if number else 0.35)
    plt.axhline(0.0, color="black", lw=0.8)
    plt.xlabel(named)
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(curves), fontsize=8)
    plt.show()


def plot_fit(across: Any, measured: Any, curves: Mapping[str, Any]) -> None:
    """Plot measured values as dots over time, and the curves that should fit them."""
    plt.figure(figsize=(6.5, 2.8))
    plt.plot(across, measured, ".", ms=3, color="gray", label="measured")
    for name, values in curves.items():
        plt.plot(across, values, label=name)
    plt.xlabel("time")
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(curves) + 1, fontsize=8)
    plt.show()


def plot_by_layer(up: str, **sizes: Mapping[int, float]) -> None:
    """Plot a number for each layer, on a logarithmic scale."""
    plt.figure(figsize=(6.5, 2.6))
    for name, noted in sizes.items():
        plt.semilogy([*noted], [*noted.values()], "o-", ms=4, label=name)
    plt.xlabel("layer")
    plt.ylabel(up)
    plt.legend()
    plt.show()


def plot_step(operations: Sequence[str], **steps: Sequence[int]) -> None:
    """Plot the memory in use after each operation of a step and each node of its backward.

    The highest point of each curve is marked in the legend.
    """
    plt.figure(figsize=(6.5, 2.8))
    for (name, step), look in zip(steps.items(), cycle(LOOKS), strict=False):
        plt.plot(range(1, len(step) + 1), step, look, label=f"{name}: peak {max(step)} MiB")
    ends = len(operations) + 0.5
    plt.axvline(ends, color="gray")
    plt.text(0.8, 0.2, "forward")
    plt.text(ends + 0.2, 0.2, "backward")
    plt.ylim(bottom=0)
    ticks = [*operations, *(name.capitalize() for name in operations[::-1]), "Acc"]
    plt.xticks(range(1, len(ticks) + 1), ticks, fontsize=8)
    plt.ylabel("MiB")
    plt.legend(loc="upper left")
    plt.show()


def plot_beside(across: str, **plots: Mapping[str, Sequence[float]]) -> None:
    """Plot curves in panels side by side, under one legend.

    Panels whose titles begin with the same word, which is a unit, have the same scale.
    """
    figure, all_axes = plt.subplots(1, len(plots), figsize=(8, 3.0), layout="constrained")
    tops: dict[str, float] = {}
    for title, curves in plots.items():
        unit = re.split("[ _,]", title)[0]
        tops[unit] = max(tops.get(unit, 0), *(max(values) for values in curves.values()))
    for axes, (title, curves) in zip(all_axes, plots.items(), strict=True):
        # The first curve has the larger marks, so the second does not cover it.
        for (name, values), look, size in zip(curves.items(), LOOKS, (9, 4), strict=False):
            axes.plot(range(1, len(values) + 1), values, look, label=name, ms=size)
        axes.yaxis.set_major_locator(plt.MaxNLocator(4, integer=True))
        top = tops[re.split("[ _,]", title)[0]]
        axes.set(xlabel=across, title=title.replace("_", " "), ylim=(-0.05 * top, 1.05 * top))
    handles, labels = all_axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    plt.show()


def plot_bowl(
    steep: float, flat: float, paths: Mapping[str, Sequence[tuple[float, float]]]
) -> None:
    """Plot paths on a quadratic bowl from above, a panel for each; the minimum is at 0.

    The Hessian has the eigenvalues `steep` and `flat`. The two numbers of a point are its
    distances from the minimum along the steep direction, drawn upward, and along the flat one.
    """
    places = np.concatenate([*paths.values(), [(0, 0)]])
    margins = 0.15 * np.ptp(places, axis=0)
    low, high = places.min(axis=0) - margins, places.max(axis=0) + margins
    ups, acrosses = np.meshgrid(*(np.linspace(*ends) for ends in zip(low, high, strict=True)))
    heights = (steep * ups**2 + flat * acrosses**2) / 2
    shape = {"figsize": (8, 2.9), "layout": "constrained", "sharey": True}
    _, all_axes = plt.subplots(1, len(paths), **shape)
    for axes, (name, path), look in zip(all_axes, paths.items(), LOOKS, strict=True):
        axes.contour(acrosses, ups, heights, levels=9, colors="gray", linewidths=0.6)
        axes.plot(*zip(*(place[::-1] for place in path), strict=True), look, ms=4, color="C0")
        axes.plot(0, 0, "+", ms=10, color="C1", label="minimum")
        axes.set(title=name, xlabel="along the second λ")
    all_axes[0].set_ylabel("along the largest λ")
    all_axes[0].legend(loc="lower left")
    plt.show()


def plot_bars(across: str, values: Mapping[str, float], odd: str = "") -> None:
    """Plot a bar for each value, with the bar of `odd` in another colour."""
    plt.figure(figsize=(6.5, 1.6))
    names = [*values][::-1]
    colours = ["C1" if name == odd else "C0" for name in names]
    bars = plt.barh(names, [values[name] for name in names], color=colours)
    plt.bar_label(bars, fmt="%.2f", padding=3)
    plt.margins(x=0.15)
    plt.xlabel(across)
    plt.show()


def panels(*marks: str, even: bool = False, **arrays: Any) -> None:
    """Draw matrices as panels of numbers, with the signs in `marks` between them.

    The larger a number, the darker its color, unless all of them are to look `even`. If some
    numbers are negative, the colors are centered at 0.
    """
    rows, columns = zip(*(np.shape(array) for array in arrays.values()), strict=True)
    low, high = min(map(np.min, arrays.values())), max(map(np.max, arrays.values()))
    if low < 0:
        far = 2.5 * max(high, -low)
        colors = {"cmap": "BrBG", "vmin": -far, "vmax": far}
    else:
        colors = {"cmap": "Blues", "vmin": low - high / 3, "vmax": 3 * high}
    size = (0.55 * sum(columns) + 1.3 * len(rows), 0.55 * max(rows) + 0.4)
    figure, axes = plt.subplots(1, len(rows), figsize=size, width_ratios=columns, squeeze=False)
    figure.subplots_adjust(wspace=0.6)
    for axis, (title, array) in zip(axes[0], arrays.items(), strict=True):
        axis.imshow(np.full(np.shape(array), low) if even else array, **colors)
        axis.set_ylim(max(rows) - 0.5, -0.5)
        for (row, column), number in np.ndenumerate(array):
            axis.text(column, row, f"{number:g}", ha="center", va="center")
        axis.set_title(title.replace("_", " "), fontsize=9)
        axis.set_axis_off()
    for mark, left, right in zip(marks, axes[0], axes[0][1:], strict=False):
        x = (left.get_position().x1 + right.get_position().x0) / 2
        figure.text(x, 0.45, mark, ha="center", va="center", fontsize=14)
    plt.show()


def plot_batch(labels: Any, **gradients: Any) -> None:
    """Draw gradients of logits as images with one scale: a row per sample, a column per class.

    The samples are sorted by `labels`, which are written beside the rows.
    """
    shape = {"figsize": (7.4, 3.6), "layout": "constrained", "sharey": True}
    figure, all_axes = plt.subplots(1, len(gradients), **shape)
    classes = np.unique(labels)
    middles = [np.flatnonzero(labels == each).mean() for each in classes]
    for axes, (title, table) in zip(all_axes, gradients.items(), strict=True):
        colors = {"cmap": "BrBG", "vmin": -1, "vmax": 1, "interpolation": "nearest"}
        image = axes.imshow(table, aspect="auto", **colors)
        axes.set(title=title.replace("_", " "), xlabel="class", xticks=classes)
    all_axes[0].set_ylabel("digits, by label")
    all_axes[0].set_yticks(middles, classes)
    figure.colorbar(image, ax=all_axes, label="p − y")
    plt.show()


def plot_stations(called: Mapping[str, Sequence[str]], stations: Sequence[str]) -> None:
    """Show which stations each program called: a row per program, a column per station."""
    _, panel = plt.subplots(figsize=(7.4, 0.42 * len(called) + 0.5), layout="constrained")
    table = [[station in seen for station in stations] for seen in called.values()]
    panel.imshow(table, cmap="Blues", vmin=0, vmax=1.6, aspect="auto")
    for (row, column), seen in np.ndenumerate(table):
        panel.text(column, row, "✓" if seen else "–", ha="center", va="center")
    panel.xaxis.tick_top()
    panel.set(xticks=range(len(stations)), xticklabels=stations)
    panel.set(yticks=range(len(called)), yticklabels=[*called])
    panel.tick_params(length=0)
    plt.show()


def plot_products(
    matrix: Any, v: Any, v_matrix: Any, u: Any = None, matrix_u: Any = None
) -> None:
    """Draw vᵀJ, a sum of rows of J, and beside it, with a `u`, Ju, a sum of columns.

    The first terms are marked.
    """
    numbers = np.array(matrix.tolist())
    down, along = numbers.shape
    size = (7.2 if u is not None else 3.6, 2.2)
    shape: dict[str, Any] = {"figsize": size, "layout": "constrained", "squeeze": False}
    figure, ((left, *others),) = plt.subplots(1, 1 if u is None else 2, **shape)
    boxes(left, numbers, marked=(1, along))
    boxes(left, [[number] for number in v.tolist()], across=-1.5, marked=(1, 1))
    boxes(left, [v_matrix.tolist()], below=down + 0.5)
    rows = {"v": (-1.5, -0.85), "J": (along / 2 - 0.5, -0.85), "vᵀJ": (-1.3, down + 0.5)}
    left.set_title("vᵀJ adds rows, each times its number in v", fontsize=9)
    named = [(left, rows)]
    text = f"J: {numbers.tolist()}. v: {v.tolist()}, vᵀJ: {v_matrix.tolist()}, row 0 is marked."
    for right in others:
        boxes(right, numbers, marked=(down, 1))
        boxes(right, [u.tolist()], below=-1.5, marked=(1, 1))
        boxes(right, [[number] for number in matrix_u.tolist()], across=along + 0.5)
        columns = {"u": (-1.0, -1.5), "J": (-1.0, down / 2 - 0.5), "Ju": (along + 0.5, -0.85)}
        right.set_title("Ju adds columns, each times its number in u", fontsize=9)
        named.append((right, columns))
        text += f" u: {u.tolist()}, Ju: {matrix_u.tolist()}, column 0 is marked."
    for axes, names in named:
        for name, place in names.items():
            axes.text(*place, name, ha="center", va="center", style="italic")
        axes.set(xlim=(-2.2, along + 1.2), ylim=(down + 1.1, -2.1), aspect="equal")
        axes.set_axis_off()
    figure.set_label(text)
    plt.show()


def boxes(
    axes: Any,
    table: Any,
    below: float = 0,
    across: float = 0,
    marked: tuple[int, int] = (0, 0),
) -> None:
    """Write numbers in boxes; the first `marked` rows and columns have another colour."""
    for (row, column), number in np.ndenumerate(table):
        colour = "#FBE9C6" if row < marked[0] and column < marked[1] else "#E8F1F8"
        corner = (across + column - 0.5, below + row - 0.5)
        axes.add_patch(plt.Rectangle(corner, 1, 1, fc=colour, ec="white", lw=2))
        axes.text(across + column, below + row, f"{number:g}", ha="center", va="center")


def plot_pairs(up: str, names: Sequence[str], **bars: Sequence[float]) -> None:
    """Plot two bars side by side for each name."""
    plt.figure(figsize=(6, 2.4))
    for shift, colour, (label, heights) in zip(
        (-0.2, 0.2), (GRADIENT, BLUE), bars.items(), strict=True
    ):
        places = [n + shift for n in range(len(names))]
        drawn = plt.bar(places, heights, 0.4, color=colour, label=label.replace("_", " "))
        plt.bar_label(drawn)
    plt.margins(y=0.12)
    plt.xticks(range(len(names)), names)
    plt.ylabel(up)
    plt.legend()
    plt.show()
