"""A workbook of the first edition opens in the second: what was reached and written is kept.

`fixtures/first_edition` was made by the tools of the first edition: 02 was run and nothing more, 01
and 07 were written into, and some exercises were checked.
"""

from __future__ import annotations

import ast
import json
import shutil
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from course import check, declare, journal, renamed, stages, yours
from course.declare import EXERCISES, load
from course.journal import Journal, note_exercise
from tests.course import rules
from tests.course.conftest import FIXTURES
from tools import notebooks, workbook

FIRST = FIXTURES / "first_edition"
UNTOUCHED, WRITTEN = "02_tensors.ipynb", ["01_slopes.ipynb", "07_accumulation.ipynb"]
NAMES = [WRITTEN[0], UNTOUCHED, WRITTEN[1]]
WORKSHOP = "20_functions_to_the_letter.ipynb"


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The reader's workbook, as the first edition left it."""
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "jupyter"))
    return Path(shutil.copytree(FIRST, tmp_path / "workbook"))


@pytest.fixture
def course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Another edition: all cells of these chapters are new, and there is a workshop."""
    files = [tmp_path / "course" / name for name in (*NAMES, WORKSHOP)]
    files[0].parent.mkdir()
    for file in files:
        cells = [v4.new_markdown_cell(f"# {file.stem}", id="a"), v4.new_code_cell("1", id="b")]
        file.write_text(notebooks.as_text(v4.new_notebook(cells=cells)), encoding="utf-8")
    monkeypatch.setattr(notebooks, "chapters", lambda: files)
    return files


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two exercises stand in other chapters now."""
    for chapter in ("01", "07"):
        load(chapter)  # where they are declared as long as this is no more than a trial
    for id, chapter in {"01.4": "09", "07.4": "16"}.items():
        monkeypatch.setitem(declare.MOVED, id, chapter)


@pytest.fixture
def bygone(monkeypatch: pytest.MonkeyPatch) -> str:
    """`Node` had another name."""
    monkeypatch.setitem(renamed.RENAMED, "Bygone", "Node")
    monkeypatch.setitem(renamed.RENAMED, "parting", "gradient_edge")
    monkeypatch.setattr(renamed, "_told", set())
    return "`Bygone` is called `Node` since the second edition."


# --- notebooks ------------------------------------------------------------------------------------


@pytest.mark.usefixtures("course")
def test_what_was_written_stays_and_the_rest_is_new(reader: Path) -> None:
    news = workbook.update(folder=reader)
    assert [line.split(" has changed")[0] for line in news] == NAMES
    for name in WRITTEN:
        assert (reader / name).read_bytes() == (FIRST / name).read_bytes()
        (said,) = [line for line in news if line.startswith(name)]
        assert "You have written in yours, so it stays as it is" in said
        assert f'make lab LAB_ARGS="--fresh {name[:2]}"' in said
    assert notebooks.read(reader / UNTOUCHED).cells[0].source == "# 02_tensors"
    assert "You had written nothing in it: it is new." in news[1]
    assert (reader / WORKSHOP).exists()
    assert (reader / "progress.json").read_bytes() == (FIRST / "progress.json").read_bytes()


@pytest.mark.usefixtures("course")
def test_the_new_edition_beside_what_was_written(reader: Path) -> None:
    workbook.update(folder=reader)
    (said,) = workbook.update(["01"], folder=reader)[:1]
    assert said == "01_slopes.ipynb is a fresh copy. Yours is 01_slopes_mine.ipynb now."
    assert (reader / "01_slopes_mine.ipynb").read_bytes() == (FIRST / WRITTEN[0]).read_bytes()
    assert notebooks.read(reader / WRITTEN[0]).cells[0].source == "# 01_slopes"


def test_the_workbook_becomes_that_of_the_course_as_it_is(reader: Path) -> None:
    workbook.update(folder=reader)
    for file in notebooks.chapters():
        if file.name in WRITTEN:
            assert (reader / file.name).read_bytes() == (FIRST / file.name).read_bytes()
        else:
            made_from, found = workbook.digests(reader / file.name)
            assert made_from == found == workbook.copied(file).metadata[workbook.COPY]


# --- progress -------------------------------------------------------------------------------------


def passed_by_chapter(kept: Journal) -> dict[str, int]:
    return {row.notebook[:2]: row.passed for row in journal.rows(kept) if row.passed}


def test_progress_is_that_of_the_first_edition() -> None:
    kept = Journal.read(FIRST / "progress.json")
    assert sum(passed_by_chapter(kept).values()) == list(kept.exercises.values()).count("passed")
    assert kept.as_text() == (FIRST / "progress.json").read_text(encoding="utf-8")


@pytest.mark.usefixtures("moved")
def test_an_exercise_counts_in_the_chapter_where_it_stands_now() -> None:
    kept = Journal.read(FIRST / "progress.json")
    assert passed_by_chapter(kept) == {"01": 2, "07": 1, "09": 1, "16": 1}
    ids = [task.id for task in journal.exercises()]
    assert ids.index("01.4") == ids.index("10.1") - 1
    assert ids.index("07.4") == ids.index("17.1") - 1


