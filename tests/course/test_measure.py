"""Figures do not get worse, and what is finished meets its goals: see `tools/measure.py`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from tools import measure, notebooks, what_runs

NAMES = {file.stem for file in notebooks.chapters()}
GOALS = measure.goals()


def test_nothing_is_worse_than_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    worse = measure.main()
    shown = capsys.readouterr().out
    assert not worse, shown
    known = set(re.findall(r"^(\w[\w, ]*?) +\d", shown, re.MULTILINE))
    assert known == set(GOALS.figures) | NAMES


def test_what_is_finished_exists() -> None:
    assert set(GOALS.finished) <= set(GOALS.figures) | NAMES


# --- a fault is noticed ---------------------------------------------------------------------------


def test_a_figure_that_is_worse_is_noticed() -> None:
    figures = {
        "calls": {"at_most": 100, "goal": 50},
        "wrong answers": {"at_least": 10, "goal": 10},
    }
    goals = measure.Goals([], figures)
    assert goals.worse({"calls": 100, "wrong answers": 11}) == []
    found = goals.worse({"calls": 101, "wrong answers": 9})
    assert found == ["calls: 101, and not 100", "wrong answers: 9, and not 10"]
    finished = measure.Goals(["calls"], figures)
    assert finished.worse({"calls": 51}) == ["calls: 51, and not 50"]


def lesson(minutes: int) -> NotebookNode:
    """A chapter of so many minutes, and exercises that take as long again."""
    words = "word " * (minutes * 140 * 20 // 21)
    texts = [f"# 30\n\nAbout {minutes} minutes to read", words, "## Exercises", words]
    texts += ["## What you can predict now"]
    return v4.new_notebook(cells=[v4.new_markdown_cell(text) for text in texts])


@pytest.mark.parametrize(
    ("name", "minutes", "claim", "cells", "faults"),
    [
        ("03_a", 50, 50, 62, []),
        ("03_a", 50, 50, 63, ["63 cells, not 62"]),
        ("03_a", 55, 55, 62, ["55 minutes, not 50"]),
        ("20_a", 55, 55, 63, []),
        ("20_a", 65, 65, 63, ["65 minutes, not 60"]),
        ("03_a", 50, 30, 62, ["says 30 minutes"]),
    ],
)
def test_a_chapter_that_asks_too_much_is_noticed(
    name: str, minutes: int, claim: int, cells: int, faults: list[str]
) -> None:
    notebook = lesson(minutes)
    notebook.cells[0].source = notebook.cells[0].source.replace(f"{minutes} min", f"{claim} min")
    notebook.cells += [v4.new_code_cell("") for _ in range(cells - len(notebook.cells))]
    measured = measure.chapter(name, notebook)
    assert measured.faults == faults
    assert measure.Goals([], {}).reopened([measured]) == []
    assert measure.Goals([name], {}).reopened([measured]) == [f"{name}: {each}" for each in faults]


def test_a_chapter_that_repeats_the_library_is_noticed() -> None:
    chapters = [measure.Chapter("14_a", 60, 50, 50, shown, shown - 15) for shown in (19, 20, 30)]
    assert [each.faults for each in chapters] == [[], ["repeats 15 of 20 lines of the library"], []]


def test_each_part_of_a_chapter_takes_its_time() -> None:
    code = v4.new_code_cell("x = 1\n\n" * 140)
    predict = v4.new_code_cell("predict('04.a')")
    picture = v4.new_output("display_data", {"image/png": "", "text/plain": "a plot"})
    card = v4.new_output("display_data", {"text/html": "a card"})
    predict.outputs = [card]
    shows = v4.new_code_cell("", outputs=[picture] * 30)
    lib = v4.new_code_cell("x = 1\n" * 140, metadata={"tags": ["lib:minigrad.core.node.Node"]})
    minutes = {"code": [code], "lib": [lib], "predict": [predict] * 30, "shows": [shows]}
    found = {name: measure.reading_minutes(cells) for name, cells in minutes.items()}
    assert found == {"code": 10, "lib": 21, "predict": 23, "shows": 10}


def test_what_another_file_puts_in_a_place_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "replacing"
    (package / "core").mkdir(parents=True)
    (package / "core" / "__init__.py").write_text("")
    (package / "core" / "node.py").write_text(
        "import functools\n\n\nclass Node:\n    def run(self): ...\n    def stay(self): ...\n"
        "    @property\n    def shape(self): ...\n\n\n"
        "@functools.cache\ndef kept(): ...\ndef lost(): ...\n"
    )
    (package / "more.py").write_text(
        "from .core import node\n\n\ndef other(*args): ...\n\n\n"
        "node.Node.run = node.lost = other\nnode.Node.shape = property(other)\n"
    )
    monkeypatch.setattr(what_runs, "ROOT", tmp_path)
    monkeypatch.setattr(what_runs, "CORE", package / "core")
    monkeypatch.syspath_prepend(tmp_path)
    for module in ("replacing.core.node", "replacing.more"):
        __import__(module)
    assert what_runs.replaced() == ["Node.run", "Node.shape", "node.lost"]
