"""Pictures of memory: who holds what, records from the result back, and where views are."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

import matplotlib.pyplot as plt
import numpy as np

from minigrad.viz import Drawing, values
from minigrad.viz.palette import GREY
from minigrad.viz.picture import Arrow, Box, BoxKind, Picture, Row
from minigrad_course.pictures.steppers import (
    names_of,
    page_of,
    reached,
)


def draw_memory(**holders: Any) -> None:
    """Draw the elements of each piece of memory, and which arrays and tensors hold it."""
    pieces: list[tuple[list[str], Any]] = []
    for label, holder in holders.items():
        numbers = getattr(holder, "_data", holder)
        for labels, known in pieces:
            if np.shares_memory(known, numbers):
                labels.append(label)
                break
        else:
            pieces.append(([label], numbers))
    figure = plt.figure(figsize=(5.5, 0.42 * len(holders)), layout="constrained")
    axes = figure.gca()
    top = 0
    twin = []
    for labels, numbers in pieces:
        middle = top + (len(labels) - 1) / 2
        for place, value in enumerate(numbers):
            axes.add_patch(plt.Rectangle((place, middle - 0.4), 1, 0.8, **HELD))
            axes.text(place + 0.5, middle, f"{value:g}", ha="center", va="center")
        for y, label in enumerate(labels, top):
            axes.text(-1.1, y, label, ha="right", va="center")
            arrow = {"arrowstyle": "->", "color": GREY, "shrinkA": 0}
            axes.annotate("", (-0.05, middle), (-1.0, y), arrowprops=arrow)
            axes.plot(-1.0, y, "o", color=GREY, markersize=4)  # an arrow that means *holds*
            twin.append(f"{label} holds {values.short(numbers)}")
        top += len(labels)
    axes.set(xlim=(-4.2, 3.1), ylim=(top - 0.5, -0.5))
    axes.axis("off")
    figure.set_label("\n".join(twin))
    plt.show()


def draw_places(views: dict[str, Any]) -> None:
    """Draw the slots of one memory and, per tensor, the number of its element in each slot."""
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


class MemoryBar:
    """An array of a forward pass: its name on the page and its size. Does not hold the array."""

    def __init__(self, name: str, array: Any, is_weight: bool = False) -> None:
        self.name, self.size, self.is_weight = name, array.nbytes / 1e6, is_weight
        self.array = weakref.ref(array)

    @property
    def state(self) -> str:
        if self.is_weight:
            return "a weight"
        return "held" if self.array() is not None else "freed"

    @property
    def text(self) -> str:
        text = f"{self.size:.1f} MB" if self.size >= 0.05 else "under 0.1 MB"
        return text if self.state == "held" else f"{text}, {self.state}"


def draw_megabytes(run: Callable[[], Any], operation: type) -> None:
    """Draw each array that `run` reads or computes as a bar, and the nodes that have saved it.

    The bars are as wide as the arrays are large. An array that has been freed by the time `run`
    returns is dashed. A weight is only outlined, and only if a node has saved it, because weights
    exist anyway.
    """
    bars: list[MemoryBar] = []
    nodes: list[tuple[int, Any]] = []  # the number of a result's bar, and the result's node
    call = operation.__call__

    def watched(self: Any, *args: Any) -> Any:
        frame = sys._getframe(1)
        known = {
            id(each): name for name, each in [*frame.f_globals.items(), *frame.f_locals.items()]
        }
        words = []
        for each in args:
            at = bar_of(each._data, bars)
            words.append(known.get(id(each), "an input") if at is None else bars[at].name)
            if at is None and not each.requires_grad:
                bars.append(MemoryBar(words[-1], each._data))
        out = call(self, *args)
        saved = [] if out.grad_fn is None else out.grad_fn._saved.values()
        for each, name in zip(args, words, strict=True):
            if any(kept.tensor is each for kept in saved) and bar_of(each._data, bars) is None:
                bars.append(MemoryBar(name, each._data, is_weight=True))
        text = " @ ".join(words) if self.name == "mm" else f"{self.name}({', '.join(words)})"
        bars.append(MemoryBar(text, out._data))
        if out.grad_fn is not None:
            nodes.append((len(bars) - 1, out.grad_fn))
        return out

    operation.__call__ = watched  # type: ignore[method-assign]
    try:
        result = run()  # keeps the graph alive while we look at it
    finally:
        operation.__call__ = call  # type: ignore[method-assign]
    figure = plt.figure(figsize=(9, 0.7 * len(bars)), layout="constrained")
    twin = [*draw_bars(bars), *draw_savers(nodes, bars)]
    del result
    figure.gca().set(xlim=(-1.2, 3.5), ylim=(len(bars) - 0.5, -0.6))
    figure.gca().axis("off")
    figure.set_label("\n".join(twin))
    plt.show()


def bar_of(array: Any, bars: list[MemoryBar]) -> int | None:
    """The number of the bar of `array`."""
    return next((number for number, bar in enumerate(bars) if bar.array() is array), None)


def draw_bars(bars: list[MemoryBar]) -> list[str]:
    """Draw one bar below the other; returns the same in words."""
    axes = plt.gca()
    for y, bar in enumerate(bars):
        look = {"held": HELD, "freed": GONE, "a weight": OUTLINED}[bar.state]
        axes.add_patch(plt.Rectangle((0, y - 0.26), max(bar.size, 0.02), 0.52, **look))
        axes.text(-0.06, y, bar.name, ha="right", va="center", family="monospace", fontsize=9)
        x, side = (bar.size / 2, "center") if bar.size > 0.3 else (bar.size + 0.06, "left")
        axes.text(x, y, bar.text, ha=side, va="center")
    return [f"{bar.name}: {bar.text}" for bar in bars]


def draw_savers(nodes: list[tuple[int, Any]], bars: list[MemoryBar]) -> list[str]:
    """Draw each node above its result's bar, and arrows to what it has saved; also in words."""
    axes = plt.gca()
    twin = []
    for y, node in nodes:
        name = type(node).__name__
        box = {"boxstyle": "round", "facecolor": "#FBEBC8", "edgecolor": "#8A6D1B"}
        axes.text(2.7, y - 0.5, name, va="center", bbox=box)
        for need, saved in node._saved.items():
            at = bar_of(saved.tensor._data, bars)
            if at is not None:
                twin.append(f"{name} holds {bars[at].name} as saved {need}")
                tip = bars[at].size + (0.04 if bars[at].size > 0.3 else 1.0)
                way = {"arrowstyle": "->", "color": "#0072B2"}
                axes.annotate("", (tip, at), (2.64, y - 0.5), arrowprops=way)
                # The label is above its arrow, which rises or falls on its way to the bar.
                x, side = (1.85, "left") if at < y - 0.5 else (2.2, "right")
                height = y - 0.5 + (at - y + 0.5) * (2.64 - x) / (2.64 - tip) - 0.03
                axes.text(x, height, f"saved {need}", ha=side, va="bottom", fontsize=9)
    return twin


