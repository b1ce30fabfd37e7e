"""Chapters 16 and 17 train with the reader's library, and what 17 samples differs between machines.

What a network invents depends on the last digits of its numbers, and these depend on the machine,
as times do. So nbval does not compare the outputs of such cells; the cells assert what has to hold.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from minigrad_course.ask.pytorch import RECORDS
from minigrad_course.datasets.digits import show_images
from minigrad_course.datasets.place_names import FILE, load_names
from minigrad_course.desk import ipynb
from minigrad_course.kernel.code_lines import count_code
from minigrad_course.pictures import engine_lines as owned
from tests.course import rules
from tools import make_names, notebooks

TRAINING = notebooks.NOTEBOOKS / "16_training.ipynb"
LANGUAGE = notebooks.NOTEBOOKS / "17_a_language_model.ipynb"
IGNORED = "nbval-ignore-output"


def ignored(file: Path) -> list[str]:
    """The sources of the cells that nbval does not compare."""
    cells = rules.code_cells(ipynb.read(file))
    return [cell.source for cell in cells if IGNORED in ipynb.tags(cell)]


@pytest.mark.parametrize("file", ipynb.chapters(), ids=lambda file: file.stem)
def test_only_samples_and_times_are_not_compared(file: Path) -> None:
    for source in ignored(file):
        assert re.search(r"invent\(|beside_pytorch|seconds\(", source)


def test_uncompared_results_are_asserted() -> None:
    """Chapter 21 asserts this in the uncompared cells themselves, chapter 17 in some cell."""
    text = "\n".join(cell.source for cell in rules.code_cells(ipynb.read(LANGUAGE)))
    assert re.search(r"^assert .*loss", text, re.MULTILINE)
    for source in ignored(notebooks.NOTEBOOKS / "21_faster.ipynb"):
        assert re.search(r"^assert .*[<>]", source, re.MULTILINE)


def test_pytorch_prints_the_losses_and_names_of_the_page() -> None:
    """On the machine that stored the page, to five decimals and to the letter."""
    _, trains, both = ignored(LANGUAGE)
    shown = {
        cell.source: rules.shown_text(cell) for cell in rules.code_cells(ipynb.read(LANGUAGE))
    }
    records = json.loads(RECORDS.read_text(encoding="utf-8"))
    (record,) = [item for item in records if "load_names" in "\n".join(item["program"])]
    losses = [line.split(": ")[1] for line in record["shown"] if line.startswith("step")]
    assert losses == re.findall(r"loss (\d\.\d{5})", shown[trains])
    assert losses
    names = [line for line in record["shown"] if not line.startswith("step")]
    known = load_names()
    after = shown[trains].split("after: ")[1].strip().split(", ")
    invented = [name for name in names if name not in known]  # the page omits the others
    assert invented
    assert invented == after[: len(invented)]
    assert "✓ The same in both, 12 lines" in shown[both]


@pytest.mark.parametrize("file", [TRAINING, LANGUAGE], ids=lambda file: file.stem)
def test_the_training_is_on_the_readers_library(file: Path) -> None:
    """All but the program with which chapter 16 opens."""
    cells = rules.code_cells(ipynb.read(file))
    trains = [cell for cell in cells if "backward()" in cell.source and cell.id != "opening"]
    assert trains
    assert not any("finished" in ipynb.tags(cell) for cell in trains)


def test_the_names_are_plain_and_have_a_source() -> None:
    names = load_names()
    assert names == sorted(set(names))
    assert all(re.fullmatch("[a-z ]{3,14}", name) for name in names)
    text = (FILE.parent / "README.md").read_text(encoding="utf-8")
    for part in ("iana.org/time-zones", "public domain", "tools/make_names.py", "names.txt"):
        assert part in text


def test_names_are_the_last_parts_of_time_zones() -> None:
    zones = ["Asia/Seoul", "America/New_York", "Etc/GMT", "UTC", "America/Port-au-Prince", "A/B"]
    assert make_names.names(zones) == ["new york", "seoul"]


def test_counting_the_lines_of_the_engine() -> None:
    text = '"""About."""\n\nx = 1  # one\n# no code\ndef f():\n    """Two\n    lines."""\n'
    text += '    return "s"\n'
    assert count_code(text) == 3
    assert 0 < owned.engine_lines(4) < owned.engine_lines(15)


def test_pictures_without_titles_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: shown.append(1))
    show_images([np.eye(8)] * 3, ["one"], "three", columns=2)
    assert shown == [1]
