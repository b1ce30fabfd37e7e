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
from minigrad_course.ask.declare import EXERCISES, load
from minigrad_course.ask.journal import Journal, note_exercise, note_score
from minigrad_course.ask.predictions import keep_answer
from minigrad_course.desk import ipynb
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
    found = scoring.Score(4, tuple(list(scoring.scored_programs(4))[:7]), ())
    monkeypatch.setattr(scoring, "measure", lambda notebook: found)
    score()
    assert Journal.read(kept).scores == {"04": [7, len(scoring.scored_programs(4))]}


def test_the_table(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for id in ("04.1", "04.2", "16.1", "04.3"):
        note_exercise(id, id != "04.2")
    note_score(4, 30, 150)
    note_score(4, 55, 150)
    progress()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"3 of {len(journal.exercises())} exercises pass."
    (line,) = [line for line in lines if line.startswith("04_backward")]
    assert line.split() == ["04_backward", "2", "of", "4", "55", "of", "150"]
    assert [line.split()[0] for line in lines[2:-2]] == [f.stem for f in ipynb.chapters()]


def test_the_next_exercise(kept: Path) -> None:
    ids = [task.id for task in journal.exercises()]
    assert journal.next_exercise(Journal({}, {})).id == ids[0]
    note_exercise("04.1", True)
    assert journal.next_exercise(Journal.read(kept)).id == "04.2"
    for id in ("04.4", "04.3", "04.2"):
        note_exercise(id, True)
    assert journal.next_exercise(Journal.read(kept)).id == "05.1"
    note_exercise(ids[-1], True)  # the last of the course, so skipped exercises come next
    in_last_chapter = {id for id in ids if id[:2] == ids[-1][:2]}
    assert journal.next_exercise(Journal.read(kept)).id in in_last_chapter
    for id in ids:
        if id[:2] == ids[-1][:2]:
            note_exercise(id, True)
    assert journal.next_exercise(Journal.read(kept)).id == ids[0]
    card = journal.table(Journal(dict.fromkeys(ids, "passed"), {}))
    assert "\nEvery exercise of the course passes.\n" in card.text


def test_the_card_and_its_text_version_agree(kept: Path) -> None:
    card = journal.table(Journal({"04.1": "passed"}, {"04": [55, 150]}))
    assert card.text.endswith(
        "Next: 04.2 Orders that are allowed (★★☆, 8 minutes) in 04_backward.ipynb\n"
        "Kept in `progress.json`; to begin anew, delete it."
    )
    for part in ("1 of 4", "55 of 150", "★★☆", 'href="04_backward.ipynb"'):
        assert part in card._repr_html_()


def test_it_survives_the_process(kept: Path, tmp_path: Path) -> None:
    python(WRITER, "04", folder=tmp_path, MINIGRAD_PROGRESS=str(kept))
    assert len(Journal.read(kept).exercises) == 40
    shown = python(
        "from minigrad_course import progress; progress()",
        folder=tmp_path,
        MINIGRAD_PROGRESS=str(kept),
    )
    assert "04_backward" in shown
    assert "4 of 4" in shown
    assert json.loads(kept.read_text(encoding="utf-8"))["exercises"]["04.3"] == "passed"


def test_two_notebooks_can_write_at_the_same_time(kept: Path) -> None:
    environment = os.environ | {journal.FILE_VARIABLE: str(kept)}
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, chapter], env=environment)
        for chapter in ("01", "02", "03")
    ]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert len(Journal.read(kept).exercises) == 120


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "it is not JSON"),
        (b'{"exercises": {"04.1": ', "it is not JSON"),
        (b"\xff\xfe", "it is not JSON"),
        (b"[]", "it is not a record of this course"),
        (b'{"exercises": {}, "scores": {}}', "it is not a record of this course"),
    ],
)
def test_an_unknown_file_is_left_unchanged(
    kept: Path, capsys: pytest.CaptureFixture[str], content: bytes, why: str
) -> None:
    kept.write_bytes(content)
    check("99.1", solve("99.1"))
    said = capsys.readouterr().out
    assert f"`progress.json` cannot be used ({why})" in said
    assert "correct" in said
    check("99.1", solve("99.1"))
    assert "cannot be used" not in capsys.readouterr().out  # reported only once
    progress()
    assert why in capsys.readouterr().out
    assert kept.read_bytes() == content


@pytest.mark.parametrize(
    "entry",
    [
        {"scores": {"04": [1]}},
        {"scores": {"04": ["1", 2]}},
        {"exercises": {"04.1": {}}},
        {"predictions": {"04.a": "the first"}},
        {"predictions": []},
    ],
)
def test_an_entry_of_another_kind(kept: Path, entry: dict[str, object]) -> None:
    content = {"what": journal.KIND, "exercises": {}, "scores": {}} | entry
    kept.write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(ValueError, match="none that the course has written"):
        Journal.read(kept)


def test_a_prediction_s_answer_is_stored(kept: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def shown() -> str:
        predict("04.a")
        return capsys.readouterr().out

    unanswered = shown()
    assert "You said" not in unanswered
    keep_answer("04.a", "b")
    assert Journal.read(kept).predictions == {"04.a": "b"}
    assert shown() == f"{unanswered}You said (b).\n"
    keep_answer("04.a", "")
    assert Journal.read(kept).predictions == {}
    assert shown() == unanswered
    for wrong in ("z", "ab"):
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
    content = {"what": journal.KIND, "exercises": {"04.1": "passed"}, "scores": {}}
    kept.write_text(json.dumps(content), encoding="utf-8")
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


def test_a_place_that_is_not_a_folder(
    kept: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    kept.write_text("a file", encoding="utf-8")
    monkeypatch.setenv(journal.FILE_VARIABLE, str(kept / "progress.json"))
    note_exercise("04.1", True)
    assert "cannot be used" in capsys.readouterr().out


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
    assert "is not kept" in said
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


def test_no_test_writes_to_the_file_that_the_environment_names() -> None:
    assert journal.FILE_VARIABLE not in os.environ  # conftest.py removes it


def test_nothing_is_loaded_before_it_is_needed() -> None:
    program = "import sys, minigrad_course; print('filelock' in sys.modules)"
    assert python(program, folder=notebooks.NOTEBOOKS) == "False\n"
