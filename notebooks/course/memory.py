"""Pictures of memory: who holds which, what a record by hand has, stairs, and places of views."""

from __future__ import annotations

import sys
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from minigrad.viz import Drawing, values
from minigrad.viz.picture import Arrow, Box, Picture, Row


def draw_memory(**holders: Any) -> None:
    """A row of cells for each piece of memory, and who holds it: arrays, and tensors on arrays."""
    pieces: list[tuple[list[str], Any]] = []
    for label, holder in holders.items():
        values = getattr(holder, "_data", holder)
        for labels, known in pieces:
            if np.shares_memory(known, values):
                labels.append(label)
                break
        else:
            pieces.append(([label], values))
    axes = plt.figure(figsize=(4.5, 0.4 * len(pieces))).gca()
    for y, (labels, values) in enumerate(pieces):
        axes.text(-0.2, y, ", ".join(labels), ha="right", va="center")
        for x, value in enumerate(values):
            axes.add_patch(plt.Rectangle((x, y - 0.4), 1, 0.8, fill=False))
            axes.text(x + 0.5, y, f"{value:g}", ha="center", va="center")
    axes.set(xlim=(-2, 3.1), ylim=(len(pieces) - 0.5, -0.5))
    axes.axis("off")
    plt.show()


def draw_places(views: dict[str, Any]) -> None:
    """The places of one memory, and in each the number of the element that a tensor has there."""
    first = min(view.data_ptr() for view in views.values())
    axes = plt.figure(figsize=(6.5, 0.5 * len(views) + 0.3)).gca()
    for y, (label, view) in enumerate(views.items()):
        axes.text(-0.3, y, label, ha="right", va="center", family="monospace")
        start = (view.data_ptr() - first) // view.itemsize
        for number, index in enumerate(np.ndindex(*view.shape)):
            x = start + int(np.dot(index, view.stride()))
            axes.add_patch(plt.Rectangle((x, y - 0.4), 1, 0.8, fill=False))
            axes.text(x + 0.5, y, f"{number}", ha="center", va="center")
    axes.set(xlim=(-3.2, 12.1), ylim=(len(views) - 0.5, -0.6))
    axes.axis("off")
    plt.show()


def show_stairs() -> None:
    """The square from 3 upwards, of floats and of integers."""
    xs = np.linspace(3, 6, 601)
    _, axes = plt.subplots(figsize=(5.5, 2.8), layout="constrained")
    axes.plot(xs, xs**2, label="float64")
    axes.plot(xs, xs.astype(np.int64) ** 2, label="int64")
    axes.set(xlabel="x", ylabel="x²")
    axes.legend()
    plt.show()


def draw_record(result: Any) -> Drawing:
    """The records behind a result, with pairs of a tensor and a slope in `made_from`; way back."""
    page = sys._getframe(1)
    known = {**page.f_globals, **page.f_locals}
    names = {id(each): name for name, each in known.items() if name[:1] != "_"}
    boxes: dict[str, Box] = {}
    arrows = []
    left = [result]
    for each in left:  # it grows on the way
        value = values.short(each._data)
        title = f"{names[id(each)]} = {value}" if id(each) in names else value
        rows = [Row("title", title)]
        kind: Any = "leaf" if each.requires_grad else "constant"
        if each.grad_fn is not None:
            kind = "tensor"
            rows.append(Row("node", type(each.grad_fn).__name__))
            for slot, (tensor, slope) in enumerate(each.grad_fn.made_from):
                label = f"× {values.short(slope)}"
                arrows.append(Arrow(str(id(tensor)), str(id(each)), "gradient", label, slot))
                if not any(tensor is other for other in left):
                    left.append(tensor)
        elif each.requires_grad and each.grad is not None:
            rows.append(Row("gradient", f"grad = {values.short(each.grad._data)}"))
        ref = names.get(id(each), f"({len(boxes)})")
        boxes[str(id(each))] = Box(str(id(each)), kind, ref, tuple(rows))
    return Drawing(Picture(tuple(boxes.values()), tuple(arrows)))
