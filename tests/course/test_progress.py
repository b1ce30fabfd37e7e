"""progress() stores what the reader has done where they work, and never gets in the way."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import filelock
import pytest

from minigrad_course import check, grade, predict, progress, score
from minigrad_course.ask import journal, scoring
from minigrad_course.ask.cards import Card
from minigrad_course.ask.declare import EXERCISES, PREDICTIONS, load
from minigrad_course.ask.journal import Journal, note_exercise, note_score
from minigrad_course.ask.predictions import keep_answer
from minigrad_course.kernel.places import WORKBOOK_MARK
from tools import notebooks

WRITER = """
import sys
from minigrad_course.kernel.places import WORKBOOK_MARK
from minigrad_course.ask.journal import note_exercise
for number in range(40):
    note_exercise(f"{sys.argv[1]}.{number}", True)
"""


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of a reader who works in a workbook."""
    (tmp_path / "workbook").mkdir()
    (tmp_path / "workbook" / WORKBOOK_MARK).touch()
    monkeypatch.setattr(journal, "_reported", set())
    monkeypatch.delenv(journal.FILE_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path / "workbook")
    load("16")
    return tmp_path / "workbook" / "progress.json"


def python(program: str, *arguments: str, folder: Path, **environment: str) -> str:
    """What a program prints in a new process."""
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def solve(id: str) -> object:
    """The right answer of an exercise whose answer is a function of plain Python."""
    names: dict[str, object] = {}
    exec(EXERCISES[id].solution, names)
    return names["cube_slope"]


def test_check_stores_its_verdict(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    check("99.1", ...)
    assert not kept.exists()  # a stub is not an attempt
    check("99.1", lambda x: x)
    assert Journal.read(kept).exercises == {"99.1": "tried"}
    check("99.1", solve("99.1"))
    check("99.1", lambda x: x)  # an exercise that has passed stays passed
    assert Journal.read(kept).exercises == {"99.1": "passed"}
    assert capsys.readouterr().out.count("99.1") == 4


def test_grade_stores_nothing(kept: Path) -> None:
    grade("99.1", solve("99.1"))
    assert not kept.exists()


def test_a_score_is_stored(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = scoring.Score(4, tuple(list(scoring.scored_programs(4))[:7]))
    monkeypatch.setattr(scoring, "measure", lambda notebook: found)
    score()
    assert Journal.read(kept).scores == {"04": [7, len(scoring.scored_programs(4))]}


def test_the_table(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for id in ("04.1", "04.2", "16.1", "04.3"):
        note_exercise(id, id != "04.2")
    note_score(4, 30, 150)
    note_score(4, 55, 150)
    keep_answer("04.a", "ab")
    progress()
    lines = capsys.readouterr().out.splitlines()
    rows = journal.rows(Journal({}, {}))
    questions, exercises = sum(row.questions for row in rows), sum(row.exercises for row in rows)
    assert lines[0] == (
        f"You have answered 1 of {questions} questions and passed 3 of {exercises} exercises."
    )
    (line,) = [line for line in lines if line.startswith("04_backward")]
    assert " ".join(line.split()) == "04_backward 1 of 4 2 of 4 55 of 150"
    assert [line[:2] for line in lines[2:-2]] == ["04", "16"]  # the others were not begun


def everything(*chapters: str) -> Journal:
    """The journal of a reader who has done all there is in these chapters."""
    for chapter in chapters:
        load(chapter)
    passed = {id: "passed" for id in EXERCISES if id[:2] in chapters}
    return Journal(passed, {}, {id: "a" for id in PREDICTIONS if id[:2] in chapters})


def next_of(kept: Journal) -> str:
    return journal.what_is_next(journal.next_row(journal.rows(kept)))


def test_what_comes_next() -> None:
    """What the reader has begun and not finished, and then what follows it."""
    names = journal.notebooks()
    first, second, third, last = (names[each] for each in ("00", "01", "04", max(names)))
    assert next_of(Journal({}, {})) == f"Next: begin {first}"
    done = everything("00", "04")
    assert next_of(done).startswith("Next: begin 05_")  # and not the chapters left out before
    del done.predictions["04.a"], done.exercises["04.2"]
    assert next_of(done) == f"Next: 1 unanswered question in {third}"
    done.predictions["04.a"] = "b"
    assert next_of(done) == f"Next: exercise 04.2 {describe('04.2')} in {third}"
    done.exercises["01.1"] = "tried"  # begun now, and earlier than 04
    questions = sum(id.startswith("01.") for id in PREDICTIONS)
    assert next_of(done) == f"Next: {questions} unanswered questions in {second}"
    assert next_of(everything(*set(names) - {"02"})).endswith(names["02"])
    assert next_of(everything(*set(names) - {max(names)})) == f"Next: begin {last}"
    assert next_of(everything(*names)).startswith("You have answered every question")


def describe(id: str) -> str:
    """What is said about an exercise: its title, stars and minutes."""
    task = EXERCISES[id]
    return f"{task.title} ({task.stars}, {task.minutes} minutes)"


def test_the_card_and_its_text_version_agree(kept: Path) -> None:
    answers = {id: "a" for id in PREDICTIONS if id.startswith("04.")}
    card = journal.table(Journal({"04.1": "passed"}, {"04": [55, 150]}, answers))
    assert card.text.endswith(
        f"Next: exercise 04.2 {describe('04.2')} in 04_backward.ipynb\n"
        "Saved in `progress.json`; delete that file to start over."
    )
    for part in ("4 of 4", "1 of 4", "55 of 150", "★★☆", 'href="04_backward.ipynb"'):
        assert part in card._repr_html_()


def test_two_notebooks_can_write_at_the_same_time(kept: Path) -> None:
    environment = os.environ | {journal.FILE_VARIABLE: str(kept)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, chapter], env=environment)
        for chapter in ("01", "02", "03")
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert len(Journal.read(kept).exercises) == 120


def record(**entries: object) -> bytes:
    """A file of the course with these entries."""
    content = {"what": journal.KIND, "exercises": {}, "scores": {}} | entries
    return json.dumps(content).encode()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is not JSON"),
        (b'{"exercises": {"04.1": ', "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[]", "it is not a record of this course"),
        (b'{"exercises": {}, "scores": {}}', "it is not a record of this course"),
        (record(scores={"04": [1]}), "that the course did not write"),
        (record(scores={"04": ["1", 2]}), "that the course did not write"),
        (record(exercises={"04.1": {}}), "that the course did not write"),
        (record(predictions={"04.a": "the first"}), "that the course did not write"),
        (record(predictions=[]), "that the course did not write"),
    ],
)
def test_an_unknown_file_is_left_unchanged(
    kept: Path, capsys: pytest.CaptureFixture[str], content: bytes, why: str
) -> None:
    kept.write_bytes(content)
    check("99.1", solve("99.1"))
    said = capsys.readouterr().out
    assert "`progress.json` cannot be used (" in said
    assert why in said
    assert "correct" in said
    check("99.1", solve("99.1"))
    assert "cannot be used" not in capsys.readouterr().out  # reported only once
    progress()
    assert why in capsys.readouterr().out
    assert kept.read_bytes() == content


