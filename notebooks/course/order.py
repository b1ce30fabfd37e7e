"""In which order the cells of a notebook have run in this kernel, and what follows from it.

Whoever runs the notebook from the top again gets the library as the chapter before left it: the
imports from `course.after_NN` are then made anew, so that drafts and builds meet what they met the
first time. To run only the cell with the imports again changes nothing of what was built.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, field
from typing import Any

from IPython.utils.capture import capture_output

from course.stages import AFTER, STAGES, Stage, forget


@dataclass(frozen=True)
class Cell:
    """A cell that runs: its text, and its id where the frontend tells it (JupyterLab does)."""

    source: str
    id: str | None = None

    def is_like(self, other: Cell) -> bool:
        """Whether two cells are the same one; its text may have been edited meanwhile."""
        if self.id is not None and other.id is not None:
            return self.id == other.id
        return self.source.strip() == other.source.strip()


@dataclass
class Order:
    """The cells that have run since the library was imported (anew)."""

    ended: list[Cell] = field(default_factory=list)  # without an error, each once
    running: Cell | None = None
    top: Cell | None = None  # the first cell that imports from a stage
    second: Cell | None = None  # the cell that ran after it
    last: Cell | None = None

    def begin(self, cell: Cell, names: dict[str, Any]) -> None:
        """Note that a cell begins; start anew if it is the second one from the top, once more."""
        if self.top is not None and self.last is not None and self.last.is_like(self.top):
            if self.second is None and not cell.is_like(self.top):
                self.second = cell
            elif self.second is not None and cell.is_like(self.second):
                import_anew(self.top.source, names)
                self.ended = [self.top]
        self.running = cell

    def end(self, cell: Cell, well: bool) -> None:
        """Note that a cell has ended, well or with an error."""
        if well:
            self.ended = [*(each for each in self.ended if not each.is_like(cell)), cell]
            if self.top is None and stage_imports(cell.source):
                self.top = cell
            elif self.top is not None and cell.is_like(self.top):
                self.top = cell  # its text may be another now
        self.last = cell


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


def import_anew(source: str, names: dict[str, Any]) -> None:
    """Run the cell with the imports on stages made anew; what the notebook has built of them goes.

    What the cell shows was shown a moment ago, when the reader ran it.
    """
    for node in stage_imports(source):
        stage = STAGES.get(str(node.module))
        forget(str(node.module))
        if stage is not None:
            for name in built(names, stage):
                del names[name]
    with capture_output():
        exec(compile(source, "<imports>", "exec"), names)


def built(names: dict[str, Any], stage: Stage) -> list[str]:
    """The names of functions and classes of the chapter after `stage` that the notebook defines."""
    library, chapter = stage.library, stage.chapter + 1
    known = {name for module in library.core(chapter) for name in library.defined(module, chapter)}
    return [
        name
        for name in known & names.keys()
        if getattr(names[name], "__module__", None) == "__main__"
    ]


ORDER = Order()


def follow_the_cells() -> None:
    """Let the kernel that runs this note which cells run."""
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
