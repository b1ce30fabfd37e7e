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

from minigrad_course.ask import in_pytorch as inside
from minigrad_course.datasets.digits import show_images
from minigrad_course.datasets.first_names import load_names
from minigrad_course.desk import ipynb
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
        shown = r"invent\(|attention_weights\(|write\(|beside_pytorch|seconds\(|timeit\("
        assert re.search(shown, source)


def test_uncompared_results_are_asserted() -> None:
    """Chapter 21 asserts this in the uncompared cells themselves, chapter 17 in some cell."""
    text = "\n".join(cell.source for cell in rules.code_cells(ipynb.read(LANGUAGE)))
    assert re.search(r"^assert .*loss", text, re.MULTILINE)
    for source in ignored(notebooks.NOTEBOOKS / "21_faster.ipynb"):
        assert re.search(r"^assert .*[<>]", source, re.MULTILINE)


def test_pytorch_prints_the_losses_and_names_of_the_page() -> None:
    """On the machine that stored the page, to five decimals and to the letter."""
    cells = rules.code_cells(ipynb.read(LANGUAGE))
    shown = {cell.source: rules.shown_text(cell) for cell in cells}
    (trained,) = [text for source, text in shown.items() if "def report(" in source]
    (both,) = [text for source, text in shown.items() if "in_pytorch(\n" in source]
    losses = re.findall(r"(\d+): batch (\d\.\d{5})", trained)
    assert [step for step, _ in losses] == ["200", "400", "600", "800"]
    for step, loss in losses:
        assert f"seed 1, step {step}: {loss} ✓ also in PyTorch" in both
    assert both.count("✓") == 5
    assert "✗" not in both
    records = json.loads(inside.RECORDS.read_text(encoding="utf-8"))
    (record,) = [item for item in records if "load_names" in "\n".join(item["program"])]
    assert set(record["shown"]) <= {line.strip() for line in both.split("\n")}


def test_the_gpt_beats_the_bigram_on_names_that_it_has_not_seen() -> None:
    """With each of three seeds, and with padding in the loss, on the set that chose nothing."""
    page = "\n".join(rules.shown_text(cell) for cell in rules.code_cells(ipynb.read(LANGUAGE)))
    (bigram,) = re.findall(r"^bigram +\S+ +\S+ +(\S+)$", page, re.MULTILINE)
    (gpt,) = re.findall(r"^GPT +\S+ +\S+ +(\S+)$", page, re.MULTILINE)
    line = r"^(?:  )?(seed \d|padded), test (\S+), on the real targets (\S+)$"
    runs = re.findall(line, page, re.MULTILINE)
    (first, *_), reported, real = zip(*runs, strict=True)
    losses = [float(loss) for loss in real]
    assert (first, len(losses)) == ("seed 1", 4)
    assert reported[:3] == real[:3]
    assert round(losses[0], 2) == float(gpt)
    assert all(loss < float(bigram) - 0.3 for loss in losses)
    assert float(reported[3]) < losses[3] - 0.5


def test_the_training_is_on_the_readers_library() -> None:
    """All but the program with which chapter 16 opens."""
    for file, mark in ((TRAINING, "backward()"), (LANGUAGE, "loss_of")):
        cells = rules.code_cells(ipynb.read(file))
        trains = [cell for cell in cells if mark in cell.source and cell.id != "opening"]
        assert trains
        assert not any("finished" in ipynb.tags(cell) for cell in trains)


def test_the_names_are_plain() -> None:
    names = load_names()
    assert names == sorted(set(names))
    assert len(names) == 5163
    assert all(re.fullmatch("[a-z]{2,11}", name) for name in names)


def test_a_name_in_both_tables_appears_once() -> None:
    lines = ["MARY  2.629  2.629  1", "LEE  0.1  9.0  80", "LEE  0.3  9.1  70"]
    assert make_names.names(lines) == ["lee", "mary"]


def test_pictures_without_titles_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = []
    monkeypatch.setattr("matplotlib.pyplot.show", lambda: shown.append(1))
    show_images([np.eye(8)] * 3, ["one"], "three", columns=2)
    assert shown == [1]
