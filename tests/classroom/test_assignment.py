"""The assignments that `tools/assignment.py` makes, without nbgrader, which `test_nbgrader` runs.

Here `students` does what nbgrader does to the teacher's version: it removes the marked parts.
"""

from __future__ import annotations

import builtins
import re
import textwrap
from pathlib import Path

import pytest
from nbformat import NotebookNode

from minigrad_course.ask.declare import Exercise
from minigrad_course.desk import ipynb
from tests.classroom.conftest import exercises
from tests.course.rules import plain
from tools import assignment, notebooks
from tools.cell_names import cell_names

MARKED = re.compile(r"### BEGIN (SOLUTION|HIDDEN TESTS)\n.*?\n### END \1(\n|$)", re.DOTALL)


def students(cell: NotebookNode) -> str:
    """The source of a cell as students get it."""
    return MARKED.sub("", cell.source)


def marked(notebook: NotebookNode, exercise: Exercise) -> tuple[NotebookNode, NotebookNode]:
    """The cell of the answer and the one that is graded."""
    cells = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
    name = exercise.id.replace(".", "-")
    return cells[f"ex-{name}-answer"], cells[f"ex-{name}-check"]


def test_each_exercise_is_there_with_as_many_points_as_it_has_stars(chapter: Path) -> None:
    notebook = assignment.source(chapter)
    data = [cell.metadata["nbgrader"] for cell in notebook.cells if "nbgrader" in cell.metadata]
    points = {each["grade_id"]: each["points"] for each in data if each["grade"]}
    own = exercises(chapter.name[:2])
    assert points == {f"ex-{e.id.replace('.', '-')}-check": e.difficulty for e in own}
    assert len({each["grade_id"] for each in data}) == len(data)
    assert all(each["locked"] for each in data if not each["solution"])
    captions = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    for each in own:
        assert f"**Your answer to {each.id} {each.title}** · {each.stars}" in captions


def test_students_get_the_chapters_stubs_and_no_solution(chapter: Path) -> None:
    notebook = assignment.source(chapter)
    stubs = [cell.source for cell in ipynb.read(chapter).cells if cell.cell_type == "code"]
    text = "\n".join(students(cell) for cell in notebook.cells)
    assert not re.search(r"### (BEGIN|END)", text)
    assert "](../" not in text
    assert 'src="../' not in text
    for each in exercises(chapter.name[:2]):
        answer, check = marked(notebook, each)
        assert answer.source.count("### BEGIN SOLUTION") == 1
        assert answer.source.count("### END SOLUTION") == 1
        assert students(answer).strip() in stubs
        assert textwrap.dedent(each.solution) in answer.source
        assert each.solution not in text
        assert f'("{each.id}", ' in students(check)
        assert f'grade("{each.id}", ' in check.source


@pytest.mark.parametrize("number", ["00", "12", "22"])
def test_all_solutions_together_are_right_in_any_folder(number: str, tmp_path: Path) -> None:
    """With the whole library, with a grown one, and with all of it; test_nbgrader has others."""
    (chapter,) = (file for file in ipynb.chapters() if file.name.startswith(number))
    notebook = assignment.source(chapter)
    notebooks.client(notebook, tmp_path).execute()
    for each in exercises(number):
        (shown,) = marked(notebook, each)[1].outputs[-1:]
        assert shown.output_type == "display_data"
        assert f"{each.id} {each.title}: " in shown.data["text/plain"]


def test_run_all_goes_on_after_exercises_without_an_answer(tmp_path: Path) -> None:
    chapter = next(file for file in ipynb.chapters() if file.name.startswith("06"))
    notebook = assignment.source(chapter)
    for cell in notebook.cells:
        cell.source = students(cell)
    notebooks.client(notebook, tmp_path).execute()
    for each in exercises("06"):
        (shown,) = marked(notebook, each)[1].outputs
        assert shown.output_type == "error"
        assert shown.ename == "Mistake"


def test_an_assignment_leaves_out_what_no_exercise_needs(chapter: Path) -> None:
    code = [cell for cell in assignment.source(chapter).cells if cell.cell_type == "code"]
    assert len(code) < len([c for c in ipynb.read(chapter).cells if c.cell_type == "code"])
    assert not any(re.search(r"^predict\(|^score\(", cell.source, re.MULTILINE) for cell in code)
    kept = {name for cell in code for name in notebooks.lib_names(cell)}
    assert kept >= set(notebooks.all_lib_names(ipynb.read(chapter)))


def test_no_cell_needs_one_that_is_left_out(chapter: Path) -> None:
    code = [cell for cell in assignment.source(chapter).cells if cell.cell_type == "code"]
    names = [cell_names(plain(cell.source)) for cell in code]
    known = {*dir(builtins), "display", "get_ipython"}.union(*(each.bound for each in names))
    assert [sorted(each.needed - known) for each in names if each.needed - known] == []


def test_needed_cells_are_found_through_one_another() -> None:
    names = cell_names("def f(a):\n    b = a\n    return b + g(a)\nc = f(d)\n")
    assert names.bound == {"f", "c"}
    assert names.defined == {"f"}
    assert names.needed == {"g", "d"}


VALUES = (
    "00.1 03.1 03.4 04.1 05.1 06.2 07.1 08.2 09.1 10.1 10.7 11.1 11.2 11.3 12.1 13.1 13.2 15.1"
    " 16.1 19.3 20.1 21.1 22.1 22.5"
)


def test_a_value_is_judged_in_a_hidden_test(chapter: Path) -> None:
    notebook = assignment.source(chapter)
    for each in exercises(chapter.name[:2]):
        visible = students(marked(notebook, each)[1])
        value = each.id in VALUES.split()
        assert ("answered(" in visible) == value, each.id
        assert ("grade(" in visible) != value, each.id


def test_a_source_that_is_there_is_left_alone(tmp_path: Path) -> None:
    chapter = ipynb.chapters()[0]
    place = tmp_path / "source" / "exercises_00" / "exercises_00.ipynb"
    assert "with solutions" in assignment.write(chapter, tmp_path)
    assert "### BEGIN SOLUTION" in place.read_text(encoding="utf-8")
    place.write_text("the teacher's own", encoding="utf-8")
    assert "is kept" in assignment.write(chapter, tmp_path)
    assert place.read_text(encoding="utf-8") == "the teacher's own"
