"""tools/questions.py: every section that the lists name exists, and answers its question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from minigrad_course.desk import ipynb
from tests.course import rules
from tools import questions
from tools.questions import Question, Section

ALL = questions.questions()
GOOD = Question(
    "A loss without a graph",
    "`backward()` of a vector",
    "grad can be implicitly created only for scalar outputs",
    (Section("04_backward", "Common mistakes", "only if the result has one element"),),
)


def missing(question: Question) -> list[str]:
    """What the sections of an entry lack: a heading, the words or the message."""
    wrong = []
    shown = ""
    for section in question.read:
        found = [text for heading, text in sections(section.file) if heading == section.heading]
        if len(found) != 1:
            return [f"{section.page} has {len(found)} headings {section.heading!r}"]
        shown += found[0]
        if plain(section.words) not in found[0]:
            wrong.append(f"{section.words!r} is not in {section.link}")
    if plain(question.message) not in shown:
        wrong.append(f"no section shows {question.message!r}")
    return wrong


@cache
def sections(file: str) -> list[tuple[str, str]]:
    """The headings of a page, each with all that is below it, smaller headings included."""
    path = questions.ROOT / file
    return [*parts(text_of(path) if path.suffix == ".ipynb" else path.read_text(encoding="utf-8"))]


def text_of(notebook: Path) -> str:
    """What a notebook says and shows; only headings begin with `#`."""
    text = ""
    for cell in ipynb.read(notebook).cells:
        if cell.cell_type == "markdown":
            text += re.sub(r"^```.*?^```", "", cell.source, flags=re.DOTALL | re.MULTILINE) + "\n"
        else:  # a comment is not a heading
            text += re.sub("^#", " #", f"{cell.source}\n{rules.shown_text(cell)}\n", flags=re.M)
    return text


def parts(text: str) -> Iterator[tuple[str, str]]:
    for found in re.finditer(r"^(#+) +(.+)\n", text, re.MULTILINE):
        below = text[found.end() :]
        end = re.search(rf"^#{{1,{len(found[1])}}} ", below, re.MULTILINE)
        yield found[2].strip(), plain(below[: end.start()] if end else below)


def plain(text: str) -> str:
    """`text` in one line."""
    return " ".join(text.split())


@pytest.mark.parametrize("question", ALL, ids=lambda question: question.saw)
def test_a_question_is_answered_where_the_list_says(question: Question) -> None:
    assert missing(question) == []


def test_the_pages_have_their_lists() -> None:
    """If they differ, run `python tools/questions.py`."""
    for file, text in questions.pages().items():
        assert file.read_text(encoding="utf-8") == text, file.name
    errors = questions.pages()[questions.ERRORS]
    rows = [question.row.replace("](notebooks/", "](../notebooks/") for question in ALL]
    assert all(row.replace("](docs/", "](") in errors for row in rows)
    front = questions.pages()[questions.README]
    assert [each.row in front for each in ALL] == [each.front for each in ALL]


def test_chapter_20_has_the_list() -> None:
    """If it differs, run `python tools/questions.py`."""
    cells = ipynb.read(questions.CLINIC).cells
    (index,) = [cell.source for cell in cells if questions.BEGIN in cell.source]
    assert index == questions.with_list(index, questions.table(questions.messages()), "notebooks/")
    assert all(each.message in index for each in ALL)
    assert "](notebooks/" not in index


def test_each_entry_says_something_else() -> None:
    assert len({question.saw for question in ALL}) == len(ALL)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({}, ""),
        ({"message": "grad cannot be created"}, "no section shows"),
        ({"read": (Section("04_backward", "Common errors", ""),)}, "has 0 headings"),
        ({"read": (Section("04_backward", "One node", "one element"),)}, "is not in"),
        (
            {"read": (Section("04_backward", "The engine", GOOD.read[0].words),)},
            "is not in",
        ),
    ],
)
def test_a_wrong_section_is_noticed(change: dict[str, object], complaint: str) -> None:
    found = missing(replace(GOOD, **change))  # type: ignore[arg-type]
    assert (complaint in found[0]) if complaint else found == []


def test_an_old_list_is_replaced() -> None:
    old = f"before\n{questions.BEGIN}\nold\n{questions.END}\nafter\n"
    rows = questions.table([GOOD])
    new = questions.with_list(old, rows)
    assert new != old
    assert new.startswith("before\n")
    assert new.endswith("after\n")
    assert new == questions.with_list(new, rows)
    assert GOOD.row in new
