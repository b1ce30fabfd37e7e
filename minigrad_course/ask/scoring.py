"""The score: for how many programs the reader's library prints exactly what PyTorch prints.

The programs are in `tests/programs`, and what PyTorch 2.13 printed is in `tests/goldens`. They run
in the notebook's own process, on the package that `kernel.reader` makes from the notebook.
"""

from __future__ import annotations

import ast
import gc
import json
import sys
import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from minigrad_course.ask.cards import OPEN, RIGHT, Card, box, html_table, paragraphs, reveal, show
from minigrad_course.ask.journal import note_score
from minigrad_course.kernel.changed import Differences, differences, refusing_borrowed_members
from minigrad_course.kernel.explain import reasons
from minigrad_course.kernel.machine import IN_A_BROWSER, run_in_thread
from minigrad_course.kernel.places import PROGRAMS, RECORDED, harness
from minigrad_course.kernel.reader import (
    ReaderStage,
    chapter_of,
    notebook_names,
    restored_page_classes,
    yours,
)
from minigrad_course.kernel.stages import (
    LAST,
    STAGES,
    Placeholder,
    stage_modules,
)

SCORES = Path(__file__).with_name("scores.json")
FIRST_TO_FAIL = 3  # failing programs that are named
KINDS = {  # first word of a program's name: what these programs are about
    "bad": "wrong input, refused",
    "code": "Code 1 to 22, document 002",
    "doc": "the other documents",
    "function": "a Function of your own",
    "functional": "whole Jacobians, Hessians",
    "grad": "what .grad holds",
    "graph": "nodes, edges, memory",
    "hook": "hooks",
    "hunted": "found by random search",
    "inplace": "changes in place, views",
    "learner": "what learners tried",
    "mode": "no_grad and its kin",
    "number": "numbers, shapes, printing",
}

COMPLETE = 15  # up to this chapter, chapters complete what counts there; later ones add theirs
# A browser has no threads, and its stack is too small for long chains.
NOT_IN_A_BROWSER = {"mode_threads", "graph_deep"}


@cache
def recorded() -> dict[str, str]:
    """What PyTorch printed, by the program's name."""
    lines = json.loads(RECORDED.read_text(encoding="utf-8"))
    return {name: "".join(f"{line}\n" for line in shown) for name, shown in lines.items()}


def source_of(program: str) -> str:
    """The text of a program."""
    text: str = (PROGRAMS / f"{program}.py").read_text(encoding="utf-8")
    return text


def scored_programs(chapter: int = LAST) -> dict[str, str]:
    """The programs that count at a chapter, each with the first line of its docstring."""
    last = max(chapter, COMPLETE)
    return {
        name: line for name, line in all_scored_programs().items() if first_chapters()[name] <= last
    }


@cache
def all_scored_programs() -> dict[str, str]:
    """The programs that count at the end of the course, each with its docstring's first line."""
    left_out = NOT_IN_A_BROWSER if IN_A_BROWSER else ()
    lines = {name: source_of(name).split("\n")[0] for name in first_chapters()}
    return {name: line.strip('"') for name, line in lines.items() if name not in left_out}


def passing(library: ModuleType, programs: Collection[str] = ()) -> list[str]:
    """Those of `programs` that print under `library` exactly what PyTorch printed.

    Args:
        library: a stage's package.
        programs: their names; by default all that count.
    """
    gc.freeze()  # so that no collection within a program goes through the notebook's objects
    try:
        return [name for name in programs or scored_programs() if prints_the_same(name, library)]
    finally:
        gc.unfreeze()


def prints_the_same(program: str, library: ModuleType) -> bool:
    """Whether a program prints what PyTorch printed, and does not stop before its last statement.

    It runs in its own thread, so that a grad mode it leaves switched does not outlive it.
    """
    source = source_of(program)
    ended: list[tuple[str, int | None]] = []
    with settings_kept(library):
        run_in_thread(
            lambda: ended.append(harness().perform(source, library.__name__)),
            lambda: [sys.modules[name] for name in stage_modules(library.__name__)],
        )
    shown, line = ended[0]
    early = line is not None and line < ast.parse(source).body[-1].lineno
    return not early and shown == recorded()[program]


@contextmanager
def settings_kept(library: ModuleType) -> Iterator[None]:
    """Restore the globals of support afterwards: the default dtype, print options and so on."""
    modules = [sys.modules[name] for name in stage_modules(f"{library.__name__}.support")]
    before = [dict(vars(module)) for module in modules]
    try:
        with warnings.catch_warnings():  # NumPy's, about the notebook's code
            warnings.filterwarnings("ignore", category=RuntimeWarning, module="__main__")
            yield
    finally:
        for module, names in zip(modules, before, strict=True):
            vars(module).update(names)


