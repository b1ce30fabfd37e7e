"""A small program in PyTorch itself: what it prints, and the graph that its last line draws.

PyTorch need not be installed, because `tools/record_pytorch.py` has recorded the printed lines and
the boxes and arrows of the drawing in `in_pytorch.json`. Where PyTorch is installed, the program
runs, and the card says so if anything differs from the record. So the page is the same with PyTorch
and without it, and tests with PyTorch notice a wrong record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from IPython.display import display

from minigrad.viz import Drawing
from minigrad.viz.picture import Arrow, Box, Picture, Row
from minigrad_course.ask import pytorch
from minigrad_course.ask.cards import ASK, OPEN, WRONG, Card, box, inline, paragraphs, show

RECORDS = Path(__file__).with_name("in_pytorch.json")
RECORDED = f"{pytorch.REFERENCE}, recorded"


@dataclass(frozen=True)
class Shown:
    """The lines that a program prints, and the picture and direction of its drawing.

    Pictures are plain data (`minigrad.viz.picture`), so a drawing is recorded before its layout.
    """

    lines: tuple[str, ...]
    picture: Picture | None = None
    direction: str | None = None

    def as_json(self) -> dict[str, Any]:
        """The program's record in the JSON file, apart from its text."""
        found: dict[str, Any] = {"shown": list(self.lines)}
        if self.picture is not None:
            found |= {"direction": self.direction, "picture": asdict(self.picture)}
        return found


def in_pytorch(
    program: str, picture: Callable[[Sequence[str]], None] | None = None, *, again: bool = True
) -> None:
    '''Show what a program prints in PyTorch 2.13, and the drawing that its last line makes.

        in_pytorch("""
            import torch
            from minigrad.viz import draw

            x = torch.tensor(5.0, requires_grad=True)
            print(x.exp().grad_fn)
            draw(x * x)
        """)

    The program cannot see the notebook's names. Warnings and errors are lines, as in
    `beside_pytorch`.

    Args:
        picture: called with the printed lines, in order to draw them.
        again: whether a recorded program runs again where PyTorch is installed. If it takes long,
            `make parity` is enough.

    Raises:
        ValueError: the line `import torch` is missing, or PyTorch is also imported in another way.
    '''
    source = pytorch.text_of(program)
    recorded = load().get(source)
    runs = find_spec("torch") is not None and (again or recorded is None)
    now = observe(source) if runs else None
    shown = now or recorded
    show(card(recorded, now))
    if picture is not None and shown is not None:
        picture(shown.lines)
    if shown is not None and shown.picture is not None:
        display(Drawing(shown.picture, shown.direction))  # type: ignore[no-untyped-call, arg-type]


def observe(source: str) -> Shown:
    """Run a program under the installed PyTorch."""
    lines, value = pytorch.run(source, pytorch._pytorch())
    if isinstance(value, Drawing):
        return Shown(tuple(lines), value.picture, value.direction)
    return Shown(tuple(lines))


def card(recorded: Shown | None, now: Shown | None) -> Card:
    """The printed lines; whether PyTorch ran shows only if they differ from the record."""
    if recorded is None and now is None:
        text = (
            f"This is not the recorded program, so there is no record of what {pytorch.REFERENCE}"
            " shows for it. If PyTorch is installed, it runs there."
        )
        return Card(box(OPEN, paragraphs(text)), text)
    if recorded is not None and now in (None, recorded):
        heading, colour, shown = RECORDED, ASK, recorded
    elif recorded is None and now is not None:
        heading, colour, shown = "PyTorch, now", ASK, now
    else:
        assert now is not None
        heading, colour, shown = f"PyTorch, now: not what {RECORDED}", WRONG, now
    lines = "\n".join(shown.lines)
    printed = f'<p style="margin: 4px 0">{pytorch.line(lines)}</p>' if lines else ""
    html = box(colour, f"<b>{inline(heading)}</b>", printed)
    return Card(html, "\n".join([heading, *(f"  {line}" for line in shown.lines)]))


def load() -> dict[str, Shown]:
    """What PyTorch showed for each recorded program, by the program's text."""
    records = json.loads(RECORDS.read_text(encoding="utf-8"))
    return {"\n".join(item["program"]) + "\n": _shown(item) for item in records}


def _shown(item: dict[str, Any]) -> Shown:
    """The inverse of `Shown.as_json`."""
    lines, direction = tuple(item["shown"]), item.get("direction")
    if direction is None:
        return Shown(lines)
    boxes = [
        Box(**{**given, "rows": tuple(Row(**row) for row in given["rows"])})
        for given in item["picture"]["boxes"]
    ]
    arrows = [Arrow(**given) for given in item["picture"]["arrows"]]
    picture = Picture(tuple(boxes), tuple(arrows), tuple(item["picture"]["notes"]))
    return Shown(lines, picture, direction)