OUTLINED = {"facecolor": "none", "edgecolor": "#0072B2"}
HELD = {"facecolor": "#CFE3F1", "edgecolor": "#0072B2"}
GONE = {"facecolor": "none", "edgecolor": "#6B6B6B", "linestyle": "--"}
SIGNS = {"MulBackward0": "×", "AddBackward0": "+", "SumBackward0": "sum"}


def draw_records(*results: Any, gradients: bool = False) -> Drawing:
    """Draw the records behind tensors: nodes with pairs of a tensor and a slope in `made_from`.

    Square boxes are tensors and round ones are operations, as in `draw`. The arrows show where
    values come from and, with `gradients`, the way back.
    """
    names = names_of(page_of(sys._getframe(1)))
    boxes: dict[str, Box] = {}
    arrows = []
    incoming: dict[int, Any] = {}
    for each in results:
        add_up(each, np.ones(each._data.shape), incoming)
    for each in reached(results, inputs_of):
        key, node = str(id(each)), each._node
        starts = gradients and any(each is result for result in results)
        if node is None or id(each) in names:
            name = names.get(id(each), f"({len(boxes)})")
            boxes[key] = tensor_box(each, key, name, starts)
        if node is None:
            continue
        computed = str(id(node))
        title = type(node).__name__
        rows = (Row("title", SIGNS.get(title, title.partition("Backward")[0])), Row("node", title))
        number = sum(box.kind == "operation" for box in boxes.values()) + 1
        boxes[computed] = Box(computed, "operation", f"#{number}", rows)
        if starts and id(each) in names:
            label = values.short(incoming[id(each)])
            arrows.append(Arrow(computed, key, "gradient", label))
        elif id(each) in names:
            arrows.append(Arrow(computed, key))
        for tensor, slope in node.made_from:
            source = str(id(tensor if tensor._node is None else tensor._node))
            if not tensor.requires_grad:
                arrows.append(Arrow(source, computed, "constant"))
                continue
            if not gradients:
                arrows.append(Arrow(source, computed))
                continue
            factors = values.short(incoming[id(each)]), values.short(np.asarray(slope))
            product = values.short(incoming[id(each)] * slope)
            label = f"{factors[0]} × {factors[1]} = {product}"
            arrows.append(Arrow(source, computed, "gradient", label))
    return Drawing(Picture(tuple(boxes.values()), tuple(arrows)))