@dataclass(frozen=True)
class Score:
    """Which programs a library prints right at a chapter.

    Attributes:
        right: the programs that the reader's library prints right.
        differences: where the reader's library differs from the course's.
    """

    chapter: int
    right: tuple[str, ...]
    differences: Differences = field(default_factory=Differences)

    @property
    def programs(self) -> dict[str, str]:
        """The programs that count."""
        return scored_programs(self.chapter)

    @property
    def before(self) -> tuple[str, ...]:
        """The programs that the course's library printed right at the previous chapter."""
        return passing_at(self.chapter - 1)

    @property
    def missed(self) -> list[str]:
        """The programs that the course's library prints right at this chapter, but not this one."""
        return [name for name in passing_at(self.chapter) if name not in self.right]

    @property
    def new(self) -> list[str]:
        """The programs that print right since this chapter."""
        return [name for name in self.right if name not in self.before]

    @property
    def lost(self) -> list[str]:
        """The programs that printed right before and no longer do."""
        return [name for name in self.before if name not in self.right]

    def summary(self) -> str:
        """The score in a line."""
        return (
            f"After chapter {self.chapter:02} your library prints {len(self.right)} of"
            f" {len(self.programs)} programs exactly as PyTorch 2.13 does,"
            f" {change(len(self.before), len(self.right))}."
        )

    def not_counted(self) -> str:
        """How many programs the total leaves out."""
        given = len(set(harness().program_names()) - set(scored_programs()))
        later = len(set(scored_programs()) - set(self.programs))
        what = [f"{given} programs need what the course gives you ready-made"]
        what += [f"{later} need what a later chapter builds"] if later else []
        return f"Not counted: {', and '.join(what)}."

    def first_to_fail(self) -> list[str]:
        """The shortest of the programs that should print right."""
        return sorted(self.missed, key=lambda name: (len(source_of(name)), name))[:FIRST_TO_FAIL]

    def remarks(self) -> list[str]:
        """What is wrong with the reader's library, if programs fail that should pass."""
        if not (self.missed or self.differences.borrowed):
            return []
        expected = len(passing_at(self.chapter))
        count = expected - len(self.missed)
        found = [f"Expected by the end of this chapter: {expected}; you have {count}."]
        found += self.differences.sentences()
        if self.missed:
            first = self.first_to_fail()
            found += [f"`{name}` fails: {self.programs[name]}" for name in first]
            found.append(f'See where: `beside_pytorch("{first[0]}", library=yours())`')
        return found

    def card(self, remarks: Sequence[str] = ()) -> Card:
        """The remarks, then the score as a table: the programs by kind, and which ones are new."""
        remarks = [*remarks, *self.remarks()]
        kinds = sorted({kind_of(name) for name in self.programs})
        columns = (self.right, self.new, self.programs)
        rows = [
            (kind, *(len([n for n in names if kind_of(n) == kind]) for names in columns))
            for kind in kinds
        ]
        text = [self.summary(), *remarks, f"{'programs about':<28}{'right':>6}{'new':>6}{'of':>6}"]
        text += [
            f"{KINDS[kind]:<28}{now:>6}{new or '':>6}{total:>6}" for kind, now, new, total in rows
        ]
        text += [f"new: {', '.join(self.new) or 'none'}"]
        text += [f"lost: {', '.join(self.lost)}"] if self.lost else []
        text.append(self.not_counted())
        heading = (f"<b>{self.summary()}</b>", *map(paragraphs, remarks))
        html = box(OPEN if remarks else RIGHT, *heading, *self.html(rows))
        return Card(html, "\n".join(text))

    def html(self, rows: list[tuple[str, int, int, int]]) -> Iterator[str]:
        """The table, and the names of the programs that are new, lost or still missing.

        All of it is closed, so that after Shift+Enter the line above it is still in view.
        """
        head = ("programs about", "right", "new", "of")
        body = ((KINDS[kind], now, new or "", total) for kind, now, new, total in rows)
        yield reveal("The programs by topic", html_table([head, *body]))
        missing = [name for name in self.programs if name not in self.right]
        for word, names in (("New", self.new), ("Lost", self.lost), ("Not yet", missing)):
            if names:
                items = [
                    f"<b>{name}</b> {escape(self.programs[name], quote=False)}" for name in names
                ]
                yield reveal(f"{word}: {len(names)}", "<br>".join(items))
        yield paragraphs(self.not_counted())


def change(before: int, now: int) -> str:
    """How a score compares with the previous chapter's."""
    if now == before:
        return "the same as before"
    return f"{'up' if now > before else 'down'} from {before}"


def kind_of(program: str) -> str:
    """The kind of a program, the first word of its name: `code` for `code_04`."""
    return program.partition("_")[0]


def measure(notebook: dict[str, Any]) -> Score:
    """The score of the library that a notebook's cells make, with the previous chapter's."""
    package = yours(notebook)
    chapter = chapter_of(notebook)
    maker = STAGES[package.__name__]
    refused = tuple(maker.refused) if isinstance(maker, ReaderStage) else ()
    borrowed = {name: notebook[name] for name in refused}
    notebook.update({name: Placeholder(name, maker) for name in refused})  # functions may use these
    try:
        with refusing_borrowed_members(chapter, package):
            now = passing(package, scored_programs(chapter))
    finally:
        notebook.update(borrowed)
    return Score(chapter, tuple(now), differences(chapter, package, refused))


def passing_at(chapter: int) -> tuple[str, ...]:
    """The programs that the course's library prints right at a chapter."""
    return tuple(name for name in all_scored_programs() if first_chapters()[name] <= chapter)


@cache
def first_chapters() -> dict[str, int]:
    """From which chapter on the course's library prints a program right; only these count.

    `tools/record_scores.py` has recorded it.
    """
    found: dict[str, int] = json.loads(SCORES.read_text(encoding="utf-8"))
    return found


def score() -> None:
    """Show for how many programs your library prints exactly what PyTorch prints.

    Your library is the previous chapter's, plus what the cells of this notebook have added.

    Raises:
        LookupError: the notebook imports nothing from `minigrad_course.after_NN`.
    """
    with restored_page_classes():
        found = measure(notebook_names())
    skipped = reasons()
    if not skipped:  # otherwise the kept score would be too low
        note_score(found.chapter, len(found.right), len(found.programs))
    show(found.card(skipped))
