"""What the reader has achieved: exercises that passed, answers to predictions, and scores.

It is kept in `progress.json` beside the reader's notebooks, one file for all kernels, in plain
JSON. To start over, delete it. The page reads your answers in it (`desk/jupyter/labextensions`), so
it is not hidden: a Jupyter server serves hidden files only if it was told to. It is written only in
a workbook, the folder that `make lab` or `minigrad-course lab` has laid out, or wherever
MINIGRAD_PROGRESS says. Nowhere else is anything written, because a notebook on its own, or an
executed one of the course, should not leave files behind.

No exercise depends on it: a file that cannot be read or written is reported once and left alone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from minigrad_course.ask.cards import ASK, OPEN, Card, box, html_table, inline, show
from minigrad_course.ask.declare import EXERCISES, PREDICTIONS, Exercise, load
from minigrad_course.kernel.machine import write_lock
from minigrad_course.kernel.places import NOTEBOOKS, WORKBOOK_MARK

FILE = "progress.json"
FILE_VARIABLE = "MINIGRAD_PROGRESS"  # environment variable that overrides the file
KIND = "progress in the minigrad course"
LOCK_TIMEOUT = 5.0  # seconds to wait for another notebook that is writing

_reported: set[Path] = set()  # files that this kernel has already reported


@dataclass
class Journal:
    """The content of the file."""

    exercises: dict[str, str]  # by id, in the order of the first try: "passed" or "tried"
    scores: dict[str, list[int]]  # by chapter ("04"): passing programs, all programs
    predictions: dict[str, str] = field(default_factory=dict)  # by id: letters, in order of tries

    def as_text(self) -> str:
        """The journal as the text of its file."""
        content = {
            "what": KIND,
            "exercises": self.exercises,
            "scores": self.scores,
            **({"predictions": self.predictions} if self.predictions else {}),
        }
        entries = json.dumps(content, indent=1, ensure_ascii=False)
        return f"{entries}\n"

    @classmethod
    def read(cls, file: Path) -> Journal:
        """The journal in `file`; an empty one if the file does not exist.

        Raises:
            ValueError: the file has other content.
            OSError: it cannot be read.
        """
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls({}, {})
        except ValueError:
            raise ValueError("it is not JSON") from None
        if not isinstance(content, dict) or content.get("what") != KIND:
            raise ValueError("it is not a record of this course")
        exercises, scores = content.get("exercises"), content.get("scores")
        predictions = content.get("predictions", {})
        if not (
            isinstance(exercises, dict)
            and isinstance(scores, dict)
            and isinstance(predictions, dict)
            and all(re.fullmatch("[a-z]+", str(value)) for value in predictions.values())
            and set(map(str, exercises.values())) <= {"passed", "tried"}
            and all(_is_score(value) for value in scores.values())
        ):
            raise ValueError("it has an entry that the course did not write")
        return cls(exercises, scores, predictions)


def _is_score(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value)


def progress_file() -> Path | None:
    """The file for this notebook; None if no progress is kept here."""
    if named := os.environ.get(FILE_VARIABLE):
        return Path(named)
    folder = Path.cwd().resolve()
    in_workbook = any((each / WORKBOOK_MARK).is_file() for each in (folder, *folder.parents))
    return folder / FILE if in_workbook else None


def note_exercise(id: str, right: bool) -> None:
    """Record that an exercise was tried or passed; a later failure does not undo a pass."""

    def change(journal: Journal) -> None:
        if right or id not in journal.exercises:
            journal.exercises[id] = "passed" if right else "tried"

    _update(change)


def note_prediction(id: str, letters: str) -> None:
    """Record which options of a prediction were tried until the right one; "" deletes the entry."""

    def change(journal: Journal) -> None:
        journal.predictions.pop(id, None)
        if letters:
            journal.predictions[id] = letters

    _update(change)


def kept_prediction(id: str) -> str:
    """The letters that were tried; "" if there are none or the file cannot be read."""
    file = progress_file()
    if file is None:
        return ""
    try:
        return Journal.read(file).predictions.get(id, "")
    except (OSError, ValueError) as error:
        _report(file, error)
        return ""


def note_score(chapter: int, right: int, total: int) -> None:
    """Record the latest score of a chapter: `right` of `total` programs print right."""

    def change(journal: Journal) -> None:
        journal.scores[f"{chapter:02}"] = [right, total]

    _update(change)


def _update(change: Callable[[Journal], None]) -> None:
    """Read the file, call `change` on the journal, and replace the file atomically.

    Notebooks that are open at the same time take turns, so none loses what another has written.
    """
    file = progress_file()
    if file is None:
        return
    try:
        with write_lock(file, LOCK_TIMEOUT):
            journal = Journal.read(file)
            before = journal.as_text()
            change(journal)
            if journal.as_text() != before:
                draft = file.with_name(f".{file.name}.draft")
                draft.write_text(journal.as_text(), encoding="utf-8", newline="\n")
                os.replace(draft, file)
    except (ImportError, OSError, ValueError) as error:  # the lock's Timeout is an OSError
        _report(file, error)


def _report(file: Path, error: Exception) -> None:
    """Say that progress is not being saved and why, once per kernel and file."""
    if file not in _reported:
        _reported.add(file)
        show(trouble(file, error))


def trouble(file: Path, error: Exception) -> Card:
    """The message about a file that cannot be used."""
    why = "another notebook is writing" if isinstance(error, TimeoutError) else str(error)
    if isinstance(error, OSError) and error.strerror:
        why = error.strerror
    text = (
        f"Your progress is not being saved, because `{file.name}` cannot be used ({why}). "
        "Exercises work without it. To start over with a new file, delete or rename this one."
    )
    return Card(box(OPEN, inline(text)), text)


# --- what is shown ------------------------------------------------------------------------------

NOWHERE = (
    "Your progress is not saved here, because this notebook is not in a workbook. The command"
    " `minigrad-course lab` creates a workbook and opens it."
)


@dataclass(frozen=True)
class Row:
    """What the reader has done in a chapter, as a row of the table.

    Attributes:
        notebook: the file, without its suffix.
        answered: how many of its questions have an answer.
        passed: how many of its exercises have passed.
        open: its exercises that have not.
        begun: whether anything was tried in it.
        score: its latest score, in words.
    """

    notebook: str
    answered: int
    questions: int
    passed: int
    exercises: int
    open: tuple[Exercise, ...]
    begun: bool
    score: str

    @property
    def finished(self) -> bool:
        """Whether all its questions and exercises are done."""
        return self.answered == self.questions and not self.open

    def columns(self) -> tuple[str, str, str, str]:
        """The row in words."""
        questions = f"{self.answered} of {self.questions}"
        return self.notebook, questions, f"{self.passed} of {self.exercises}", self.score


HEAD = ("chapter", "questions", "exercises", "score")


def progress() -> None:
    """Show the questions answered, exercises passed and score of each chapter, and what is next.

    This is read from `progress.json` beside your notebooks; to start over, delete that file.
    """
    file = progress_file()
    if file is None:
        show(Card(box(ASK, inline(NOWHERE)), NOWHERE))
        return
    try:
        journal = Journal.read(file)
    except (OSError, ValueError) as error:
        show(trouble(file, error))
        return
    show(table(journal, file.name))


def notebooks() -> dict[str, str]:
    """The notebooks of the course, by chapter ("04")."""
    return {file.name[:2]: file.name for file in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))}


def rows(journal: Journal) -> list[Row]:
    """A row for each chapter, with what the reader has done in it."""
    tried = {id[:2] for id in (*journal.exercises, *journal.predictions)} | set(journal.scores)
    found = []
    for chapter, name in notebooks().items():
        load(chapter)
        asked = [id for id in PREDICTIONS if id[:2] == chapter]
        tasks = sorted(
            (task for task in EXERCISES.values() if task.id[:2] == chapter),
            key=lambda task: int(task.id[3:]),
        )
        left = tuple(task for task in tasks if journal.exercises.get(task.id) != "passed")
        score = journal.scores.get(chapter)
        found.append(
            Row(
                name.removesuffix(".ipynb"),
                sum(id in journal.predictions for id in asked),
                len(asked),
                len(tasks) - len(left),
                len(tasks),
                left,
                chapter in tried,
                f"{score[0]} of {score[1]}" if score else "",
            )
        )
    return found


def next_row(found: list[Row]) -> Row | None:
    """The chapter to continue with; None if all are finished.

    A chapter that the reader has begun and not finished comes first. Then comes the chapter after
    the last one begun, and at the end of the course whatever was left out before.
    """
    last = max((place for place, row in enumerate(found) if row.begun), default=-1)
    begun = [row for row in found if row.begun]
    return next((row for row in [*begun, *found[last + 1 :], *found] if not row.finished), None)


def what_is_next(row: Row | None) -> str:
    """The next thing to do, in words that name the notebook."""
    if row is None:
        return "You have answered every question and passed every exercise of the course."
    name = f"{row.notebook}.ipynb"
    if not row.begun:
        return f"Next: begin {name}"
    if left := row.questions - row.answered:
        return f"Next: {left} unanswered question{'s' * (left > 1)} in {name}"
    task = row.open[0]
    return f"Next: exercise {task.id} {task.title} ({task.stars}, {task.minutes} minutes) in {name}"


def table(journal: Journal, file: str = FILE) -> Card:
    """The card: what is done in each chapter that was begun, what comes next, and the file."""
    found = rows(journal)
    step = next_row(found)
    begun = [row.columns() for row in found if row.begun]
    answered, questions = sum(row.answered for row in found), sum(row.questions for row in found)
    passed, exercises = sum(row.passed for row in found), sum(row.exercises for row in found)
    title = (
        f"You have answered {answered} of {questions} questions"
        f" and passed {passed} of {exercises} exercises."
    )
    after = what_is_next(step)
    link = inline(after)
    if step is not None:
        name = f"{step.notebook}.ipynb"
        link = link.replace(name, f'<a href="{name}">{name}</a>')
    linked = [(f'<a href="{name}.ipynb">{name}</a>', *rest) for name, *rest in begun]
    lines = [title, *map(text_row, (HEAD, *begun))]
    kept = f"Saved in `{file}`; delete that file to start over."
    about = f"<br><small>{inline(kept)}</small>"
    cells = html_table([HEAD, *linked], ' style="text-align: right"')
    html = box(ASK, f"<b>{title}</b><br>", link, cells, about)
    return Card(html, "\n".join([*lines, after, kept]))


def text_row(cells: tuple[str, ...]) -> str:
    """A row of the table as text."""
    name, questions, exercises, score = cells
    return f"{name:<28}{questions:>10}{exercises:>11}{score:>14}".rstrip()
