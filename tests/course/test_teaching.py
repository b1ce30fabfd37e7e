"""TEACHING.md has a part for each chapter, and names exercises and predictions that exist.

Its links are looked up with those of the other pages, in test_chapters.py.
"""

from __future__ import annotations

import re
from pathlib import Path

from course.declare import EXERCISES, PREDICTIONS, load
from tools import notebooks

GUIDE = (notebooks.ROOT / "TEACHING.md").read_text(encoding="utf-8")
EXERCISE = re.compile(r"(?<![\d.])\d\d\.\d\b(?!\.\d)")
PREDICTION = re.compile(r"(?<![\d.])\d\d\.[a-z]\b")


def test_exercises_and_predictions_that_are_named_exist() -> None:
    for file in notebooks.chapters():
        load(file.name[:2])
    assert set(EXERCISE.findall(GUIDE)) - set(EXERCISES) == set()
    assert set(PREDICTION.findall(GUIDE)) - set(PREDICTIONS) == set()


def test_each_chapter_has_its_part(chapter: Path) -> None:
    title = notebooks.titles(chapter.parent)[chapter.name]
    assert f"\n### {title}\n" in GUIDE
