"""The pictures of chapter 01, the two moons, and a count of calls.

All of them show the notebook's own slopes, functions and networks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from minigrad.viz.palette import BLUE, GREY, ORANGE, RED

Point = tuple[tuple[float, float], float]  # coordinates, and the class: 1 or -1


def show_triangles(
    first: Callable[[float], float], then: Callable[[float], float], x: float, move: float
) -> None:
    """Draw a move of x, of y = first(x) and of z = then(y); the rise of y is the run of the second.

    Both panels are zoomed in so far that the curves look straight, each axis on its own scale; a
    slope above 1 looks steep, and one below 1 flat.
    """
    figure, panels = plt.subplots(1, 2, figsize=(8.4, 3.6), layout="constrained")
    steps = ((first, x, move, "x", "y", BLUE), (then, first(x), 0.0, "y", "z", ORANGE))
    factors = []
    for axes, (function, start, across, here, there, colour) in zip(panels, steps, strict=True):
        across = across or first(x + move) - first(x)
        low = function(start)
        rise = function(start + across) - low
        factors.append(rise / across)
        wide, high = (8.0, 1.9) if rise > across else (2.9, 6.0)  # of the panel, in steps
        left, bottom = start - 0.3 * wide * across, low - 0.3 * high * rise
        line = [left + wide * across * part / 20 for part in range(21)]
        axes.plot(line, [function(each) for each in line], color=colour)
        corner = [start, start + across, start + across], [low, low, low + rise]
        axes.plot(*corner, color=GREY, linewidth=2)
        text = {"textcoords": "offset points", "color": GREY}
        beside = start + across, low + rise / 2
        axes.annotate(f"{here} moves {across:.3g}", (start, low), (2, -13), **text)
        axes.annotate(f"{there} moves {rise:.3g}", beside, (6, -4), **text)
        axes.set_title(f"{across:.3g} × {rise / across:.3g} = {rise:.3g}", color=colour)
        axes.set(xlim=(left, left + wide * across), ylim=(bottom, bottom + high * rise))
        axes.set_xticks([start, start + across], [f"{start:g}", f"{start + across:g}"])
        axes.set_yticks([low, low + rise], [f"{low:.7g}", f"{low + rise:.7g}"])
        axes.set(xlabel=here, ylabel=there)
    chain = r"$\frac{dz}{dx} = \frac{dy}{dx} \cdot \frac{dz}{dy}"
    numbers = rf" = {factors[0]:.3g} \cdot {factors[1]:.3g} = {factors[0] * factors[1]:.3g}$"
    figure.supxlabel(chain + numbers, fontsize=15)
    plt.show()


def show_pushes(pushes: Mapping[str, float]) -> None:
    """Draw how far z moves along each path, end to end, and below it along both."""
    rises = list(pushes.values())
    _, axes = plt.subplots(figsize=(6.4, 2.2), layout="constrained")
    bars = axes.barh(list(pushes), rises, left=[0, rises[0], 0], color=[BLUE, ORANGE, GREY])
    axes.bar_label(
        bars, [f"{rise:.5f}" for rise in rises], label_type="center", color="white", fontsize=11
    )
    axes.set_xlabel("how far z moves")
    axes.invert_yaxis()
    plt.show()


def show_paths(first: Sequence[float], then: Sequence[float]) -> None:
    """Draw edges from x to y and from y to z, the sum over all paths, and its factored form."""
    _, axes = plt.subplots(figsize=(7.2, 3.6), layout="constrained")
    for start, slopes, colour in ((0.0, first, BLUE), (1.0, then, ORANGE)):
        for number, slope in enumerate(slopes):
            bend = 0.5 * (number - (len(slopes) - 1) / 2)
            ends = {"xy": (start + 0.95, 0), "xytext": (start + 0.05, 0)}
            arc = {"arrowstyle": "->", "connectionstyle": f"arc3,rad={-bend}", "color": colour}
            axes.annotate("", **ends, arrowprops={**arc, "lw": 2})
            place = {"ha": "center", "va": "center", "backgroundcolor": "white", "color": colour}
            axes.text(start + 0.5, 0.6 * bend, f"{slope:g}", fontsize=12, **place)
    for name, x in (("x", 0), ("y", 1), ("z", 2)):
        circle = {"boxstyle": "circle", "facecolor": "white", "edgecolor": GREY}
        axes.text(x, 0, name, ha="center", va="center", fontsize=14, bbox=circle)
    products = [a * b for a in first for b in then]
    long = " + ".join(f"{a:g}·{b:g}" for a in first for b in then)
    short = " × ".join(f"({' + '.join(f'{s:g}' for s in slopes)})" for slopes in (first, then))
    lines = {
        f"{len(products)} paths, one by one:\n{long} = {sum(products):.4g}": -0.62,
        f"in factors:  {short} = {sum(first) * sum(then):.4g}": -0.95,
    }
    for text, y in lines.items():
        axes.text(1, y, text, ha="center", va="center", fontsize=11)
    axes.set(xlim=(-0.2, 2.2), ylim=(-1.1, 0.5))
    axes.axis("off")
    plt.show()


def show_calls(result: Any) -> None:
    """Draw the tensors behind `result`, and the calls of a backward that follows every path.

    Each tensor has to be made from the one above it alone, as in rounds of `y = y + y`.
    """
    rows = [[result]]
    while rows[-1][0].made_from:
        rows.append([each for tensor in rows[-1] for each, _ in tensor.made_from])
    _, (graph, tree) = plt.subplots(
        1, 2, figsize=(8.4, 0.62 * len(rows) + 0.6), layout="constrained", width_ratios=(1, 4)
    )
    circle = {"boxstyle": "circle", "facecolor": "white", "edgecolor": BLUE}
    for up, row in enumerate(rows):
        count = len({id(tensor) for tensor in row})
        assert count == 1, "the tensors are not in rounds"
        name = "x" if up == len(rows) - 1 else "y"
        graph.text(0, up, name, ha="center", va="center", bbox=circle)
        for bend in (0.3, -0.3) if up else ():
            arc = {"arrowstyle": "->", "connectionstyle": f"arc3,rad={bend}", "color": BLUE}
            graph.annotate("", (0, up - 0.75), (0, up - 0.25), arrowprops=arc)
        places = [(number + 0.5) / len(row) for number in range(len(row))]
        tree.plot(places, [up] * len(row), "o", color=ORANGE, markersize=7)
        for number, place in enumerate(places if up else ()):
            below = (number // 2 + 0.5) / len(rows[up - 1])
            tree.plot([below, place], [up - 1, up], color=ORANGE, linewidth=1)
        tree.text(1.02, up, f"{len(row)}", va="center", color=ORANGE)
    graph.set_title(f"{len(rows)} tensors", color=BLUE)
    tree.set_title(f"{sum(map(len, rows))} calls", color=ORANGE)
    graph.set(xlim=(-1, 1), ylim=(-0.5, len(rows) - 0.5))
    tree.set(xlim=(0, 1.08), ylim=(-0.5, len(rows) - 0.5))
    for axes in (graph, tree):
        axes.set_axis_off()
    plt.show()


# --- two moons ------------------------------------------------------------------------------------


def two_moons(count: int) -> list[Point]:
    """Points of two interlocking moons, `count` of each class; the classes are 1 and -1."""
    points: list[Point] = []
    for number in range(count):
        angle = math.pi * number / count
        points.append(((math.cos(angle), math.sin(angle) - 0.3), 1.0))
        points.append(((1 - math.cos(angle), 0.2 - math.sin(angle)), -1.0))
    return points


def noisy_moons(count: int, seed: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Points of two moons with noise, `count` of each class, and a column of their classes."""
    places, sides = zip(*two_moons(count), strict=True)
    noise = np.random.default_rng(seed).normal(scale=0.12, size=(2 * count, 2))
    return np.array(places) + noise, np.array(sides).reshape(-1, 1)


