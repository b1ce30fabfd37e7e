"""The pictures of chapter 01, the two moons, and a count of calls.

All of them show the notebook's own slopes, functions and networks.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from minigrad.viz.palette import BLUE, GREY, ORANGE

Point = tuple[tuple[float, float], float]  # coordinates, and the class: 1 or -1


def show_triangles(
    first: Callable[[float], float], then: Callable[[float], float], x: float, move: float
) -> None:
    """Draw a move of x, of y = first(x) and of z = then(y); the rise of y is the run of the second.

    Both panels are zoomed in so far that the curves look straight, each on its own scale.
    """
    _, panels = plt.subplots(1, 2, figsize=(8.4, 3.0), layout="constrained")
    steps = ((first, x, move, "x", "y", BLUE), (then, first(x), 0.0, "y", "z", ORANGE))
    for axes, (function, start, across, here, there, colour) in zip(panels, steps, strict=True):
        across = across or first(x + move) - first(x)
        rise = function(start + across) - function(start)
        line = [start + across * part / 20 for part in range(-5, 28)]
        axes.plot(line, [function(each) for each in line], color=colour)
        sides = [start, start + across, start + across], [function(start)] * 2
        axes.plot(sides[0], [*sides[1], function(start) + rise], color=GREY, linewidth=2)
        place = {"ha": "center", "va": "top", "color": GREY}
        low = function(start) - 0.06 * rise
        axes.text(start + across / 2, low, f"{here} moves {across:.3g}", **place)
        text = f" {there} moves {rise:.3g}"
        axes.text(start + across, function(start) + rise / 2, text, color=GREY)
        axes.set_title(f"{across:.3g} × {rise / across:.3g} = {rise:.3g}", color=colour)
        axes.set(xlim=(line[0], start + 2 * across), ylim=(low - 0.25 * rise, None))
        axes.set(xlabel=here, ylabel=there, xticks=[], yticks=[])
    plt.show()


def show_pushes(pushes: Mapping[str, float]) -> None:
    """Draw how far z moves along each path and along both; the third bar is the other two's sum."""
    rises = list(pushes.values())
    _, axes = plt.subplots(figsize=(6.4, 2.2), layout="constrained")
    bars = axes.barh(list(pushes), rises, left=[0, rises[0], 0], color=[BLUE, ORANGE, GREY])
    axes.bar_label(
        bars, [f"{rise:.4f}" for rise in rises], label_type="center", color="white", fontsize=11
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


# --- counting -------------------------------------------------------------------------------------


def count_calls(result: Any) -> int:
    """Run `result.backward()`, and count the calls of the notebook's `backward`."""
    kind = type(result)
    plain = kind.backward
    calls = 0

    def counted(self: Any, *args: Any) -> None:
        nonlocal calls
        calls += 1
        plain(self, *args)

    kind.backward = counted
    try:
        result.backward()
    finally:
        kind.backward = plain
    return calls
