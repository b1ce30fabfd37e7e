"""Each exercise, in its notebook's kernel: stubs are open, solutions right, each mistake is named.

Solutions and wrong answers take the place of the answer cell, so they see what the learner's answer
sees: the names that the notebook has defined up to there.
"""

from __future__ import annotations

import copy
from pathlib import Path
from typing import NamedTuple

from nbformat import NotebookNode, v4

from course.declare import EXERCISES, Exercise, load
from tests.course.rules import shown_text
from tools import notebooks


class Trial(NamedTuple):
    """An answer put in place of the stub, the cell that checks it, and what that must show."""

    label: str
    cell: NotebookNode
    expected: list[str]


def with_answers(notebook: NotebookNode) -> tuple[NotebookNode, list[Trial]]:
    """A copy that tries every answer below the check of its exercise and then restores the stub.

    It ends with the last exercise: what comes after it, such as the score, sees no answer.
    """
    trials: list[Trial] = []
    cells: list[NotebookNode] = []
    stub = ""
    end = 0
    for cell in copy.deepcopy(notebook.cells):
        cells.append(cell)
        id = notebooks.checked_exercise(cell)
        if id:
            exercise = EXERCISES[id]
            trials.append(Trial(f"{id} stub", cell, [f"{title(exercise)}: not attempted yet"]))
            for label, answer, expected in answers(exercise):
                check = v4.new_code_cell(cell.source)
                cells += [v4.new_code_cell(answer), check]
                trials.append(Trial(label, check, expected))
            end = len(cells)
            cells.append(v4.new_code_cell(stub))
        elif cell.cell_type == "code":
            stub = cell.source
    changed = copy.deepcopy(notebook)
    changed.cells = cells[:end]
    return changed, trials


def title(exercise: Exercise) -> str:
    return f"{exercise.id} {exercise.title}"


def answers(exercise: Exercise) -> list[tuple[str, str, list[str]]]:
    """A label, the source and what the check must show, for each declared answer."""
    wrong = [
        (f"{exercise.id} wrong ({says})", source, [f"{title(exercise)}: not yet", says])
        for says, source in exercise.wrong.items()
    ]
    right = [f"{title(exercise)}: correct", exercise.right]
    return [*wrong, (f"{exercise.id} solution", exercise.solution, right)]


def failures(file: Path) -> list[str]:
    """What the checks of a notebook say other than they must."""
    notebook, trials = with_answers(notebooks.read(file))
    notebooks.client(notebook, file.parent).execute()
    return [
        f"{trial.label}: shows {shown_text(trial.cell)!r}, not {missing!r}"
        for trial in trials
        for missing in trial.expected
        if missing not in shown_text(trial.cell)
    ]


def test_answers_get_their_verdicts(chapter: Path) -> None:
    load(chapter.name[:2])
    assert failures(chapter) == []


def test_sample_answers_get_their_verdicts(sample_file: Path) -> None:
    assert failures(sample_file) == []


def test_a_message_that_does_not_come_is_noticed(sample_file: Path) -> None:
    exercise = EXERCISES["99.1"]
    renamed = {f"{says} in Klingon": source for says, source in exercise.wrong.items()}
    changed = Exercise(**{**vars(exercise), "wrong": renamed, "solution": "cube_slope = abs"})
    EXERCISES["99.1"] = changed
    try:
        found = failures(sample_file)
    finally:
        EXERCISES["99.1"] = exercise
    assert len(found) == 4
    assert "forgot the factor in Klingon" in found[0]
    assert found[-1].endswith("not 'Every power falls to this rule.'")