# A grid that covers the moons.
UPS, ACROSSES = np.linspace(-1.3, 1.2, 26), np.linspace(-1.5, 2.5, 41)


def landscape(answer: Callable[[tuple[float, float]], Any]) -> np.ndarray[Any, Any]:
    """A network's output on the grid, evaluated point by point."""
    return landscape_of_all(lambda places: np.array([answer((x, y)).value for x, y in places]))


def landscape_of_all(
    answer: Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]],
) -> np.ndarray[Any, Any]:
    """A network's output on the grid, for a network that takes all points at once, a row each."""
    places = np.array([(x, y) for y in UPS for x in ACROSSES])
    return answer(places).reshape(len(UPS), len(ACROSSES))


def show_moons(points: Sequence[Point], **landscapes: np.ndarray[Any, Any]) -> None:
    """Draw the points over the sign of each network's output, in panels side by side."""
    _, panels = plt.subplots(
        1, len(landscapes), figsize=(8.4, 2.9), layout="constrained", squeeze=False
    )
    for axes, (title, heights) in zip(panels[0], landscapes.items(), strict=True):
        area = {"extent": (-1.55, 2.55, -1.35, 1.25), "origin": "lower", "aspect": "auto"}
        axes.imshow(heights > 0, cmap="RdBu", vmin=-0.8, vmax=1.8, **area)
        for label, colour, marker in ((1.0, BLUE, "o"), (-1.0, ORANGE, "^")):
            xs, ys = zip(*(place for place, side in points if side == label), strict=True)
            axes.plot(xs, ys, marker, color=colour, label=f"wanted {label:g}")
        axes.set_title(title)
        axes.set_axis_off()
    panels[0][0].legend(loc="lower left", fontsize=8)
    plt.show()


