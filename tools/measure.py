"""Measure how near the library and the chapters are to their goals.

    python tools/measure.py

Of the library:

- *library calls* and *replaced*, without the accelerator ("plain") and with it ("fast"): how far it
  runs what it says, see `what_runs.py`;
- *code lines* of `minigrad` and of its accelerator: no comments, docstrings, blank lines;
- *marks*: lines of the core with the mark of what lies outside of it.

Of a chapter: its cells; the minutes that it takes to read and those that it says itself, exercises
apart; how many lines of the library its `lib:` cells show, and how many of them are new. Minutes
are an estimate: 140 words, 14 lines of code or 7 lines of the library a minute, 40 seconds a
prediction, 20 seconds a picture. On the first edition's 20 chapters that agreed with the minutes
that four fresh readers took (correlation 0.90, 5 % low, which the estimate makes up for).

`goals.toml` has the goals, where each figure stands, and what is finished.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "notebooks")]  # `course` and `tools`, wherever this is run

from tools import notebooks  # noqa: E402
from tools.lib_cells import count_code, piece  # noqa: E402

PACKAGE = ROOT / "minigrad"
GOALS = ROOT / "tools" / "goals.toml"
MARK = re.compile(r"#@(?:rare|fast)")

FIRST_LONGER_CHAPTER = 18  # from here on: the clinic, and workshops
MOST_CELLS = 62  # of a lesson
MOST_MINUTES = 50
MOST_MINUTES_LONGER = 60
CLAIM = 0.15  # how far the minutes that a chapter says may be off, and a minute more
FEW_LINES = 20  # a chapter that shows fewer of the library may repeat all of them
MOST_REPEATED = 0.5  # of the lines that a chapter shows


# --- the library ----------------------------------------------------------------------------------


def figures() -> tuple[dict[str, int], list[str]]:
    """Name → figure of all that is counted, and the names of the definitions that are replaced."""
    calls, replaced_plain = running("0")
    _, replaced_fast = running("1")
    found = {
        "library calls": calls,
        "replaced, plain": len(replaced_plain),
        "replaced, fast": len(replaced_fast),
        "code lines": code_lines(PACKAGE),
        "code lines of fast": code_lines(PACKAGE / "fast"),
        "marks": sum(len(MARK.findall(text)) for text in texts(PACKAGE / "core")),
    }
    return found, sorted({*replaced_plain, *replaced_fast})


def running(fast: str) -> tuple[int, list[str]]:
    """What `what_runs` says with MINIGRAD_FAST being `fast`: calls, and definitions replaced."""
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "what_runs.py"],
        env={**os.environ, "MINIGRAD_FAST": fast},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    calls, names = json.loads(done.stdout)
    return calls, names


def code_lines(folder: Path) -> int:
    """How many lines of code the Python files below a folder have."""
    return sum(count_code(text) for text in texts(folder))


def texts(folder: Path) -> Iterator[str]:
    """The Python files below a folder."""
    return (path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))


# --- chapters -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Chapter:
    """What is measured of a chapter."""

    name: str
    cells: int
    minutes: int
    claim: int  # the minutes that its first cells say; 0 if they say none
    shown: int  # lines of the library in its `lib:` cells
    new: int  # those of them that the chapter adds

    @property
    def faults(self) -> list[str]:
        """In what the chapter does not meet the goals of a lesson."""
        found = []
        longer = int(self.name[:2]) >= FIRST_LONGER_CHAPTER
        most = MOST_MINUTES_LONGER if longer else MOST_MINUTES
        if not longer and self.cells > MOST_CELLS:
            found.append(f"{self.cells} cells, not {MOST_CELLS}")
        if self.minutes > most:
            found.append(f"{self.minutes} minutes, not {most}")
        if abs(self.minutes - self.claim) > CLAIM * self.minutes + 1:
            found.append(f"says {self.claim} minutes")
        repeated = self.shown - self.new
        if self.shown >= FEW_LINES and repeated > MOST_REPEATED * self.shown:
            found.append(f"repeats {repeated} of {self.shown} lines of the library")
        return found


def chapter(name: str, notebook: NotebookNode) -> Chapter:
    """Measure a chapter; `name` is its file's, without the ending.

    Raises:
        LookupError: a `lib:` cell shows what the library does not define at the chapter.
    """
    read = without_exercises(notebook.cells)
    code = [cell for cell in read if cell.cell_type == "code"]
    names = notebooks.all_lib_names(notebook)
    claim = re.search(r"(\d+) minutes to read", "".join(cell.source for cell in notebook.cells[:4]))
    return Chapter(
        name,
        cells=len(notebook.cells),
        minutes=reading_minutes(read),
        claim=int(claim[1]) if claim else 0,
        shown=sum(count_code(cell.source) for cell in code if notebooks.lib_names(cell)),
        new=sum(piece(each, int(name[:2]), names).load for each in names),
    )


def without_exercises(cells: list[NotebookNode]) -> list[NotebookNode]:
    """The cells of a chapter without those of its section of exercises."""
    after = section(cells, "What you can predict now")
    return cells[: section(cells, "Exercises")] + cells[after:]


def section(cells: list[NotebookNode], title: str) -> int:
    """The index of the cell with this heading, or that behind the last cell."""
    heading = re.compile(rf"^## {title}", re.MULTILINE)
    found = (
        index
        for index, cell in enumerate(cells)
        if cell.cell_type == "markdown" and heading.search(cell.source)
    )
    return next(found, len(cells))


def reading_minutes(cells: list[NotebookNode]) -> int:
    """How long it takes to read these cells."""
    words = lines = lib_lines = predictions = pictures = 0
    for cell in cells:
        filled = sum(bool(line.strip()) for line in cell.source.splitlines())
        if cell.cell_type == "markdown":
            words += len(re.findall(r"[\w'-]+", cell.source))
        elif cell.cell_type == "code":
            asks = "predict(" in cell.source  # its card is rich output, too
            predictions += asks
            pictures += sum(map(is_rich, cell.outputs)) - asks
            lib_lines += filled if notebooks.lib_names(cell) else 0
            lines += 0 if notebooks.lib_names(cell) else filled
    estimate = words / 140 + lines / 14 + lib_lines / 7 + 0.67 * predictions + 0.33 * pictures
    return round(1.05 * estimate)


def is_rich(output: NotebookNode) -> bool:
    """Whether an output is a picture or another thing to look at."""
    return bool({"text/html", "image/png", "image/svg+xml"} & set(output.get("data", {})))


# --- goals ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Goals:
    """What `goals.toml` says."""

    finished: list[str]
    figures: dict[str, dict[str, int]]

    def worse(self, measured: dict[str, int]) -> list[str]:
        """The figures that are worse than recorded, or than their goal if they are finished."""
        found = []
        for name, figure in measured.items():
            known = self.figures[name]
            downwards = "at_most" in known
            bound = known["at_most" if downwards else "at_least"]
            if name in self.finished:
                bound = known["goal"]
            if figure > bound if downwards else figure < bound:
                found.append(f"{name}: {figure}, and not {bound}")
        return found

    def reopened(self, chapters: list[Chapter]) -> list[str]:
        """In what chapters that are finished do not meet their goals."""
        return [
            f"{each.name}: {fault}"
            for each in chapters
            if each.name in self.finished
            for fault in each.faults
        ]


def goals() -> Goals:
    """Read `goals.toml`."""
    return Goals(**tomllib.loads(GOALS.read_text(encoding="utf-8")))


def measured_chapters() -> list[Chapter]:
    """All chapters of the course."""
    return [chapter(file.stem, notebooks.read(file)) for file in notebooks.chapters()]


def main() -> int:
    """Print everything; return 1 if something is worse than recorded, or finished and is not."""
    known, (measured, names), chapters = goals(), figures(), measured_chapters()
    for name, figure in measured.items():
        print(f"{name:18} {figure:6}   goal {known.figures[name]['goal']}")
    print("replaced:", ", ".join(names) or "nothing")
    print(f"\n{'':22} cells  minutes  says  shown  new")
    for each in chapters:
        numbers = f"{each.cells:5} {each.minutes:8} {each.claim:5} {each.shown:6} {each.new:4}"
        state = "finished" if each.name in known.finished else "; ".join(each.faults)
        print(f"{each.name:22} {numbers}  {state}".rstrip())
    print(f"{sum(each.minutes for each in chapters) / 60:.1f} hours")
    wrong = known.worse(measured) + known.reopened(chapters)
    print(*(f"WORSE: {text}" for text in wrong), sep="\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