def add_up(tensor: Any, grad: Any, gradients: dict[int, Any]) -> None:
    """Follow all paths back from `tensor`, and add up each tensor's gradient in `gradients`."""
    gradients[id(tensor)] = gradients.get(id(tensor), 0) + grad
    if tensor._node is not None:
        for each, slope in tensor._node.made_from:
            add_up(each, grad * slope, gradients)


def behind(result: Any) -> list[Any]:
    """All tensors that `result` was computed from, by way of `made_from`, and itself; each once."""
    return reached([result], inputs_of)


def inputs_of(tensor: Any) -> list[Any]:
    """The tensors that a tensor was computed from directly."""
    return [] if tensor._node is None else [each for each, _ in tensor._node.made_from]


def tensor_box(tensor: Any, key: str, name: str, starts: bool) -> Box:
    """The box of a tensor: its value, and its gradient or why it has none."""
    rows = [Row("title", f"{name} = {values.short(tensor._data)}")]
    if tensor._node is not None:
        if starts:
            rows.append(Row("gradient", f"starts with {values.short(np.ones(tensor._data.shape))}"))
        return Box(key, "tensor", name, tuple(rows))
    if not tensor.requires_grad:
        rows.append(Row("flags", "a leaf without the flag"))
        return Box(key, "constant", name, tuple(rows))
    grad = None if tensor.grad is None else values.short(tensor.grad._data)
    return Box(key, "leaf", name, (*rows, Row("gradient", f"grad = {grad}")))


def draw_fields(*tensors: Any) -> Drawing:
    """Draw tensors and their records as objects: each field, and what it refers to."""
    names = names_of(page_of(sys._getframe(1)))
    boxes: dict[str, Box] = {}
    arrows = []
    to_visit = list(tensors)
    for each in to_visit:  # the loop appends to it
        key, node, name = str(id(each)), each._node, names.get(id(each), f"({len(to_visit)})")
        grad = "None" if each.grad is None else values.short(each.grad._data)
        rows = [
            Row("title", name),
            Row("value", f"_data = {values.short(each._data)}"),
            Row("flags", f"requires_grad = {each.requires_grad}"),
            Row("gradient", f"grad = {grad}"),
            Row("node", f"_node = {node and type(node).__name__}"),
        ]
        leaf: BoxKind = "leaf" if each.requires_grad else "constant"
        boxes[key] = Box(key, leaf if node is None else "tensor", name, tuple(rows))
        if node is None:
            continue
        computed, pairs = str(id(node)), []
        arrows.append(Arrow(key, computed, "holds"))
        for number, (tensor, slope) in enumerate(node.made_from):
            if not any(tensor is other for other in to_visit):
                to_visit.append(tensor)
            to = names.get(id(tensor), f"({len(to_visit)})")
            pairs.append(Row("saved", f"pair {number}: {to}, {values.short(np.asarray(slope))}"))
            arrows.append(Arrow(computed, str(id(tensor)), "holds"))
        title = type(node).__name__
        boxes[computed] = Box(computed, "operation", title, (Row("title", title), *pairs))
    return Drawing(Picture(tuple(boxes.values()), tuple(arrows)))
