"""desk/workbook.py: copies hide answers, follow the course, and keep what the reader wrote."""

from __future__ import annotations

import gc
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4
from nbformat.sign import NotebookNotary

from minigrad_course.ask.declare import EXERCISES, load
from minigrad_course.desk import ipynb, workbook
from tools import notebooks

NAME = "03_here.ipynb"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workbook of a course of two chapters."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    (tmp_path / "notebooks").mkdir()
    files = [tmp_path / "notebooks" / name for name in ("02_before.ipynb", NAME)]
    for file in files:
        publish(file, "1 + 1")
    monkeypatch.setattr(ipynb, "chapters", lambda: files)
    monkeypatch.setattr(workbook, "CHECKOUT", tmp_path)
    assert workbook.update(tmp_path / "workbook") == []
    return tmp_path / "workbook"


def publish(file: Path, source: str) -> None:
    """Write an executed notebook into the course."""
    result = v4.new_output("execute_result", {"text/plain": "2"}, execution_count=1)
    drawing = v4.new_output("execute_result", {"text/plain": "a drawing"}, execution_count=2)
    cells = [
        v4.new_markdown_cell("# Here", id="a"),
        v4.new_code_cell(source, id="b", outputs=[result], execution_count=1),
        v4.new_code_cell(
            "draw(z)",
            id="c",
            outputs=[drawing],
            execution_count=2,
            metadata={"tags": ["keep-output"]},
        ),
    ]
    notebook = v4.new_notebook(cells=cells)
    notebooks.clean(notebook)
    file.write_text(ipynb.as_text(notebook), encoding="utf-8")


def change(place: Path, edit: Callable[[NotebookNode], object]) -> str:
    """Apply `edit` and save the notebook as JupyterLab does; return the text of the file."""
    notebook = ipynb.read(place)
    edit(notebook)
    place.write_text(ipynb.as_text(notebook), encoding="utf-8")
    return place.read_text(encoding="utf-8")


def write_an_answer(notebook: NotebookNode) -> None:
    notebook.cells[1].source = "1 + 2"


def run_all(notebook: NotebookNode) -> None:
    """Add what a kernel and JupyterLab leave: outputs, counts, a version, an empty last cell."""
    notebook.cells[1].outputs = [v4.new_output("stream", text="2")]
    notebook.cells[1].execution_count = 7
    notebook.cells[1].metadata.scrolled = True
    notebook.cells.append(v4.new_code_cell(""))
    notebook.metadata.language_info.version = "3.99.1"


def sources(place: Path) -> list[str]:
    return [cell.source for cell in ipynb.read(place).cells]


def test_a_copy_keeps_only_the_tagged_outputs(folder: Path) -> None:
    notebook = ipynb.read(folder / NAME)
    _, cleared, kept = notebook.cells
    assert (cleared.outputs, cleared.execution_count) == ([], None)
    assert kept.outputs[0].data["text/plain"] == "a drawing"  # the tag says so
    assert (kept.execution_count, kept.outputs[0].execution_count) == (None, None)
    assert [cell.id for cell in notebook.cells] == ["a", "b", "c"]
    assert notebook.metadata.items() >= notebooks.NOTEBOOK_METADATA.items()
    notary = NotebookNotary()
    with closing(notary.store):
        assert notary.check_signature(notebook)


@pytest.mark.usefixtures("collector_off")
def test_signing_leaves_no_database_open(folder: Path) -> None:
    """Python 3.13 warns about one that is left to the garbage collector."""
    publish(ipynb.chapters()[1], "1 + 1 + 0")
    before = connections()
    assert workbook.update(folder) != []
    for connection in connections():
        if not any(connection is each for each in before):  # left by other tests
            with pytest.raises(sqlite3.ProgrammingError, match="closed database"):
                connection.execute("")


def connections() -> list[sqlite3.Connection]:
    """All database connections. `type`, because `isinstance` may run the code of other objects."""
    kind = sqlite3.Connection
    return [each for each in gc.get_objects() if issubclass(type(each), kind)]


def test_what_the_reader_wrote_stays_when_the_course_changes(folder: Path) -> None:
    mine = change(folder / NAME, write_an_answer)
    assert workbook.update(folder) == []
    publish(ipynb.chapters()[1], "1 + 1 + 0")
    (said,) = workbook.update(folder)
    assert (folder / NAME).read_text(encoding="utf-8") == mine
    assert said.startswith(f"{NAME} has changed in the course. You have edited yours")
    assert 'make lab LAB_ARGS="--fresh 03"' in said
    assert sorted(file.name for file in folder.glob("*.ipynb")) == ["02_before.ipynb", NAME]


