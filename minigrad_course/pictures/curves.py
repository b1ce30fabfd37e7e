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


def legend_above() -> None:
    """Put all labels in one row above the axes."""
    _, labels = plt.gca().get_legend_handles_labels()
    plt.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(labels), fontsize=8)


def plot_curves(
    across: str,
    up: str,
    *,
    level: float | None = None,
    log: bool = False,
    **curves: Sequence[float],
) -> None:
    """Plot curves from step 0 on, and a line at `level`."""
    plt.figure(figsize=(6.5, 2.8))
    for (name, values), look in zip(curves.items(), cycle(LOOKS), strict=False):
        plt.plot(values, look, ms=4, label=name)
    if level is not None:
        plt.axhline(level, color="black", lw=0.8)
    if log:
        plt.yscale("log")
    plt.xlabel(across)
    plt.ylabel(up)
    legend_above()
    plt.show()


def plot_functions(across: Any, named: str = "x", /, **curves: Any) -> None:
    """Plot functions of the same x; the first line is broad, so one on top of it is visible."""
    plt.figure(figsize=(6.5, 2.8))
    for number, (name, values) in enumerate(curves.items()):
        look = {"lw": 1.5} if number else {"lw": 6, "alpha": 0.35, "solid_capstyle": "butt"}
        plt.plot(across, values, label=name, **look)
    plt.axhline(0.0, color="black", lw=0.8)
    plt.xlabel(named)
    legend_above()
    plt.show()


def plot_fit(across: Any, measured: Any, curves: Mapping[str, Any]) -> None:
    """Plot measured values as dots over time, and the curves that should fit them."""
    plt.figure(figsize=(6.5, 2.8))
    plt.plot(across, measured, ".", ms=3, color="gray", label="measured")
    for name, values in curves.items():
        plt.plot(across, values, label=name)
    plt.xlabel("time")
    legend_above()
    plt.show()


def plot_by_layer(up: str, **sizes: Mapping[int, float]) -> None:
    """Plot a number for each layer, on a logarithmic scale."""
    plt.figure(figsize=(6.5, 2.6))
    for (name, noted), look in zip(sizes.items(), cycle(LOOKS), strict=False):
        plt.semilogy([*noted], [*noted.values()], look, ms=4, label=name)
    plt.xlabel("layer")
    plt.ylabel(up)
    plt.legend()
    plt.show()


def plot_step(operations: Sequence[str], **steps: Sequence[int]) -> None:
    """Plot the peak of memory during each operation of a step and each node of its backward.

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


def plot_bowl(hessian: Any, paths: Mapping[str, Sequence[Sequence[float]]]) -> None:
    """Plot paths in the bowl w @ hessian @ w / 2 of two weights, seen from above.

    There is a panel for each path. Lines mark the directions of the eigenvectors, and the numbers
    at the dots count the steps.
    """
    matrix = np.array(hessian.tolist())
    curvatures, directions = np.linalg.eigh(matrix)
    far = 1.15 * max(abs(number) for path in paths.values() for place in path for number in place)
    ticks = np.linspace(-far, far, 400)
    across, up = np.meshgrid(ticks, ticks)
    places = np.stack([across, up])
    heights = (places * np.tensordot(matrix, places, 1)).sum(0) / 2
    _, all_axes = plt.subplots(1, len(paths), figsize=(8, 4.0), layout="constrained", sharey=True)
    for axes, (name, path) in zip(all_axes, paths.items(), strict=True):
        rings = heights.max() * np.linspace(0.1, 1, 9) ** 2
        axes.contour(across, up, heights, levels=rings, colors="gray", linewidths=0.5)
        for curvature, (right, upward), look in zip(
            curvatures, directions.T, (":", "--"), strict=True
        ):
            ends = [(-2 * far * each, 2 * far * each) for each in (right, upward)]
            axes.plot(*ends, look, lw=1, color="gray", label=f"λ = {curvature:g}")
        axes.plot(*zip(*path, strict=True), "o-", ms=4, color=BLUE)
        for step, place in enumerate(path[:4]):
            shift = (-7, -12) if step % 2 else (5, 4)
            axes.annotate(str(step), place, shift, textcoords="offset points", fontsize=8)
        axes.plot(0, 0, "+", ms=12, mew=2, color=GRADIENT, label="minimum")
        axes.set(title=name, xlabel="first weight", xlim=(-far, far), ylim=(-far, far))
        axes.set_aspect("equal")
    all_axes[0].set_ylabel("second weight")
    handles, labels = all_axes[0].get_legend_handles_labels()
    all_axes[-1].legend(handles, labels, loc="center left", bbox_to_anchor=(1, 0.5))
    plt.show()


def plot_runs(
    up: str, runs: Mapping[float, Sequence[float]], limits: Mapping[float, Sequence[float]]
) -> None:
    """Plot a number for each step of some runs, by their rate, and maybe their limits beside it.

    A limit was measured at evenly spaced steps. The rate of its run is a level line.
    """
    count = 2 if limits else 1
    shape: dict[str, Any] = {"figsize": (8 if limits else 6.5, 2.8), "squeeze": False}
    _, (all_axes,) = plt.subplots(1, count, layout="constrained", **shape)
    colors, looks = (BLUE, GRADIENT), ("-", "--")
    for (rate, values), color, look in zip(runs.items(), colors, looks, strict=True):
        all_axes[0].semilogy(values, look, color=color, lw=1.4, label=f"rate {rate:.4g}")
    all_axes[0].set(xlabel="step", title=up)
    for axes in all_axes[1:]:
        for (rate, found), color, look in zip(limits.items(), colors, looks, strict=True):
            steps = np.arange(len(found)) * len(runs[rate]) / len(found)
            axes.plot(steps, found, look, color=color, lw=1.4, label=f"rate {rate:.4g}")
            axes.axhline(rate, color=color, lw=0.8, ls=":")
            place = {"transform": axes.get_yaxis_transform(), "va": "center", "fontsize": 8}
            axes.text(1.01, rate, f"{rate:.4g}", color=color, **place)
        axes.set(xlabel="step", title="the limit 2/λ, and the rates (dotted)")
    all_axes[-1].legend(fontsize=8)
    plt.show()


def plot_spectrum(eigenvalues: Any) -> None:
    """Plot a histogram of the eigenvalues of a matrix, and mark the largest one."""
    plt.figure(figsize=(6.5, 2.4))
    plt.hist(eigenvalues, bins=60, color=BLUE, log=True)
    largest = float(max(eigenvalues))
    place = {"textcoords": "offset points", "ha": "right", "color": GRADIENT}
    plt.annotate(f"the largest: {largest:.2f}", (largest, 1), (4, 8), **place)
    plt.title(f"the {len(eigenvalues)} eigenvalues")
    plt.xlabel("eigenvalue")
    plt.ylabel("how many")
    plt.show()


def plot_bars(across: str, values: Mapping[str, float], odd: str = "") -> None:
    """Plot a bar for each value, with the bar of `odd` in another color."""
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
    """Write numbers in boxes; the first `marked` rows and columns have another color."""
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
