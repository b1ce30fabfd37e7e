"""tools/recall.py: editions without answers, which run and tell right from wrong."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from course.lines import code_lines
from course.recall import stored, verdict
from tests.course.rules import PREDICT_CALL, exercise_ids, headings, shown_text
from tools import lib_cells, notebooks, recall, workbook

TRIED = ["04_backward", "08_functions"]


def code(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def tasks(notebook: NotebookNode) -> dict[str, str]:
    """The source of the cell where each definition is to be written."""
    return {
        tag.removeprefix(recall.TASK): cell.source
        for cell in notebook.cells
        for tag in notebooks.tags(cell)
        if tag.startswith(recall.TASK)
    }


def bodies(file: Path) -> set[str]:
    """The lines of code that a chapter's definitions add inside of functions."""
    names = notebooks.all_lib_names(notebooks.read(file))
    found, before = set(), set()
    for name in names:
        piece = lib_cells.piece(name, notebooks.number(file), names)
        lines = dict(enumerate(piece.source.splitlines(), 1))
        inside = {
            number
            for function in recall.outermost(lib_cells.ast.parse(piece.source))
            for number in range(function.body[0].lineno, (function.end_lineno or 0) + 1)
        }
        before |= {line.strip() for line in (piece.before or "").splitlines()}
        own = inside & code_lines(piece.source)
        found |= {lines[number].partition("  # new")[0].strip() for number in own}
    return found - before


def filled(notebook: NotebookNode, chapter: int) -> NotebookNode:
    """An edition in which somebody has written what the library has."""
    names = list(tasks(notebook))
    for cell in notebook.cells:
        own = [tag.removeprefix(recall.TASK) for tag in notebooks.tags(cell)]
        if own:
            cell.source = lib_cells.lib_source(own, chapter, names)
    return notebook


def run(notebook: NotebookNode, folder: Path) -> list[NotebookNode]:
    """Run an edition; the cells that are compared with the chapter."""
    notebooks.client(notebook, folder).execute()
    return [cell for cell in code(notebook) if cell.source.startswith("%%same ")]


@cache
def chapter_named(stem: str) -> Path:
    return notebooks.NOTEBOOKS / f"{stem}.ipynb"


# --- what an edition holds ------------------------------------------------------------------------


def test_no_line_of_a_body_is_told(chapter: Path) -> None:
    """What the chapter's own programs say in the same words is no secret."""
    lib = {cell.id for cell in code(notebooks.read(chapter)) if notebooks.lib_names(cell)}
    plain = [cell.source for cell in notebooks.read(chapter).cells if cell.id not in lib]
    known = {line.strip() for source in plain for line in source.splitlines()}
    told = {
        line.strip() for cell in recall.edition(chapter).cells for line in cell.source.split("\n")
    }
    assert bodies(chapter) & told <= known


def test_the_bodies_are_seen() -> None:
    assert "heappush(self.ready, node)" in bodies(chapter_named("04_backward"))
    assert "node._retain(grads)" in bodies(chapter_named("05_leaves"))
    assert "results = node.backward(*grads)" not in bodies(chapter_named("05_leaves"))


def test_nothing_is_shown_and_nothing_is_missing(chapter: Path) -> None:
    whole, edition = notebooks.read(chapter), recall.edition(chapter)
    assert all(not cell.outputs and cell.execution_count is None for cell in code(edition))
    assert list(tasks(edition)) == notebooks.all_lib_names(whole)
    assert exercise_ids(edition) == exercise_ids(whole)
    asked = [
        PREDICT_CALL.findall("\n".join(cell.source for cell in code(one)))
        for one in (whole, edition)
    ]
    assert asked[0] == asked[1]
    assert headings(edition) == headings(whole)
    assert "you can predict\n\n-" not in "\n".join(cell.source for cell in edition.cells)
    notebooks.as_text(edition)  # which says if it is no notebook


def test_a_definition_leaves_signature_and_docstring() -> None:
    edition = recall.edition(chapter_named("04_backward"))
    task = tasks(edition)["minigrad.core.engine.BackwardPass.execute"]
    assert task.split("\n\n")[0] == (
        "@method_of(BackwardPass)\n"
        "def execute(self, edges: Sequence[Edge], grads: Grads) -> None:\n"
        '    """Run every node once, when all its gradients are there, the newest first."""\n'
        "    # sets: self.dependencies, self.input_buffers, self.ready\n"
        "    # may use: count_dependencies, heappop\n"
        '    raise NotImplementedError("BackwardPass.execute")'
    )


def test_what_has_grown_is_given_as_it_was() -> None:
    edition = recall.edition(chapter_named("05_leaves"))
    source = tasks(edition)["minigrad.core.engine.BackwardPass.run_node"]
    assert f"{recall.GROWN}\n@method_of(BackwardPass)\ndef run_node(" in source
    assert source.endswith("    results = node.backward(*grads)\n    return results")


