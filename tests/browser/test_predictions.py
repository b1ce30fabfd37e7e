"""Predictions in JupyterLab: what follows a question is folded until it is answered."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import partial
from string import ascii_lowercase
from typing import TYPE_CHECKING

import pytest
from nbformat import NotebookNode
from playwright.sync_api import expect

from minigrad_course.ask.declare import PREDICTIONS, Prediction, find
from minigrad_course.ask.journal import Journal
from minigrad_course.desk import ipynb, pages
from tests.browser.driving import Lab, answer_everything, progress_of
from tests.course.rules import PREDICT_CALL

if TYPE_CHECKING:
    from playwright.sync_api import Locator

NAMES = [file.name for file in ipynb.chapters()]
CARD = ".minigrad-question"


@pytest.fixture
def asked(lab: Lab) -> Iterator[Lab]:
    """JupyterLab for a reader who has answered nothing; other tests need the answers back."""
    progress_of(lab.server).unlink()
    yield lab
    answer_everything(lab.server)


def check_kept(lab: Lab, answers: dict[str, str]) -> None:
    """Wait until the file has these answers, which takes until the kernel is idle."""
    until = time.monotonic() + 120
    while (kept := kept_answers(lab)) != answers and time.monotonic() < until:
        lab.page.wait_for_timeout(100)
    assert kept == answers


def kept_answers(lab: Lab) -> dict[str, str]:
    return Journal.read(progress_of(lab.server)).predictions


def questions(lab: Lab) -> list[tuple[int, Prediction]]:
    """The cells with a prediction, and what they ask."""
    found = ((n, PREDICT_CALL.search(cell.source)) for n, cell in enumerate(lab.notebook.cells))
    return [(number, find(PREDICTIONS, match[1])) for number, match in found if match]


def end(lab: Lab, number: int) -> int:
    """The cell that ends the fold of cell `number`; a heading in the very next cell does not."""
    cells = lab.notebook.cells
    for place in range(number + 1, len(cells)):
        at_start = pages.begins_section(cells[place])
        if (at_start and place > number + 1) or (not at_start and parted(cells[place])):
            return place
    return len(cells)


def parted(cell: NotebookNode) -> bool:
    """Whether a cell has a heading after its first line."""
    return len(list(pages.parts(cell))) > 1


def following(lab: Lab, number: int) -> list[int]:
    """The cells between cell `number` and the next heading."""
    return list(range(number + 1, end(lab, number)))


def words_before_heading(lab: Lab, number: int) -> Locator | None:
    """The prose before the next heading in the same cell, if there is any."""
    place = end(lab, number)
    if place == len(lab.notebook.cells) or pages.begins_section(lab.notebook.cells[place]):
        return None
    return lab.cell(place).locator(".jp-RenderedMarkdown > *").first


def seen(lab: Lab, cells: list[int]) -> list[int]:
    """Those of `cells` that are visible."""
    return [number for number in cells if lab.cell(number).is_visible()]


def right_letter(asked: Prediction) -> str:
    return ascii_lowercase[list(asked.options).index(asked.answer)]


@pytest.mark.parametrize("chapter", NAMES, ids=[name[:2] for name in NAMES])
def test_every_question_is_open_until_it_is_answered(asked: Lab, chapter: str) -> None:
    """Until then, neither the cells below nor the feedback on answers are visible."""
    asked.open(f"workbook/{chapter}")
    folded = {number for number, _ in questions(asked) for number in following(asked, number)}
    assert seen(asked, sorted(folded)) == []  # before anything was run
    asked.choose("Run", "Run All Cells")
    answers = {}
    for place, (number, question) in enumerate(questions(asked)):
        card = asked.cell(number).locator(CARD)
        card.wait_for(timeout=120_000)
        assert seen(asked, following(asked, number)) == []
        before = card.inner_text()
        said = [why.replace("`", "").split("\n")[0] for why in question.options.values()]
        assert not any(words in before for words in [*said, "✓", "✗"])
        count = len(question.options)
        chosen = ascii_lowercase[place % count]
        if count > 1:
            assert card.get_by_role("radio").count() == count
            card.get_by_role("radio").nth(place % count).check()
            assert seen(asked, following(asked, number)) == []  # the choice can still be changed
        words = words_before_heading(asked, number)
        assert words is None or words.is_hidden()
        card.locator("button[type=submit]").click()
        answers[question.id] = chosen
        status = card.get_by_role("status").inner_text()
        assert f"You said ({chosen})." in status or count == 1
        right = right_letter(question)
        assert said[ascii_lowercase.index(chosen)] in " ".join(status.split("\n"))
        assert said[ascii_lowercase.index(right)] in " ".join(status.split("\n"))
        assert ("✗ No." in status) == (chosen != right)
        later = [each for each, _ in questions(asked)[place + 1 :]]
        nested = {each for card_cell in later for each in following(asked, card_cell)}
        own = [each for each in following(asked, number) if each not in nested]
        assert seen(asked, own) == own
        if words is not None and end(asked, number) not in map(partial(end, asked), later):
            words.wait_for()
    check_kept(asked, answers)


def test_an_answer_is_remembered_and_can_be_cleared(asked: Lab) -> None:
    path = f"workbook/{NAMES[0]}"
    asked.open(path)
    number, question = questions(asked)[0]
    for cell in range(number + 1):
        if asked.notebook.cells[cell].cell_type == "code":
            asked.run(cell)
    card = asked.cell(number).locator(CARD)
    card.get_by_role("radio").nth(1).check()
    card.get_by_role("button", name="Answer").click()
    card.get_by_text("You said (b).").wait_for()
    check_kept(asked, {question.id: "b"})

    asked.server.end_kernels()
    asked.open(path)
    own = following(asked, number)[:2]
    assert seen(asked, own) == own
    for cell in range(number + 1):
        if asked.notebook.cells[cell].cell_type == "code":
            asked.run(cell)
    card.get_by_text("You said (b).").wait_for()
    assert card.get_by_role("radio").nth(1).is_checked()
    card.get_by_role("button", name="Clear my answer").click()
    assert "You said" not in card.inner_text()
    assert seen(asked, own) == []
    check_kept(asked, {})


def test_a_question_can_be_answered_by_keyboard(asked: Lab) -> None:
    """Shift+Enter moves to the answers, the arrows choose one, and Enter submits it."""
    asked.open(f"workbook/{NAMES[0]}")
    number, _ = questions(asked)[0]
    for cell in range(number + 1):
        if asked.notebook.cells[cell].cell_type == "code":
            asked.run(cell)
    keyboard = asked.page.keyboard
    card = asked.cell(number).locator(CARD)
    asked.page.wait_for_function("() => document.activeElement.matches('.minigrad-question input')")
    keyboard.press("Space")
    keyboard.press("ArrowDown")
    assert card.get_by_role("radio").nth(1).is_checked()
    assert seen(asked, following(asked, number)) == []
    keyboard.press("Enter")
    card.get_by_role("status").get_by_text("You said (b).").wait_for()
    assert card.locator("[aria-live=polite]").count() == 1
    keyboard.press("Shift+Enter")  # moves on, and keeps the answer
    expect(asked.cell(number + 1)).to_have_class(re.compile("jp-mod-active"))
    assert "You said (b)." in card.inner_text()
    assert seen(asked, following(asked, number)[:2]) == following(asked, number)[:2]


def test_a_reader_can_continue_without_an_answer(asked: Lab) -> None:
    asked.open(f"workbook/{NAMES[0]}")
    number, _ = questions(asked)[0]
    own = following(asked, number)[:2]
    assert seen(asked, own) == []
    asked.cell(number).get_by_role("button", name="Show it without an answer").click()
    assert seen(asked, own) == own


def test_in_a_notebook_that_is_not_trusted_answers_open(asked: Lab) -> None:
    """Its scripts do not run, so nothing is folded and each answer has its own `<details>`."""
    asked.open_from_somebody(NAMES[0])
    for number, question in questions(asked):
        own = following(asked, number)
        assert seen(asked, own) == own
        cell = asked.cell(number)
        assert cell.locator(CARD).count() == 0
        assert cell.locator("details").count() == len(question.options)
        cell.locator("summary").first.click()
        assert cell.locator("details[open]").count() == 1
