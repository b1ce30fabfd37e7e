"""A picture as plain data: boxes, arrows, notes, and the same as text, its text twin."""

from dataclasses import dataclass, field
from typing import Literal

BoxKind = Literal["leaf", "tensor", "constant", "stray", "operation", "wrong", "module", "more"]
RowKind = Literal[
    "title", "value", "flags", "node", "saved", "gone", "wrong", "hook", "memory", "gradient",
]  # fmt: skip
ArrowKind = Literal["data", "gradient", "constant", "cut", "grad", "holds", "weak", "retains"]


@dataclass(frozen=True)
class Row:
    """One line of text in a box; its kind decides what it looks like."""

    kind: RowKind
    text: str


@dataclass(frozen=True)
class Box:
    """A tensor or an operation: `key` is its identity, `ref` what the text twin calls it.

    `order` is 2 for an operation that the second of two results adds to the graph of the first.
    `line` is the code that made it, if that is known.
    """

    key: str
    kind: BoxKind
    ref: str
    rows: tuple[Row, ...]
    order: int = 1
    line: str = field(default="", compare=False)


@dataclass(frozen=True)
class Arrow:
    """A link along which data flows from `tail` to `head`.

    An arrow of the kind "gradient" is drawn in the other direction, as the backward pass takes it.
    `slot` is the number of the input at the head, `output` that of the output at the tail, if there
    are several.
    """

    tail: str
    head: str
    kind: ArrowKind = "data"
    label: str = ""
    slot: int | None = None
    output: int | None = None


@dataclass(frozen=True)
class Picture:
    """Everything that a drawing shows, before it is laid out."""

    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    notes: tuple[str, ...] = ()

    def twin(self) -> str:
        """Write the picture as text: every box and every arrow, always in the same order."""
        refs = {box.key: box.ref for box in self.boxes}
        computed = ("operation", "wrong", "module")
        tensors = [_box_line(box) for box in self.boxes if box.kind not in computed]
        operations = [_box_line(box) for box in self.boxes if box.kind in computed]
        sections = [
            _section("tensors", tensors),
            _section("operations", operations),
            _section("arrows", [_arrow_line(arrow, refs) for arrow in self.arrows]),
            *(f"note: {note}" for note in self.notes),
        ]
        return "\n".join(filter(None, sections))


def _section(title: str, entries: list[str]) -> str:
    return "\n  ".join([title, *entries]) if entries else ""


def _box_line(box: Box) -> str:
    """Write `box` on one line, with a word for what its frame and colour say."""
    title = " ".join(row.text for row in box.rows if row.kind == "title")
    value = " ".join(row.text for row in box.rows if row.kind == "value")
    name = [] if title.startswith(box.ref) else [box.ref]
    head = ": ".join(filter(None, [*name, title, value]))
    look = [box.kind] if box.kind in ("leaf", "constant") and title != box.kind else []
    others = (row.text for row in box.rows if row.kind not in ("title", "value"))
    return " | ".join([head, *look, *others])


def _arrow_line(arrow: Arrow, refs: dict[str, str]) -> str:
    tail = refs[arrow.tail] + (f" (output {arrow.output})" if arrow.output is not None else "")
    head = refs[arrow.head] + (f" (input {arrow.slot})" if arrow.slot is not None else "")
    way = f"{head} → {tail}" if arrow.kind == "gradient" else f"{tail} → {head}"
    label = arrow.label.replace("\n", ", then ")
    label += " (weakly)" if arrow.kind in ("weak", "retains") else ""
    return f"{way}: {label}" if label else way
