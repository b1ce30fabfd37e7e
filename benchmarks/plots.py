"""From results.json to two pictures: ratios with their targets, and how cost grows."""

from __future__ import annotations

from typing import Any

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt
from matplotlib.lines import Line2D

from .libraries import PEERS
from .report import HERE, ratio
from .table import GROWTH, ROWS

COLORS = {"minigrad": "#1f6feb", "torch": "#d1470c", "numpy": "#57606a"}
LABELS = {"minigrad": "minigrad", "torch": "PyTorch", "numpy": "NumPy by hand"}
MARKS = dict(zip(PEERS, "o^sD", strict=True))


def write(results: dict[str, Any]) -> None:
    """Draw both, as SVG that is the same for the same results."""
    plt.rcParams.update({"svg.hashsalt": "minigrad", "font.size": 9})
    for name, figure in (("ratios", ratios(results)), ("growth", growth(results))):
        figure.savefig(HERE / f"{name}.svg", metadata={"Date": None}, bbox_inches="tight")
        plt.close(figure)


def ratios(results: dict[str, Any]) -> Any:
    """A bar a row: minigrad's time over PyTorch's, and over that of NumPy by hand."""
    figure, panels = plt.subplots(
        1, 2, figsize=(10, 5.5), sharey=True, layout="constrained", width_ratios=(3, 2)
    )
    places = list(range(len(ROWS)))
    panels[0].set_xscale("log")
    panels[0].set_xlim(0.05, 20)
    for panel, to, field in zip(panels, ("torch", "numpy"), ("torch", "limit"), strict=True):
        for place, row in zip(places, ROWS, strict=True):
            times, target = results["rows"][row.name], getattr(row, field)
            value = ratio(times, "minigrad", to)
            if value is not None:
                panel.barh(place, value, color=COLORS["minigrad"], height=0.6)
                base = (panel.get_xlim()[0], place)
                panel.annotate(f" {value:.2f}", base, va="center", fontsize=7, color="white")
            if value is not None and target is not None:
                panel.plot([target] * 2, [place - 0.45, place + 0.45], color="black", linewidth=2)
            for name, mark in MARKS.items() if to == "torch" else ():
                if (peer := ratio(times, name, to)) is not None:
                    panel.plot(peer, place, mark, color=COLORS["numpy"], markersize=4)
        panel.axvline(1, color=COLORS[to], linewidth=1)
        above = {"transform": panel.get_xaxis_transform(), "ha": "center", "fontsize": 8}
        panel.text(1, 1.01, f"← faster   {LABELS[to]}   slower →", color=COLORS[to], **above)
        panel.set_xlabel(f"time / time of {LABELS[to]}")
    panels[0].set_yticks(places, [row.title for row in ROWS])
    panels[0].invert_yaxis()
    keys = [Line2D([], [], color="black", linewidth=2, label="target for minigrad")]
    keys += [
        Line2D([], [], color=COLORS["numpy"], marker=mark, linestyle="", label=name)
        for name, mark in MARKS.items()
    ]
    figure.legend(handles=keys, fontsize=8, loc="outside upper center", ncols=len(keys))
    return figure


def growth(results: dict[str, Any]) -> Any:
    """Time an operation over the depth, width and size of the work."""
    figure, panels = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
    axes = {
        "depth": "operations in a chain",
        "width": "uses of one tensor",
        "size": "elements of each of 20 operations",
    }
    for panel, (kind, rows) in zip(panels, GROWTH.items(), strict=True):
        for name, color in COLORS.items():
            measured = [row for row in rows if name in results["rows"][row.name]]
            numbers = [row.size[2 if kind == "size" else 1] for row in measured]
            seconds = [results["rows"][row.name][name]["min"] for row in measured]
            each = [1e6 * s / row.operations for s, row in zip(seconds, measured, strict=True)]
            if measured:
                panel.plot(numbers, each, "o-", color=color, markersize=3, label=LABELS[name])
        panel.set_xscale("log")
        panel.set_xlabel(axes[kind])
        if kind == "size":
            panel.set_yscale("log")
        else:
            panel.set_ylim(bottom=0)
    panels[0].set_ylabel("µs an operation, forward and backward\n(less is better)")
    panels[2].legend(fontsize=8)
    return figure
