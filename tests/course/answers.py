"""Exercises tried in their notebook's kernel: solutions are right, and each mistake is named.

An answer takes the place of the answer cell, so it sees the names that the notebook has defined.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from nbformat import NotebookNode, v4
from nbval.plugin import IPyNbFile

from course.declare import EXERCISES, Exercise, load
from tests.course.rules import shown_text
from tools import notebooks

TIMEOUT = 120.0  # seconds for an answer, as for a notebook's cell


def answers(exercise: Exercise) -> Iterator[tuple[str, str, list[str]]]:
    """A label, the source and what the check has to show, for each declared answer."""
    title = f"{exercise.id} {exercise.title}"
    for says, source in exercise.wrong.items():
        yield f"{exercise.id} wrong ({says})", source, [f"{title}: not yet", says]
    yield f"{exercise.id} solution", exercise.solution, [f"{title}: correct", exercise.right]


def checks(notebook: NotebookNode) -> Iterator[tuple[str, str, str]]:
    """The id, the stub and the check of each exercise of a notebook."""
    stub = ""
    for cell in notebook.cells:
        if id := notebooks.checked_exercise(cell):
            yield id, stub, cell.source
        elif cell.cell_type == "code":
            stub = cell.source


def failures(client: BlockingKernelClient, id: str, stub: str, check: str) -> list[str]:
    """What the check of an exercise says other than it must; the stub is put back at the end.

    The cells before the exercise have run in the kernel of `client`.
    """
    wrong = []
    for label, source, expected in answers(EXERCISES[id]):
        said = shown(client, source) + shown(client, check)
        wrong += [
            f"{label}: shows {said!r}, not {missing!r}"
            for missing in expected
            if missing not in said
        ]
    shown(client, stub)
    return wrong


def shown(client: BlockingKernelClient, source: str) -> str:
    """What a cell with this source shows as text, errors too."""
    cell = v4.new_code_cell(source)

    def keep(message: dict[str, Any]) -> None:
        if message["msg_type"] in {"stream", "display_data", "execute_result"}:
            cell.outputs.append(v4.output_from_msg(message))
        elif message["msg_type"] == "error":
            text = "\n".join(message["content"]["traceback"])
            cell.outputs.append(v4.new_output("stream", text=text))

    client.execute_interactive(
        source, store_history=False, allow_stdin=False, output_hook=keep, timeout=TIMEOUT
    )
    return shown_text(cell)


class Answers(pytest.Item):
    """The declared answers of one exercise, tried when all cells of its notebook have run."""

    parent: IPyNbFile

    def __init__(self, *, stub: str, check: str, **own: Any) -> None:
        super().__init__(**own)
        self.stub, self.check = stub, check

    def runtest(self) -> None:
        assert self.parent.kernel is not None
        found = failures(self.parent.kernel.kc, self.name, self.stub, self.check)
        assert not found, "\n".join(found)

    def reportinfo(self) -> tuple[Path, None, str]:
        return self.path, None, f"{self.path.name}: answers to {self.name}"


def of(file: IPyNbFile) -> Iterator[Answers]:
    """A test for each exercise of a notebook that nbval runs."""
    load(file.path.name[:2])
    for id, stub, check in checks(notebooks.read(file.path)):
        yield Answers.from_parent(file, name=id, stub=stub, check=check)
