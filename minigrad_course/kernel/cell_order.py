"""Which cells of a notebook have run in this kernel, and in which order.

The help below errors (`explain`) needs to know, and so does a notebook that is run from the top a
second time. Its drafts must not meet what the first run built, so the imports from
`minigrad_course.after_NN` run again on a fresh package. Rerunning only the cell with the imports
changes nothing, because readers do that when they add an import.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from IPython.utils.capture import capture_output

from minigrad_course.kernel.stages import AFTER, forget

TITLE = re.compile(r"\A# ?@title (.*)\n?")  # the first line of a cell whose code is hidden


@dataclass(frozen=True)
class Cell:
    """The text of a cell that ran, and its id if the frontend sends one, as JupyterLab does."""

    source: str
    id: str | None = None

    @cached_property
    def text(self) -> str:
        """What identifies the cell if it has no id: its source without a title, which may change.

        Colab lets readers edit it.
        """
        return TITLE.sub("", self.source.strip(), count=1).strip()

    def is_same_cell(self, other: Cell | None) -> bool:
        """Whether both are the same cell of the notebook, possibly edited in between."""
        if other is None:
            return False
        if self.id is not None and other.id is not None:
            return self.id == other.id
        return self.text == other.text


@dataclass
class Order:
    """The cells that have run since the library was last imported."""

    ended: list[Cell] = field(default_factory=list)  # without an error, each cell once
    running: Cell | None = None
    top: Cell | None = None  # the first cell that imports from a stage
    second: Cell | None = None  # the cell that ran after it
    last: Cell | None = None

    @property
    def chapter(self) -> int | None:
        """The chapter that the notebook builds: the one after the stage it imports from."""
        if self.top is None:
            return None
        return int(str(stage_imports(self.top.source)[0].module)[-2:]) + 1

    def begin(self, cell: Cell, names: dict[str, Any]) -> None:
        """Record that a cell starts. If the notebook is running from the top again, start over."""
        self.running = cell
        if self.top is None or cell.is_same_cell(self.top) or not self.top.is_same_cell(self.last):
            return
        if self.second is None:
            self.second = cell
        elif cell.is_same_cell(self.second):
            self.ended = [self.top]
            rerun_imports(self.top.source, names)

    def end(self, cell: Cell, succeeded: bool) -> None:
        """Record that a cell has finished, with an error or without one."""
        self.last = cell
        if succeeded:
            self.ended = [*(each for each in self.ended if not each.is_same_cell(cell)), cell]
            if stage_imports(cell.source) and (self.top is None or cell.is_same_cell(self.top)):
                self.top = cell  # its text may have changed


def stage_imports(source: str) -> list[ast.ImportFrom]:
    """The statements of a cell that import from a stage of the library."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic command, for one
        return []
    return [
        node
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and AFTER.fullmatch(node.module or "")
    ]


def rerun_imports(source: str, names: dict[str, Any]) -> None:
    """Run the cell with the imports again, on a fresh package of its stage, without its output."""
    for node in stage_imports(source):
        forget(str(node.module))
    with capture_output():
        exec(compile(source, "<imports>", "exec"), names)


ORDER = Order()


def track_cells() -> None:
    """Record in ORDER which cells run in this kernel."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is None or getattr(shell, "kernel", None) is None:
        return

    def begin(info: Any) -> None:
        ORDER.begin(_cell(info), shell.user_ns)

    def end(result: Any) -> None:
        ORDER.end(_cell(result.info), bool(result.success))

    shell.events.register("pre_run_cell", begin)
    shell.events.register("post_run_cell", end)


def _cell(info: Any) -> Cell:
    return Cell(info.raw_cell, getattr(info, "cell_id", None))