def test_a_prediction_s_answer_is_stored(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def shown() -> str:
        predict("04.a")
        return capsys.readouterr().out

    unanswered = shown()
    assert "You said" not in unanswered
    keep_answer("04.a", "b")
    assert Journal.read(kept).predictions == {"04.a": "b"}
    assert shown() == f"{unanswered}You said (b).\n"
    keep_answer("04.a", "cab")
    assert shown() == f"{unanswered}You said (c), then (a), then (b).\n"
    keep_answer("04.a", "")
    assert Journal.read(kept).predictions == {}
    assert shown() == unanswered
    for wrong in ("z", "az"):
        with pytest.raises(LookupError, match=r"04\.a has no answer"):
            keep_answer("04.a", wrong)
    assert Journal.read(kept).predictions == {}


def test_a_card_in_the_workbook_can_be_asked(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Elsewhere a card cannot ask, so it is a list of answers that the reader opens."""
    shown: list[Card] = []
    monkeypatch.setattr("minigrad_course.ask.predictions.show", shown.append)
    predict("04.a")
    monkeypatch.chdir(notebooks.NOTEBOOKS)
    predict("04.a")
    asked, plain = (card.html for card in shown)
    assert 'class="minigrad-prediction" data-id="04.a" data-right="' in asked
    assert plain in asked
    assert "data-" not in plain


def test_a_file_without_answers_can_be_read(kept: Path) -> None:
    kept.write_bytes(record(exercises={"04.1": "passed"}))
    keep_answer("04.a", "a")
    assert Journal.read(kept) == Journal({"04.1": "passed"}, {}, {"04.a": "a"})


def test_a_folder_that_cannot_be_written(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    check("99.1", solve("99.1"))
    said = capsys.readouterr().out
    assert "cannot be used (Permission denied)" in said
    assert "correct" in said
    assert not kept.exists()


def test_another_notebook_that_never_ends_writing(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal, "LOCK_TIMEOUT", 0.1)
    with filelock.FileLock(kept.with_name(".progress.json.lock")):
        note_exercise("04.1", True)
    assert "another notebook is writing" in capsys.readouterr().out


def test_an_environment_without_the_lock(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "filelock", None)
    check("99.1", solve("99.1"))
    said = capsys.readouterr().out
    assert "is not being saved" in said
    assert "correct" in said


def test_folders_below_the_workbook_have_their_own_file(
    kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (kept.parent / "mine").mkdir()
    monkeypatch.chdir(kept.parent / "mine")
    note_exercise("04.1", True)
    assert Journal.read(kept.parent / "mine" / "progress.json").exercises == {"04.1": "passed"}
    assert not kept.exists()


def test_the_notebooks_of_the_course_write_nothing() -> None:
    """They are run in their folder, by `make run` and by nbval."""
    program = """
import os
os.environ.pop("MINIGRAD_PROGRESS", None)
from minigrad_course import progress
from minigrad_course.ask import journal
journal.note_exercise("04.1", True)
journal.note_score(4, 1, 2)
progress()
print(journal.progress_file())
"""
    before = sorted(os.listdir(notebooks.NOTEBOOKS))
    shown = python(program, folder=notebooks.NOTEBOOKS)
    assert shown.splitlines() == [journal.NOWHERE, "None"]
    assert sorted(os.listdir(notebooks.NOTEBOOKS)) == before


def test_nothing_is_loaded_before_it_is_needed() -> None:
    program = "import sys, minigrad_course; print('filelock' in sys.modules)"
    assert python(program, folder=notebooks.NOTEBOOKS) == "False\n"