def show_answers(
    points: np.ndarray[Any, Any],
    labels: np.ndarray[Any, Any],
    wrong: Sequence[int],
    **landscapes: np.ndarray[Any, Any],
) -> None:
    """Draw each network's answer in shades, its border as a line, and rings around wrong labels."""
    figure, panels = plt.subplots(
        1, len(landscapes), figsize=(8.4, 3.3), layout="constrained", squeeze=False
    )
    shades = np.linspace(-1.5, 1.5, 13)
    for axes, (title, heights) in zip(panels[0], landscapes.items(), strict=True):
        axes.contourf(ACROSSES, UPS, heights, shades, cmap="RdBu", extend="both", alpha=0.7)
        axes.contour(ACROSSES, UPS, heights, [0.0], colors=GREY, linewidths=2)
        for label, colour, marker in ((1.0, BLUE, "o"), (-1.0, ORANGE, "^")):
            places = points[labels[:, 0] == label]
            axes.plot(*places.T, marker, color=colour, mec="white", label=f"label {label:g}")
        ring = {"ms": 15, "mfc": "none", "mec": RED, "mew": 2}
        axes.plot(*points[wrong].T, "o", **ring, label="wrong label")
        axes.set_title(title)
        axes.set_axis_off()
    handles = panels[0][0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=3, fontsize=9)
    plt.show()


# --- counting -------------------------------------------------------------------------------------


def count_calls(result: Any) -> int:
    """Run `result.backward()` along every path, and count the calls.

    The notebook replaces `backward` later, but keeps the one that follows paths as `every_path`.
    """
    kind = type(result)
    plain = kind.backward
    every_path = getattr(kind, "every_path", plain)
    calls = 0

    def counted(self: Any, *args: Any) -> None:
        nonlocal calls
        calls += 1
        every_path(self, *args)

    kind.backward = counted
    try:
        result.backward()
    finally:
        kind.backward = plain
    return calls
