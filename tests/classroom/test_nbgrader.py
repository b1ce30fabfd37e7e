"""nbgrader hands out, collects and grades the assignments: python -m pytest tests/classroom

It needs the extra `classroom`, so `make test` leaves it out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError

import pytest
from nbgrader.api import Gradebook

from minigrad_course.ask.declare import Exercise
from minigrad_course.desk import ipynb
from tests import lab_server
from tests.classroom.conftest import exercises
from tests.course.wrong_answers import wrong_answers
from tools import assignment

# One whose answers use the chapter's classes, one with Functions, one that trains.
NAMES = ("exercises_04", "exercises_08", "exercises_16")
STUDENTS = ("untouched", "solved", "half", "cheat")
HANDED_IN = [*((NAMES[0], each) for each in STUDENTS), (NAMES[1], "half"), (NAMES[2], "solved")]


def nbgrader(folder: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "nbgrader", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def mistaken(name: str) -> list[Exercise]:
    """Every second exercise, in which the student `half` makes one of the known mistakes."""
    return exercises(name[-2:])[::2]


def hand_in(folder: Path, name: str, student: str) -> None:
    """Put the released notebook, as `student` fills it in, into the folder of submissions."""
    notebook = ipynb.read(folder / "release" / name / f"{name}.ipynb")
    cells = {
        cell.metadata.nbgrader.grade_id: cell
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    }
    for each in exercises(name[-2:]):
        place = f"ex-{each.id.replace('.', '-')}"
        answer, check = cells[f"{place}-answer"], cells[f"{place}-check"]
        if student == "solved" or (student == "half" and each not in mistaken(name)):
            answer.source = each.solution
        elif student == "half":
            answer.source = next(iter(wrong_answers(each.id).values()))
        elif student == "cheat":
            answered_with = check.source.strip().split("\n")[-1].partition(", ")[2].rstrip(")")
            answer.source = f"def {answered_with}(*_):\n    raise SystemExit\n\n\n"
            answer.source += "check = grade = answered = print"
            check.source = f"try:\n    grade({answered_with})\nexcept BaseException:\n    pass"
    place = folder / "submitted" / student / name / f"{name}.ipynb"
    place.parent.mkdir(parents=True)
    place.write_text(ipynb.as_text(notebook), encoding="utf-8")


@pytest.fixture(scope="module")
def classroom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A course folder in which all has been handed out, handed in and graded."""
    folder = tmp_path_factory.mktemp("checkout") / "assignments"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "FOLDER", folder)
        assignment.main([name[-2:] for name in NAMES])
        for name, student in HANDED_IN:
            hand_in(folder, name, student)
        for name in NAMES:
            nbgrader(folder, "autograde", name)
        yield folder


@pytest.mark.parametrize(("name", "student"), HANDED_IN)
def test_each_student_gets_the_right_points(classroom: Path, name: str, student: str) -> None:
    full = sum(each.difficulty for each in exercises(name[-2:]))
    lost = {
        "untouched": full,
        "solved": 0,
        "half": sum(each.difficulty for each in mistaken(name)),
        "cheat": full,
    }
    with Gradebook(f"sqlite:///{classroom / 'gradebook.db'}") as gradebook:
        submission = gradebook.find_submission(name, student)
        assert (submission.score, submission.max_score) == (full - lost[student], full)
        assert not submission.needs_manual_grade


@pytest.mark.parametrize("name", NAMES)
def test_students_get_no_solution(classroom: Path, name: str) -> None:
    text = (classroom / "release" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    assert not re.search(r"### (BEGIN|END)", text)
    notebook = ipynb.read(classroom / "release" / name / f"{name}.ipynb")
    sources = "\n".join(cell.source for cell in notebook.cells)
    for each in exercises(name[-2:]):
        assert each.solution not in sources
        assert f"{each.id} {each.title}** · " in sources


@pytest.mark.parametrize(("student", "says"), [("solved", "Success"), ("half", "failed")])
def test_students_can_validate_what_they_hand_in(classroom: Path, student: str, says: str) -> None:
    name = NAMES[0]
    file = f"submitted/{student}/{name}/{name}.ipynb"
    command = [sys.executable, "-m", "nbgrader", "validate", file]
    done = subprocess.run(command, cwd=classroom, capture_output=True, text=True)
    assert says in done.stdout, done.stdout + done.stderr


def test_feedback_and_grades_can_be_handed_out(classroom: Path) -> None:
    name = NAMES[0]
    nbgrader(classroom, "generate_feedback", name)
    page = classroom / "feedback" / "half" / name / f"{name}.html"
    wrong = next(iter(wrong_answers(mistaken(name)[-1].id)))
    assert wrong in page.read_text(encoding="utf-8")
    nbgrader(classroom, "export")
    assert "solved" in (classroom / "grades.csv").read_text(encoding="utf-8")


def test_the_everyday_lab_shows_nothing_of_it(tmp_path: Path) -> None:
    with lab_server.running(tmp_path, "--no-browser", "--port=0") as server:
        found = re.search(r'id="jupyter-config-data"[^>]*>(.*?)</script>', server.ask("lab"), re.S)
        assert found
        page = json.loads(found[1])
        installed = {each["name"] for each in page["federated_extensions"]}
        brought = {"@jupyter/nbgrader", "@jupyter-notebook/lab-extension"}
        assert brought <= installed & set(page["disabledExtensions"])
        for place in ("formgrader", "courses", "tree"):
            with pytest.raises(HTTPError, match="404"):
                server.ask(place)
