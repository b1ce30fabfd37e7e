"""Tries answers in their notebook's kernel: solutions pass, and each mistake gets its message.

An answer replaces the answer cell, so it sees all names that the notebook has defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from nbformat import NotebookNode, v4
from nbval.plugin import IPyNbFile

from minigrad_course.ask.declare import EXERCISES, Exercise, load
from minigrad_course.desk import ipynb
from tests.course.rules import shown_text
from tests.course.wrong_answers import wrong_answers
from tools import notebooks

TIMEOUT = 120.0  # seconds for an answer, as for a notebook's cell


def answers(exercise: Exercise) -> Iterator[tuple[str, str, list[str]]]:
    """For each wrong answer and the solution, a label, the source and what the check must show."""
    title = f"{exercise.id} {exercise.title}"
    for says, source in wrong_answers(exercise.id).items():
        yield f"{exercise.id} wrong ({says})", source, [f"{title}: not yet", says]
    yield f"{exercise.id} solution", exercise.solution, [f"{title}: correct", exercise.right]


def checks(notebook: NotebookNode) -> Iterator[tuple[str, str, str]]:
    """The id, the stub and the source of the check for each exercise of a notebook."""
    stub = ""
    for cell in notebook.cells:
        if id := notebooks.checked_exercise(cell):
            yield id, stub, cell.source
        elif cell.cell_type == "code":
            stub = cell.source


def failures(client: BlockingKernelClient, id: str, stub: str, check: str) -> list[str]:
    """What is wrong with the messages to an exercise's answers; the stub is put back at the end.

    The cells before the exercise have run in the kernel of `client`. A message must come from the
    check: the text of an error, which is quoted below it, does not count.
    """
    found: list[str] = []
    label_of: dict[str, str] = {}
    for label, source, expected in answers(EXERCISES[id]):
        shown(client, source)
        message = shown(client, check).partition("\n\n`")[0]
        found += [
            f"{label}: shows {message!r}, not {missing!r}"
            for missing in expected
            if missing not in message
        ]
        first = label_of.setdefault(message, label)
        if first != label:
            found.append(f"{label}: gets the same message as {first}")
    shown(client, stub)
    return found


def run(client: BlockingKernelClient, source: str) -> NotebookNode:
    """A cell with this source and what it shows, errors too."""
    cell = v4.new_code_cell(source)

    def keep(message: dict[str, Any]) -> None:
        if message["msg_type"] in {"stream", "display_data", "execute_result", "error"}:
            cell.outputs.append(v4.output_from_msg(message))

    client.execute_interactive(
        source, store_history=False, allow_stdin=False, output_hook=keep, timeout=TIMEOUT
    )
    return cell


def shown(client: BlockingKernelClient, source: str) -> str:
    """What a cell with this source shows as text, errors too."""
    cell = run(client, source)
    outputs = cell.outputs
    failed = ["\n".join(each.traceback) for each in outputs if each.output_type == "error"]
    return "\n".join([shown_text(cell), *failed])


class Answers(pytest.Item):
    """All answers to one exercise, tried after the last cell of its notebook."""

    parent: IPyNbFile

    def __init__(self, *, stub: str, check: str, **options: Any) -> None:
        super().__init__(**options)
        self.stub, self.check = stub, check

    def runtest(self) -> None:
        assert self.parent.kernel is not None
        found = failures(self.parent.kernel.kc, self.name, self.stub, self.check)
        assert not found, "\n".join(found)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.path.name}: answers to {self.name}"


def answer_tests(file: IPyNbFile) -> Iterator[Answers]:
    """A test for each exercise of a notebook that nbval runs."""
    load(file.path.name[:2])
    for id, stub, check in checks(ipynb.read(file.path)):
        yield Answers.from_parent(file, name=id, stub=stub, check=check)
