"""Recall editions: a program of a chapter runs on the reader's code and is compared with the page.

    from course import recall

    recall.follow("04_backward")

Then a cell that begins with `%%same 1a2b3c4d` runs as it would without that line, and says whether
it showed what the cell 1a2b3c4d of that chapter shows: text and the text twins of pictures, object
addresses aside. Without a number nothing is compared. An error of the program stays within its
cell, so that all cells can be run at once whatever is still to be written. `tools/recall.py` makes
these editions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython
from IPython.utils.capture import capture_output

from course.cards import OPEN, RIGHT, WRONG, Card, box, inline, preformatted, reveal, show
from course.explain import show_error

NOTEBOOKS = Path(__file__).resolve().parents[1]
ADDRESS = re.compile(r"0x[0-9a-f]{8,16}\b")
IGNORED = "nbval-ignore-output"  # the tag of a cell that shows something else each time


def follow(chapter: str) -> None:
    """Let `%%same` compare with the cells of a chapter, such as "04_backward"."""
    shell: Any = get_ipython()  # type: ignore[no-untyped-call]
    if shell is None:
        raise RuntimeError("recall editions are notebooks: open them in JupyterLab")
    text = (NOTEBOOKS / f"{chapter}.ipynb").read_text(encoding="utf-8")
    cells = {cell["id"]: cell for cell in json.loads(text)["cells"]}

    def same(line: str, cell: str) -> None:
        run(shell, cells.get(line.strip()), cell)

    shell.register_magic_function(same, "cell")


def run(shell: Any, model: dict[str, Any] | None, source: str) -> None:
    """Run `source`; show what it shows, and whether that is what the chapter's cell shows."""
    unwritten: list[str] = []
    before = shell.custom_exceptions, shell.CustomTB

    def note(shell: Any, kind: Any, error: BaseException, tb: Any, tb_offset: Any = None) -> None:
        if isinstance(error, NotImplementedError):
            unwritten.append(str(error))
        else:
            show_error(shell, kind, error, tb, tb_offset)

    shell.set_custom_exc((Exception,), note)
    try:
        with capture_output() as captured:
            result = shell.run_cell(source, store_history=False)
    finally:
        shell.custom_exceptions, shell.CustomTB = before
    captured.show()
    if unwritten and not unwritten[0]:  # NotImplementedError of another origin
        unwritten[0] = "something that it needs"
    if unwritten:
        show(open_card(unwritten[0]))
    elif result.success and model and IGNORED not in model["metadata"].get("tags", []):
        printed = captured.stdout + captured.stderr
        displayed = [output.data.get("text/plain", "") for output in captured.outputs]
        show(verdict(texts(printed, displayed), stored(model["outputs"])))


def open_card(name: str) -> Card:
    """What to say where a definition is still to be written."""
    text = f"`{name}` is not written yet."
    return Card(box(OPEN, inline(text)), text)


def verdict(mine: Sequence[str], chapters: Sequence[str]) -> Card:
    """Whether two cells have shown the same."""
    if mine == chapters:
        text = "As in the chapter."
        return Card(box(RIGHT, inline(text)), text)
    text = "The chapter shows something else here."
    theirs = preformatted("\n".join(filter(None, chapters)) or "nothing")
    return Card(box(WRONG, inline(text), reveal("What it shows", theirs)), text)


def texts(printed: str, displayed: Sequence[str]) -> list[str]:
    """What a cell has shown, in a form in which two runs are equal."""
    return [ADDRESS.sub("0x…", text) for text in [printed, *displayed]]


def stored(outputs: Sequence[dict[str, Any]]) -> list[str]:
    """What the outputs of a cell in a notebook's file show."""
    printed = "".join("".join(one["text"]) for one in outputs if one["output_type"] == "stream")
    displayed = ["".join(one["data"].get("text/plain", "")) for one in outputs if "data" in one]
    return texts(printed, displayed)