def test_cells_that_were_only_run_follow_the_course(folder: Path) -> None:
    change(folder / NAME, run_all)
    before = (folder / NAME).read_text(encoding="utf-8")
    assert workbook.update(folder) == []
    assert (folder / NAME).read_text(encoding="utf-8") == before  # the outputs stay
    publish(ipynb.chapters()[1], "1 + 1 + 0")
    (said,) = workbook.update(folder)
    assert said.startswith(f"{NAME} has changed in the course. You had not edited it")
    assert sources(folder / NAME)[1] == "1 + 1 + 0"
    assert workbook.update(folder) == []


@pytest.mark.parametrize("name", ["03", "03_here", NAME, "all"])
def test_a_fresh_copy_keeps_the_readers_beside_it(folder: Path, name: str) -> None:
    first = change(folder / NAME, write_an_answer)
    said = workbook.update(folder, [name])[-1]
    assert said == f"{NAME} is now a fresh copy, and yours is 03_here_mine.ipynb."
    assert sources(folder / NAME)[1] == "1 + 1"
    second = change(folder / NAME, lambda nb: nb.cells.append(v4.new_code_cell("2")))
    assert "03_here_mine_2.ipynb" in workbook.update(folder, [name])[-1]
    assert (folder / "03_here_mine.ipynb").read_text(encoding="utf-8") == first
    assert (folder / "03_here_mine_2.ipynb").read_text(encoding="utf-8") == second


def test_a_fresh_copy_of_a_notebook_that_was_only_run(folder: Path) -> None:
    change(folder / NAME, run_all)
    assert workbook.update(folder, ["03"]) == [f"{NAME} is now a fresh copy."]
    assert ipynb.read(folder / NAME).cells[1].outputs == []
    assert len([*folder.glob("*.ipynb")]) == 2


@pytest.mark.parametrize("text", ["", "{", "[]", '{"cells": []}'])
def test_a_file_that_is_not_a_notebook_is_left_alone(folder: Path, text: str) -> None:
    (folder / NAME).write_text(text, encoding="utf-8")
    assert "so it was left alone" in workbook.update(folder)[0]
    assert (folder / NAME).read_text(encoding="utf-8") == text
    said = f"{NAME} is now a fresh copy, and yours is 03_here_mine.ipynb."
    assert workbook.update(folder, ["03"]) == [said]


def test_a_deleted_notebook_is_restored(folder: Path) -> None:
    (folder / NAME).unlink()
    assert workbook.update(folder) == []
    assert sources(folder / NAME)[1] == "1 + 1"


def test_a_notebook_that_does_not_exist(folder: Path) -> None:
    with pytest.raises(LookupError, match="there is no notebook '07'; the notebooks are 02, 03"):
        workbook.update(folder, ["07"])


def test_the_explained_drawings_are_kept() -> None:
    """Only notebook 00 keeps outputs, the ones below "How to read the drawings"."""
    kept = {
        (file.name, cell.source.splitlines()[-1])
        for file in ipynb.chapters()
        for cell in workbook.copied(file).cells
        if cell.get("outputs")
    }
    assert {name for name, _ in kept} == {"00_start_here.ipynb"}
    assert {line.partition("(")[0] for _, line in kept} == {"draw"}


def test_each_exercise_says_how_hard_and_how_long_it_is(chapter: Path) -> None:
    """`check` shows it in the executed notebooks, and the cell that calls it in the copies."""
    load(chapter.name[:2])
    whole, copy = ipynb.read(chapter), workbook.copied(chapter)
    for cell, cleared in zip(whole.cells, copy.cells, strict=True):
        if id := notebooks.checked_exercise(cell):
            task = EXERCISES[id]
            (html,) = [output.data["text/html"] for output in cell.outputs]
            assert f"{task.stars} · {task.minutes} minutes" in html
            assert cleared.source == f"{cell.source}  # {task.stars} {task.minutes} minutes"
            assert task.hint
            assert task.solution


def test_an_exercise_that_is_not_declared_stays_as_it_is() -> None:
    assert workbook.with_effort('check("03.99", f)') == 'check("03.99", f)'
