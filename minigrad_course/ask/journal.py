"""What the reader has reached: exercises that passed, answers to predictions, and scores.

It is kept in `progress.json` beside the reader's notebooks, one file for all kernels, in plain
JSON. To start over, delete it. The file is written only in a workbook, the folder that `make lab`
or `minigrad-course lab` has laid out, or wherever MINIGRAD_PROGRESS says. Nowhere else is anything
written, because a notebook on its own, or the executed ones, should not leave files behind.

No exercise depends on it: a file that cannot be read or written is reported once and left alone.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from minigrad_course.ask.cards import ASK, OPEN, Card, box, inline, show
from minigrad_course.ask.declare import EXERCISES, Exercise, load
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
    predictions: dict[str, str] = field(default_factory=dict)  # by id: the letter that was chosen

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
            and all(re.fullmatch("[a-z]", str(value)) for value in predictions.values())
            and set(map(str, exercises.values())) <= {"passed", "tried"}
            and all(_is_score(value) for value in scores.values())
        ):
            raise ValueError("an entry in it is none that the course has written")
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
    """Keep that an exercise was tried or that it passed; a later failure does not undo a pass."""

    def change(journal: Journal) -> None:
        if right or id not in journal.exercises:
            journal.exercises[id] = "passed" if right else "tried"

    _update(change)


def note_prediction(id: str, letter: str) -> None:
    """Keep the answer to a prediction, or forget it if the letter is ""."""

    def change(journal: Journal) -> None:
        journal.predictions.pop(id, None)
        if letter:
            journal.predictions[id] = letter

    _update(change)


def kept_prediction(id: str) -> str:
    """The letter that was chosen; "" if there is none or the file cannot be read."""
    file = progress_file()
    if file is None:
        return ""
    try:
        return Journal.read(file).predictions.get(id, "")
    except (OSError, ValueError) as error:
        _report(file, error)
        return ""


def note_score(chapter: int, right: int, total: int) -> None:
    """Keep the latest score of a chapter: so many programs of the total print right."""

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
    """Say that progress is not kept and why, once per kernel and file."""
    if file not in _reported:
        _reported.add(file)
        show(trouble(file, error))


def trouble(file: Path, error: Exception) -> Card:
    """The message about a file that cannot be used."""
    why = "another notebook is writing" if isinstance(error, TimeoutError) else str(error)
    if isinstance(error, OSError) and error.strerror:
        why = error.strerror
    text = (
        f"Your progress is not kept: `{file.name}` cannot be used ({why}). "
        "Exercises work without it. Delete or rename it to begin anew."
    )
    return Card(box(OPEN, inline(text)), text)


# --- what is shown ------------------------------------------------------------------------------

NOWHERE = (
    "Progress is not kept here, because this notebook is not in a workbook: `minigrad-course lab`"
    " lays one out and opens it."
)


@dataclass(frozen=True)
class Row:
    """A chapter's row in the table."""

    notebook: str
    passed: int
    exercises: int
    score: str


def progress() -> None:
    """Show which exercises have passed, the score of each chapter, and the next exercise.

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


def exercises() -> list[Exercise]:
    """The exercises of the course, in order."""
    names = notebooks()
    for chapter in names:
        load(chapter)
    found = [task for task in EXERCISES.values() if task.id[:2] in names]
    return sorted(found, key=lambda task: (task.id[:2], int(task.id[3:])))


def rows(journal: Journal) -> list[Row]:
    """A row for each chapter, with what the reader has achieved in it."""
    tasks = exercises()
    found = []
    for chapter, name in notebooks().items():
        own = [task.id for task in tasks if task.id[:2] == chapter]
        passed = [id for id in own if journal.exercises.get(id) == "passed"]
        score = journal.scores.get(chapter)
        shown = f"{score[0]} of {score[1]}" if score else ""
        found.append(Row(name.removesuffix(".ipynb"), len(passed), len(own), shown))
    return found


def next_exercise(journal: Journal) -> Exercise | None:
    """The first open exercise from the reader's latest chapter on, or else from the beginning."""
    tasks = exercises()
    latest = [*journal.exercises][-1:] + [*journal.predictions][-1:]
    last = max((id[:2] for id in latest), default="")
    open_ones = [task for task in tasks if journal.exercises.get(task.id) != "passed"]
    return next((task for task in open_ones if task.id[:2] >= last), (open_ones or [None])[0])


def table(journal: Journal, file: str = FILE) -> Card:
    """The card: exercises passed and score of each chapter, the next exercise, and the file."""
    found = rows(journal)
    task = next_exercise(journal)
    passed, total = sum(row.passed for row in found), sum(row.exercises for row in found)
    title = f"{passed} of {total} exercises pass."
    after = "Every exercise of the course passes."
    link = after
    if task is not None:
        name = notebooks()[task.id[:2]]
        after = f"Next: {task.id} {task.title} ({task.stars}, {task.minutes} minutes) in {name}"
        link = inline(after).replace(name, f'<a href="{name}">{name}</a>')
    head = "<tr><td>chapter</td><td>exercises</td><td>score</td></tr>"
    body = "".join(
        f'<tr><td style="text-align: left"><a href="{row.notebook}.ipynb">{row.notebook}</a></td>'
        f"<td>{row.passed} of {row.exercises}</td><td>{row.score}</td></tr>"
        for row in found
    )
    lines = [title, f"{'chapter':<22}{'exercises':>10}{'score':>14}"]
    lines += [
        f"{row.notebook:<22}{f'{row.passed} of {row.exercises}':>10}{row.score:>14}".rstrip()
        for row in found
    ]
    kept = f"Kept in `{file}`; to begin anew, delete it."
    about = f"<br><small>{inline(kept)}</small>"
    html = box(ASK, f"<b>{title}</b>", f"<table>{head}{body}</table>", link, about)
    return Card(html, "\n".join([*lines, after, kept]))
