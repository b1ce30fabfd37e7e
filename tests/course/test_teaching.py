"""The teaching guide has a page for each chapter, which agrees with the notebook.

Its links are looked up with those of the other pages, in test_chapters.py.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from minigrad_course.ask.declare import EXERCISES, PREDICTIONS, load
from minigrad_course.desk import ipynb
from tools import notebooks, teaching

PAGES = sorted(teaching.FOLDER.rglob("*.md"))
EXERCISE = re.compile(r"(?<![\d.])\d\d\.\d\b(?!\.\d)")
CODE = re.compile(r"^```.*?^```$", re.DOTALL | re.MULTILINE)
PREDICTION = re.compile(r"(?<![\d.])\d\d\.[a-z]\b")


def test_what_is_generated_is_up_to_date() -> None:
    for page, text in teaching.pages().items():
        assert page.read_text(encoding="utf-8") == text, "run: python tools/teaching.py"


def test_a_stale_page_is_noticed_and_keeps_its_handwritten_parts() -> None:
    load("01")
    stale = (
        f"Above\n\n{teaching.HEAD}"
        "| **01.2** An old title | ★ | 99 | what a good answer shows |\n"
        "| **01.9** Gone | ★ | 1 | with its row |\n"
        "\nBelow\n"
    )
    rows = teaching.with_exercises(stale, "01")
    second = EXERCISES["01.2"]
    assert (
        f"| **01.2** {second.title} | {'★' * second.difficulty} | {second.minutes}"
        " | what a good answer shows |\n"
    ) in rows
    assert "01.9" not in rows
    assert "| **01.1** " in rows
    assert rows.startswith("Above\n")
    assert rows.endswith("|\n\nBelow\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_exercises_and_predictions_that_are_named_exist(page: Path) -> None:
    for file in ipynb.chapters():
        load(file.name[:2])
    text = CODE.sub("", page.read_text(encoding="utf-8"))
    assert set(EXERCISE.findall(text)) <= set(EXERCISES)
    assert set(PREDICTION.findall(text)) <= set(PREDICTIONS)


def test_each_chapter_has_its_page(chapter: Path) -> None:
    title = notebooks.titles(chapter.parent)[chapter.name]
    page = teaching.FOLDER / "chapters" / f"{chapter.stem}.md"
    assert page.read_text(encoding="utf-8").startswith(f"# {title}\n")


def test_an_answer_is_what_the_program_prints_and_replaces_an_older_one() -> None:
    program = "```python\nprint(torch.ones(2).sum())\n```\n"
    answered = teaching.with_answers(f"Above\n\n{program}\nBelow\n")
    assert "\n```text\ntensor(2.)\n```\n" in answered
    changed = teaching.with_answers(answered.replace("ones(2)", "ones(3)"))
    assert "tensor(3.)" in changed
    assert "tensor(2.)" not in changed
    assert changed.endswith("\n\nBelow\n")
    reason = "```\n\nTwo ones.\n\n</details>"
    explained = answered.replace("```\n\n</details>", reason)
    assert teaching.with_answers(explained) == explained
    assert reason in teaching.with_answers(explained.replace("ones(2)", "ones(3)"))
