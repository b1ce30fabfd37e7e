"""Pictures of chapter 11: memory before and after a write, what views cover, three questions."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.patches import Rectangle

from minigrad_course.ask.cards import OPEN, RIGHT, WRONG, Card, inline, show
from minigrad_course.pictures.steppers import page_of
from minigrad_course.pictures.tables import aligned

RED = "#{:02x}{:02x}{:02x}".format(*WRONG)


@contextmanager
def before_and_after(**holders: Any) -> Iterator[None]:
    """Draw each piece of memory before and after the block, with the changed elements in red.

    A holder that covers only part of a piece, such as a slice, has a line below that part.
    """
    pieces: list[tuple[list[str], Any]] = []
    parts: list[tuple[str, int, int, int]] = []  # its label, its piece, first element and length
    for label, holder in holders.items():
        for y, (labels, known) in enumerate(pieces):
            if np.shares_memory(known, holder._data):
                if holder._data.size < known.size:
                    offset = holder._data.ctypes.data - known.ctypes.data
                    parts.append((label, y, offset // known.itemsize, holder._data.size))
                else:
                    labels.append(label)
                break
        else:
            pieces.append(([label], holder._data))
    before = [array.copy() for _, array in pieces]
    yield
    after = [array for _, array in pieces]
    height = 0.3 + 0.9 * (len(pieces) + len(parts) / 2)
    _, panels = plt.subplots(1, 2, figsize=(7.6, height), sharey=True, layout="constrained")
    for panel, title, arrays in zip(panels, ("before", "after"), (before, after), strict=True):
        for y, array in enumerate(arrays):
            for x, value in enumerate(array):
                changed = value != before[y][x]
                look = {"edgecolor": RED, "lw": 2.5} if changed else {"edgecolor": "black"}
                panel.add_patch(Rectangle((x, y - 0.32), 1, 0.64, fill=False, **look))
                panel.text(
                    x + 0.5, y, f"{value:.4g}", ha="center", va="center", fontsize=13,
                    **({"color": RED, "weight": "bold"} if changed else {}),
                )  # fmt: skip
        for label, y, first, length in parts:
            panel.plot([first + 0.06, first + length - 0.06], [y + 0.46] * 2, color="black")
            panel.text(first + length / 2, y + 0.54, label, ha="center", va="top", fontsize=12)
        below = len(pieces) - 0.5 + 0.5 * bool(parts)
        panel.set(xlim=(-0.1, before[0].size + 0.1), ylim=(below, -0.8))
        panel.text(before[0].size / 2, -0.6, title, ha="center", fontsize=12)
        panel.axis("off")
    for y, (labels, _) in enumerate(pieces):
        panels[0].text(-0.2, y, "\n".join(labels), ha="right", va="center", fontsize=12)
    plt.show()


def draw_places(m: Any, views: Mapping[str, Any]) -> None:
    """Draw the places in the memory of `m`, and below those that each view covers."""
    size = m._data.size
    axes = plt.figure(figsize=(9.4, 0.48 * (len(views) + 1))).gca()
    for y, (label, view) in enumerate(({"the memory": m} | dict(views)).items()):
        first = (view.data_ptr() - m.data_ptr()) // view.itemsize
        places = first + np.tensordot(view.stride(), np.indices(view.shape), 1).astype(int)
        for place in sorted(places.reshape(-1)):
            axes.add_patch(Rectangle((place, y - 0.38), 1, 0.76, fill=y == 0, color="0.9"))
            axes.add_patch(Rectangle((place, y - 0.38), 1, 0.76, fill=False))
            axes.text(place + 0.5, y, str(place), ha="center", va="center", fontsize=13)
        axes.text(-0.3, y, label, ha="right", va="center", family="monospace")
        if y:
            order = str(places.tolist())
            axes.text(size + 0.4, y, order, va="center", family="monospace")
            steps = f"offset {first}, strides {tuple(view.stride())}"
            axes.text(size + 6.4, y, steps, va="center", family="monospace")
    axes.set(xlim=(-3.0, size + 11.8), ylim=(len(views) + 0.5, -0.6))
    axes.axis("off")
    plt.show()


class WriteGrid:
    """Three questions about each of some writes; the answers come from running them.

    A program is two statements: the first computes `h` from `x`, or `h` and `y`, and the second
    writes. They run with the notebook's own names, and so with the reader's library.
    """

    QUESTIONS = ("saved?", "counted?", "recorded?", "outcome")

    def __init__(self, *programs: str) -> None:
        self.names = page_of(sys._getframe(1))
        self.answers: dict[str, Sequence[str]] = dict.fromkeys(programs, ("?",) * 4)

    def fill(self, *numbers: int, whole: bool = False) -> None:
        """Run these programs, counted from 1, and show their rows, or the whole grid."""
        programs = [*self.answers]
        chosen = [programs[number - 1] for number in numbers]
        self.answers |= {program: self.ask(program) for program in chosen}
        rows: list[tuple[str, ...]] = [("", *self.QUESTIONS)]
        for program in programs if whole else chosen:
            rows.append((f"`{program}`", *self.answers[program]))
        lines = ["".join(map(cell, row)) for row in rows]
        body = "".join(f"<tr>{line}</tr>" for line in lines)
        html = f'<table style="margin: 4px 0"><tbody>{body}</tbody></table>'
        show(Card(html, "\n".join(aligned(rows)).replace("`", "")))

    def ask(self, program: str) -> tuple[str, str, str, str]:
        """Whether the write hits saved memory, is counted, is recorded; and the gradient then."""
        compute, _, write = program.rpartition(";")
        names = self.run(compute, [1.0, 2.0], requires_grad=True)
        h = names["h"]
        result, node, version = names.get("y", h), h._node, version_of(h)
        saved = any(np.shares_memory(each, h._data) for each in saved_arrays(result))
        exec(write.strip(), names)
        answers = [saved, version_of(h) != version, h._node is not node]
        try:
            result.sum().backward()
        except RuntimeError:
            outcome = "refused"
        else:
            right = np.allclose(names["x"].grad._data, self.slope(program), atol=0.02)
            outcome = "right" if right else "wrong, silently"
        saved_, counted, recorded = ("yes" if answer else "no" for answer in answers)
        return saved_, counted, recorded, outcome

    def run(self, program: str, x: Sequence[float], *, requires_grad: bool) -> dict[str, Any]:
        """The names after the program has run with this `x`."""
        names = self.names | {"x": self.names["tensor"](x, requires_grad=requires_grad)}
        names.pop("y", None)
        exec(program, names)
        return names

    def slope(self, program: str) -> list[float]:
        """The gradient by finite differences of what the program computes."""
        found = []
        for index in range(2):
            sums = []
            for step in (0.01, -0.01):
                x = [1.0, 2.0]
                x[index] += step
                names = self.run(program.replace("; ", "\n"), x, requires_grad=False)
                sums.append(float(names.get("y", names["h"])._data.sum()))
            found.append((sums[0] - sums[1]) / 0.02)
        return found


TINTS = {"right": RIGHT, "refused": OPEN, "wrong, silently": WRONG}


def cell(text: str) -> str:
    """HTML of a cell of the grid; an outcome is tinted."""
    tint = TINTS.get(text)
    colour = f"rgba({', '.join(map(str, tint))}, 0.25)" if tint else "transparent"
    style = f"text-align: left; padding: 2px 16px 2px 4px; background-color: {colour}"
    return f'<td style="{style}">{inline(text)}</td>'


def version_of(tensor: Any) -> int:
    """How often the memory of a tensor has been written to, by its counter."""
    return 0 if tensor._counter is None else int(tensor._counter[0])


def saved_arrays(result: Any) -> Iterator[Any]:
    """The arrays that the nodes behind a result have saved."""
    nodes = [result._node]
    for node in nodes:  # the loop appends to it
        for saved in getattr(node, "_saved", {}).values():
            if hasattr(saved, "tensor"):
                yield saved.tensor._data
        nodes += [after for after, _ in node.next_functions if after not in (None, *nodes)]