@pytest.mark.usefixtures("moved")
def test_what_is_next_after_an_exercise_that_has_moved() -> None:
    done = dict.fromkeys(["01.1", "01.2", "01.3", "01.4", "01.5"], "passed")
    assert journal.following(Journal(done, {})).id == "02.1"  # done in the first edition
    done = {"09.1": "passed", "01.4": "passed"}  # in the second, and 01 was left out
    assert journal.following(Journal(done, {})).id == "09.2"
    ids = [task.id for task in journal.exercises()]
    done = dict.fromkeys(ids[: ids.index("01.4")], "passed")
    assert journal.following(Journal(done, {})).id == "01.4"
    assert " in 09_gradcheck.ipynb" in journal.table(Journal(done, {})).text


@pytest.mark.usefixtures("moved")
def test_an_exercise_that_has_moved_is_checked(
    reader: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(journal.NAMED, str(reader / "progress.json"))
    names: dict[str, object] = {}
    exec(EXERCISES["07.4"].solution, names)
    check("07.4", names["momentum_step"])
    assert "correct" in capsys.readouterr().out
    (said,) = rules.exercises(v4.new_notebook(), "09")
    assert "'01.4'" in said.partition("but declares")[2]


def test_declarations_are_loaded_from_where_an_exercise_stands(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded: list[str] = []
    monkeypatch.setattr(declare, "load", loaded.append)
    monkeypatch.setitem(declare.MOVED, "08.99", "10")
    with pytest.raises(LookupError, match="chapter 10 has "):
        declare.find(EXERCISES, "08.99")
    assert loaded == ["10"]


def test_what_has_moved_is_declared_where_it_stands() -> None:
    for chapter in declare.MOVED.values():
        load(chapter)
    modules = {id: EXERCISES[id].check.__module__ for id in declare.MOVED}
    assert modules == {id: f"course.exercises.ch{nn}" for id, nn in declare.MOVED.items()}


def test_no_entry_of_another_edition_is_lost(reader: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of chapters and exercises that there are no more, or not yet; 98 is no chapter at all."""
    place = reader / "progress.json"
    content = json.loads(place.read_text(encoding="utf-8"))
    content["exercises"] |= {"02.2": "passed", "23.7": "tried"}
    content["scores"] |= {"19": [151, 151], "98": [120, 121], "23": [151, 151]}
    place.write_text(json.dumps(content), encoding="utf-8")
    monkeypatch.setenv(journal.NAMED, str(place))
    note_exercise("03.1", True)
    kept = Journal.read(place)
    assert kept.exercises == content["exercises"] | {"03.1": "passed"}
    assert kept.scores == content["scores"]
    assert "151 of 151" in {row.notebook[:2]: row.score for row in journal.rows(kept)}["19"]
    assert journal.following(Journal({"23.7": "tried"}, {})) is not None


# --- names ----------------------------------------------------------------------------------------


def test_an_old_name_in_a_cell_is_told(bygone: str, tmp_path: Path) -> None:
    """Below the error that it leads to, and with it the other old names of that cell."""
    both = f"{bygone}\n`parting` is called `gradient_edge` since the second edition."
    told = {
        "from course.after_04 import Bygone, Tensor, parting": both,
        "from minigrad.core.node import Bygone": bygone,
        "import minigrad\n\nminigrad.Bygone": bygone,
        "import minigrad.core.Bygone": bygone,
        "Bygone(parting)": both,
        "unheard_of(Bygone)": "",  # it is another name that is missing
        "raise ValueError('Bygone')": "",
        "from minigrad.core.node import Node as Bygone": "",
    }
    setup = f"import course.renamed\n\ncourse.renamed.RENAMED |= {renamed.RENAMED}"
    cells = [v4.new_code_cell(source) for source in (setup, *told)]
    notebook = v4.new_notebook(cells=cells, metadata=notebooks.NOTEBOOK_METADATA)
    client = notebooks.client(notebook, tmp_path)
    client.allow_errors = True
    client.execute()
    assert [shown(cell) for cell in cells] == ["", *told.values()]
    failed = [any(each.output_type == "error" for each in cell.outputs) for cell in cells]
    assert failed == [False, *[True] * 7, False]


def shown(cell: NotebookNode) -> str:
    """The cards below a cell."""
    cards = [each for each in cell.outputs if each.output_type == "display_data"]
    return "\n".join(each.data["text/plain"] for each in cards)


def test_an_old_name_in_an_answer_is_told(bygone: str, capsys: pytest.CaptureFixture[str]) -> None:
    def answer(x: float) -> float:
        return Bygone(x)  # type: ignore[name-defined]  # noqa: F821

    check("99.1", answer)
    assert bygone in capsys.readouterr().out


def test_an_old_name_that_a_notebook_defines_is_told_once(
    bygone: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A library that is made of the notebook does without it."""
    notebook = {"Tensor": stages.load(2).Tensor, "Bygone": type("Bygone", (), {}), "parting": 2.0}
    for _ in range(2):
        yours(notebook)
    assert capsys.readouterr().out == f"{bygone}\n"


def test_no_notebook_of_the_course_defines_or_imports_an_old_name(chapter: Path) -> None:
    cells = [cell.source for cell in notebooks.read(chapter).cells if cell.cell_type == "code"]
    nodes = [node for source in cells for node in ast.walk(ast.parse(source))]
    names = {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    names |= {node.name for node in nodes if isinstance(node, ast.alias)}
    assert names & renamed.RENAMED.keys() == set()
