"""Predictions in JupyterLab: what follows a question is folded until the right answer is found."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from functools import partial
from html import unescape
from string import ascii_lowercase
from typing import TYPE_CHECKING, Literal

import pytest
from nbformat import NotebookNode
from playwright.sync_api import expect

from minigrad_course.ask.cards import inline
from minigrad_course.ask.declare import PREDICTIONS, Prediction, find
from minigrad_course.ask.journal import Journal
from minigrad_course.desk import ipynb, pages, workbook
from tests.browser.driving import Lab, answer_everything, progress_of
from tests.course.rules import PREDICT_CALL

if TYPE_CHECKING:
    from playwright.sync_api import Locator

NAMES = [file.name for file in ipynb.chapters()]
CARD, STRIP = ".minigrad-question", ".minigrad-strip"


@pytest.fixture
def asked(lab: Lab) -> Iterator[Lab]:
    """JupyterLab for a reader who has answered nothing; other tests need the answers back."""
    progress_of(lab.server).unlink()
    first = ipynb.chapters()[0]  # earlier tests have saved what they ran in it
    place = lab.server.checkout / "workbook" / first.name
    place.write_text(ipynb.as_text(workbook.copied(first)), encoding="utf-8")
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


def option(card: Locator, letter: str) -> Locator:
    """The button of an answer."""
    return card.locator(".minigrad-options > button").nth(ascii_lowercase.index(letter))


def reason(question: Prediction, letter: str) -> str:
    """How the comment on an answer begins."""
    why = list(question.options.values())[ascii_lowercase.index(letter)]
    return unescape(re.sub("<[^>]+>", "", inline(why.split("\n")[0])))


def wrong_letter(question: Prediction) -> str:
    return "b" if right_letter(question) == "a" else "a"


def run_to(lab: Lab, number: int) -> Locator:
    """Run the code cells up to cell `number`, and return the card of its question."""
    run_up_to(lab, number)
    card = lab.cell(number).locator(CARD)
    card.wait_for()
    return card


def run_up_to(lab: Lab, number: int) -> None:
    """Run the code cells up to cell `number`."""
    for place, cell in enumerate(lab.notebook.cells[: number + 1]):
        if cell.cell_type == "code" and pages.INSTALL not in ipynb.tags(cell):
            lab.run(place)


# They have every kind of end: at a section, inside a cell, with a question inside, and prose alone.
# Where the folds of all chapters end is tested for their web pages, without a browser.
ENDS = [name for name in NAMES if name[:2] in ("00", "03", "11", "13", "20")]


@pytest.mark.parametrize("chapter", ENDS, ids=[name[:2] for name in ENDS])
def test_every_question_is_open_until_it_is_answered(asked: Lab, chapter: str) -> None:
    """A wrong answer shows why, and nothing else; the right one shows what follows."""
    asked.open(f"workbook/{chapter}")
    folded = {number for number, _ in questions(asked) for number in following(asked, number)}
    assert seen(asked, sorted(folded)) == []  # before anything was run
    asked.choose("Run", "Run All Cells")
    answers = {}
    for place, (number, question) in enumerate(questions(asked)):
        card = asked.cell(number).locator(CARD)
        card.wait_for(timeout=120_000)
        assert seen(asked, following(asked, number)) == []
        right, wrong = right_letter(question), wrong_letter(question)
        assert card.locator(".minigrad-options > button").count() == len(question.options)
        before = card.inner_text()
        for letter in ascii_lowercase[: len(question.options)]:
            assert reason(question, letter) not in before
        option(card, wrong).click()
        expect(option(card, wrong)).to_have_attribute("data-verdict", "wrong")
        tried = card.inner_text()
        assert reason(question, wrong) in tried
        assert reason(question, right) not in tried
        assert seen(asked, following(asked, number)) == []
        words = words_before_heading(asked, number)
        assert words is None or words.is_hidden()
        option(card, right).click()
        expect(option(card, right)).to_have_attribute("data-verdict", "right")
        assert reason(question, right) in card.inner_text()
        answers[question.id] = wrong + right
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
    right, wrong = right_letter(question), wrong_letter(question)
    card = run_to(asked, number)
    option(card, wrong).click()
    option(card, right).click()
    check_kept(asked, {question.id: wrong + right})

    asked.server.end_kernels()
    asked.open(path)
    own = following(asked, number)[:2]
    assert seen(asked, own) == own
    run_to(asked, number)
    for letter, verdict in ((wrong, "wrong"), (right, "right")):
        expect(option(card, letter)).to_have_attribute("data-verdict", verdict)
        assert reason(question, letter) in card.inner_text()
    card.get_by_role("button", name="Clear my answer").click()
    assert card.locator("[data-verdict=wrong], [data-verdict=right]").count() == 0
    assert reason(question, right) not in card.inner_text()
    assert seen(asked, own) == []
    check_kept(asked, {})


def test_a_question_can_be_answered_by_keyboard(asked: Lab) -> None:
    """Shift+Enter moves to the answers and goes on from them; arrows choose, and Enter answers."""
    asked.open(f"workbook/{NAMES[0]}")
    number, question = questions(asked)[0]
    right, wrong = right_letter(question), wrong_letter(question)
    card = run_to(asked, number)
    answers, keyboard = card.locator(".minigrad-options"), asked.page.keyboard
    expect(answers).to_be_focused()

    def move_to(letter: str) -> None:
        for _ in range(len(question.options)):
            keyboard.press("ArrowDown")
            if option(card, letter).evaluate("each => each === document.activeElement"):
                return
        raise AssertionError(f"the arrows do not reach ({letter})")

    keyboard.press("Enter")  # nothing is chosen yet
    assert card.locator("[data-verdict=wrong], [data-verdict=right]").count() == 0
    move_to(wrong)
    keyboard.press("Enter")
    card.get_by_role("status").get_by_text(reason(question, wrong)).wait_for()
    expect(option(card, wrong)).to_be_focused()
    keyboard.press("Shift+Enter")  # there is nowhere to go on to before the answer
    expect(answers).to_be_focused()
    expect(option(card, wrong)).to_have_attribute("data-verdict", "wrong")
    move_to(right)
    keyboard.press("Enter")
    assert reason(question, right) in card.inner_text()
    keyboard.press("Shift+Enter")
    expect(asked.cell(number + 1)).to_have_class(re.compile("jp-mod-active"))
    expect(option(card, right)).to_have_attribute("data-verdict", "right")
    assert seen(asked, following(asked, number)[:2]) == following(asked, number)[:2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_strip_below_a_question(asked: Lab, scheme: Literal["light", "dark"]) -> None:
    """It counts what waits, knows whether its cell has run, and ends before what is not folded."""
    asked.page.emulate_media(color_scheme=scheme)
    asked.open(f"workbook/{NAMES[0]}")
    number, question = questions(asked)[0]
    folded = following(asked, number)
    strip = asked.cell(number).locator(STRIP)
    rest = f"question to reveal the next {len(folded)} cells."
    expect(strip).to_contain_text(f"Run this cell and answer its {rest}")
    card = run_to(asked, number)
    option(card, wrong_letter(question)).click()
    expect(strip).to_contain_text(f"Answer the {rest}")
    below = asked.cell(end(asked, number)).locator("h2").first.bounding_box()
    box = strip.bounding_box()
    assert box
    assert below
    assert below["y"] - (box["y"] + box["height"]) > 40
    assert asked.faint([CARD, STRIP]) == []
    strip.get_by_role("button", name="Skip this question").click()
    assert strip.count() == 0
    assert seen(asked, folded[:2]) == folded[:2]
    asked.page.keyboard.press("Shift+Enter")  # the focus has not been lost
    expect(asked.cell(number + 1)).to_have_class(re.compile("jp-mod-active"))
    check_kept(asked, {})


def test_the_answer_is_shown_on_request(asked: Lab) -> None:
    """After a wrong choice; it counts as answered, and is not praised."""
    asked.open(f"workbook/{NAMES[0]}")
    number, question = questions(asked)[0]
    right, wrong = right_letter(question), wrong_letter(question)
    card = run_to(asked, number)
    show = card.get_by_role("button", name="Show the answer")
    assert show.is_hidden()
    option(card, wrong).click()
    show.click()
    expect(option(card, right)).to_have_attribute("data-verdict", "right")
    assert reason(question, right) in card.inner_text()
    assert "Right." not in card.inner_text()
    assert show.is_hidden()
    check_kept(asked, {question.id: wrong + right})


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


def test_outside_a_workbook_a_question_that_has_run_folds_nothing(lab: Lab) -> None:
    """No answers are kept there, so its card is a list of answers to open."""
    path = f"elsewhere/{NAMES[0]}"
    (lab.server.checkout / "elsewhere").mkdir()
    copy = {"type": "notebook", "content": workbook.copied(ipynb.chapters()[0])}
    lab.server.ask(f"api/contents/{path}", copy, "PUT")  # which trusts it
    lab.open(path)
    (number, question), (second, _), *_ = questions(lab)
    own = [cell for cell in following(lab, number) if cell <= second]
    assert seen(lab, own) == []
    run_up_to(lab, number)
    expect(lab.cell(number).locator("details")).to_have_count(len(question.options))
    expect(lab.cell(number).locator(STRIP)).to_have_count(0)
    assert seen(lab, own) == own