def test_the_members_of_a_class_are_to_be_written() -> None:
    edition = recall.edition(chapter_named("03_recording"))
    source = tasks(edition)["minigrad.core.node.SavedTensor"]
    assert 'raise NotImplementedError("SavedTensor.__init__")' in source
    assert 'raise NotImplementedError("SavedTensor.unpack")' in source
    assert '"""The tensor that `node` saved."""' in source


def test_goals_are_questions_and_links_lead_somewhere() -> None:
    edition = recall.edition(chapter_named("04_backward"))
    prose = [cell.source for cell in edition.cells if cell.cell_type == "markdown"]
    assert prose[1].startswith("## Goals\n\nCan you still predict, without the chapter? Write")
    assert "## The puzzle\n\nThe program below" in "\n".join(prose)
    folder = workbook.FOLDER / "recall"
    for target in re.findall(r"\]\((\.\.[^)#]+)", "\n".join(prose)):
        assert (folder / target).resolve().exists(), target


def test_programs_find_files_from_any_folder(chapter: Path) -> None:
    """An edition lies a folder deeper than its chapter, an assignment elsewhere."""
    assert not re.findall(
        r"""["']\.\./[^"']*""", "\n".join(cell.source for cell in code(notebooks.read(chapter)))
    )


# --- running it -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "stem", ["04_backward", pytest.param("08_functions", marks=pytest.mark.thorough)]
)
def test_right_definitions_show_what_the_chapter_shows(stem: str, tmp_path: Path) -> None:
    """The last of the programs is the score."""
    file = chapter_named(stem)
    compared = run(filled(recall.edition(file), notebooks.number(file)), tmp_path)
    assert compared[-1].source.endswith("\nscore()")
    wrong = {cell.source for cell in compared if "As in the chapter." not in shown_text(cell)}
    assert not wrong
    assert len(compared) > 15


@pytest.mark.thorough
@pytest.mark.parametrize("stem", TRIED)
def test_without_definitions_it_runs_and_says_what_is_missing(stem: str, tmp_path: Path) -> None:
    edition = recall.edition(chapter_named(stem))
    compared = run(edition, tmp_path)
    shown = Counter(
        word
        for cell in compared
        for word in ("As in the chapter.", "is not written yet.", "shows something else here.")
        if word in shown_text(cell)
    )
    assert shown["is not written yet."] > 5
    checks = [cell for cell in code(edition) if notebooks.checked_exercise(cell)]
    assert all("not attempted yet" in shown_text(cell) for cell in checks)


@pytest.mark.thorough
def test_a_wrong_definition_is_noticed(tmp_path: Path) -> None:
    file = chapter_named("04_backward")
    edition = filled(recall.edition(file), 4)
    sources = [cell.source for cell in edition.cells]
    edition.cells = edition.cells[: sources.index("## Why a ready node is complete")]
    for cell in edition.cells:
        cell.source = cell.source.replace("before + grad", "grad")
    compared = run(edition, tmp_path)
    shown = [shown_text(cell) for cell in compared]
    assert any("The chapter shows something else here." in text for text in shown)
    assert "As in the chapter." in shown[0]  # what is before it is right


def test_the_verdict() -> None:
    assert verdict(["a", "b"], ["a", "b"]).text == "As in the chapter."
    card = verdict(["a"], ["b <c>"])
    assert card.text == "The chapter shows something else here."
    assert "b &lt;c&gt;" in card.html


def test_addresses_are_not_compared() -> None:
    outputs = [
        v4.new_output("stream", text="<object at 0x7f0000000000>\n"),
        v4.new_output("display_data", {"text/plain": "a drawing", "image/png": "…"}),
    ]
    assert stored(outputs) == ["<object at 0x…>\n", "a drawing"]


# --- the files ------------------------------------------------------------------------------------


def test_what_was_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setattr(workbook, "FOLDER", tmp_path / "workbook")
    monkeypatch.setattr(notebooks, "chapters", lambda: [chapter_named(stem) for stem in TRIED])
    recall.main([])
    place = tmp_path / "workbook" / "recall" / "04_backward.ipynb"
    mine = notebooks.read(place)
    task = next(cell for cell in mine.cells if notebooks.tags(cell))
    task.source = task.source.replace("raise NotImplementedError", "return grad  #")
    place.write_text(notebooks.as_text(mine), encoding="utf-8")
    before = place.read_text(encoding="utf-8")
    recall.main([])
    assert place.read_text(encoding="utf-8") == before
    recall.main(["--fresh", "04"])
    assert (place.parent / "04_backward_mine.ipynb").read_text(encoding="utf-8") == before
    assert "04_backward.ipynb is a fresh copy." in capsys.readouterr().out
    with pytest.raises(SystemExit, match="there is no notebook '77'"):
        recall.main(["--fresh", "77"])


def test_the_command_for_a_fresh_one_is_that_of_the_recall_editions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    monkeypatch.setattr(notebooks, "chapters", lambda: [chapter_named("04_backward")])
    (tmp_path / "04_backward.ipynb").write_text("mine", encoding="utf-8")
    (said,) = workbook.update((), recall.edition, tmp_path, recall.COMMAND)
    assert said.endswith('make recall RECALL_ARGS="--fresh 04"')
