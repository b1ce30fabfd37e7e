"""Decks in a browser without a network: keys lead through them, and long slides scroll."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from minigrad_course.desk import ipynb
from tests.browser.driving import OUTPUT, PLAYER, Watched, watching
from tests.browser.shown import check_player
from tools import notebooks, slides

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

FILE = notebooks.NOTEBOOKS / "12_broadcasting.ipynb"
READY = "() => window.Reveal && Reveal.isReady()"
SLIDE = "section.present > section.present"
QUESTION = f"{OUTPUT}:has-text('Predict before you run.')"
# Whether the slide is the one with this heading.
SHOWS = """([slide, anchor]) =>
  document.querySelector(slide + " h2")?.id === decodeURIComponent(anchor)"""
# Whether the address names the current slide and fragment.
NOTED = "() => location.hash === '#/' + Object.values(Reveal.getIndices()).join('/')"
# The lower end of the slide, the extent of the newest fragment, and the scroll position.
PLACE = """([slide]) => {
  const seen = slide.getBoundingClientRect();
  const last = slide.querySelector(".current-fragment").getBoundingClientRect();
  return { end: seen.bottom, first: last.top, last: last.bottom, scrolled: slide.scrollTop };
}"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("slides")
    slides.write([FILE], place)
    return place


@pytest.fixture
def page(context: BrowserContext, folder: Path) -> Iterator[Page]:
    watched = Watched(context, folder.as_uri())
    with watching(watched):
        watched.page.goto((folder / "index.html").as_uri())
        watched.page.get_by_text("12 · Broadcasting").click()
        watched.page.wait_for_function(READY)
        yield watched.page


@contextmanager
def lecture(context: BrowserContext, folder: Path, file: Path) -> Iterator[Page]:
    """The first slide of a lecture, opened from the list of decks."""
    slides.write([file], folder)
    watched = Watched(context, folder.as_uri())
    with watching(watched):
        watched.page.goto((folder / "index.html").as_uri())
        watched.page.get_by_role("link").click()
        watched.page.wait_for_function(READY)
        yield watched.page


def go_to(page: Page, anchor: str) -> None:
    """Go to the slide as a link to its heading does."""
    page.evaluate("anchor => { location.hash = anchor }", anchor)
    page.wait_for_function(SHOWS, arg=[SLIDE, anchor])


def place(page: Page) -> dict[str, Any]:
    return page.locator(SLIDE).evaluate_all(PLACE)


def test_one_key_shows_the_question_and_the_next_its_answer(page: Page) -> None:
    go_to(page, "Draft-1%3A-at-the-leaf")
    came = page.locator(f"{SLIDE} .fragment.visible")
    question = page.locator(f"{SLIDE} {QUESTION}")
    answer = page.locator(f"{SLIDE} .fragment:has({QUESTION}) + .fragment {OUTPUT}").first
    seen = []
    for count in range(5):
        assert came.count() == count
        seen.append((question.is_visible(), answer.is_visible()))
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)  # it fades in
    assert seen == [(False, False)] * 3 + [(True, False), (True, True)]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    assert page.locator(f"{SLIDE} h2").inner_text() == "Draft 2: on each edge"
    page.wait_for_function(NOTED)
    page.reload()
    page.wait_for_function(SHOWS, arg=[SLIDE, "Draft-2%3A-on-each-edge"])


def test_a_long_slide_scrolls_to_new_fragments_and_by_key(page: Page) -> None:
    go_to(page, "The-trap%3A-%28N%2C-1%29-%E2%88%92-%28N%29")
    for _ in page.locator(f"{SLIDE} .fragment").all():
        page.keyboard.press("ArrowRight")
        now = place(page)
        assert 0 <= now["first"] < now["end"] <= page.viewport_size["height"]
    assert now["last"] <= now["end"] + 1
    lowest = now["scrolled"]
    assert lowest > 1000
    page.keyboard.press("ArrowUp")
    assert place(page)["scrolled"] == lowest - 240
    page.keyboard.press("ArrowDown")
    assert place(page)["scrolled"] == lowest
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert place(page)["first"] >= 0


def test_a_replay_plays(page: Page) -> None:
    go_to(page, "The-build%3A-sum_to")
    player = page.locator(f"{SLIDE} {PLAYER}")
    for _ in page.locator(f"{SLIDE} .fragment").all():
        if not player.is_visible():
            page.keyboard.press("ArrowRight")
    check_player(player)
    assert page.locator(f"{SLIDE} h2").inner_text() == "The build: sum_to"


# --- lectures -------------------------------------------------------------------------------------

LECTURES = ipynb.chapters(slides.LECTURES)
ALL_SLIDES = "() => Reveal.getSlides().map((slide) => Reveal.getIndices(slide))"
# Of a slide with all its fragments: what is cut off or outside, and the smallest fonts.
MEASURE = """() => {
  const slide = Reveal.getCurrentSlide();
  const cut = (element) =>
    element.scrollWidth > element.clientWidth + 1 ||
    element.scrollHeight > element.clientHeight + 1;
  const shown = (selector) =>
    [...slide.querySelectorAll(selector)].filter((each) => each.checkVisibility());
  const size = (element) => parseFloat(getComputedStyle(element).fontSize);
  const inside = (element) => {
    const box = element.getBoundingClientRect(), frame = slide.getBoundingClientRect();
    return box.left >= frame.left && box.right <= frame.right + 1 && box.bottom <= frame.bottom + 1;
  };
  const things = shown("pre, img, svg, p, li, table");
  return {
    title: slide.querySelector("h1, h2").innerText,
    cut: [slide, ...shown("pre")].filter(cut).length,
    outside: things.filter((each) => !inside(each)).map((each) => each.outerHTML.slice(0, 80)),
    code: Math.min(...shown(".highlight pre").map(size), 99),
    text: Math.min(...shown(".jp-RenderedMarkdown :is(p, li, td)").map(size)),
    bottom: Math.max(...things.map((each) => each.getBoundingClientRect().bottom)),
  };
}"""


@pytest.mark.parametrize("file", LECTURES, ids=lambda file: file.stem)
def test_each_slide_of_a_lecture_fits_the_screen_and_can_be_read(
    context: BrowserContext, tmp_path: Path, file: Path
) -> None:
    with lecture(context, tmp_path, file) as page:
        page.set_viewport_size({"width": 1280, "height": 720})
        for place in page.evaluate(ALL_SLIDES):
            page.evaluate("({ h, v }) => Reveal.slide(h, v, 99)", place)
            page.wait_for_timeout(250)  # it fades in
            seen = page.evaluate(MEASURE)
            assert not seen["cut"], seen
            assert not seen["outside"], seen
            assert seen["code"] >= 28, seen
            assert seen["text"] >= 28, seen
            assert seen["bottom"] > 360, f"the lower half is empty: {seen}"


# How many texts and pictures of the slide are visible, and how many answers are marked.
COME = """() => [...Reveal.getCurrentSlide().querySelectorAll("pre, img, svg, p, li, table")]
  .filter((each) => !each.closest(".notes, .fragment:not(.custom):not(.visible)")).length
  + Reveal.getCurrentSlide().querySelectorAll(".right.visible").length"""


@pytest.mark.parametrize("file", LECTURES, ids=lambda file: file.stem)
def test_each_key_of_a_lecture_shows_something(
    context: BrowserContext, tmp_path: Path, file: Path
) -> None:
    with lecture(context, tmp_path, file) as page:
        presses = 0
        for place in page.evaluate(ALL_SLIDES):
            page.evaluate("({ h, v }) => Reveal.slide(h, v, -1)", place)
            while page.evaluate("() => Reveal.availableFragments().next"):
                before = page.evaluate(COME)
                page.keyboard.press("ArrowRight")
                presses += 1
                assert page.evaluate(COME) > before, page.locator(f"{SLIDE} h2").inner_text()
        assert presses >= 9


def test_the_right_answer_is_marked_after_the_result(
    context: BrowserContext, tmp_path: Path
) -> None:
    """On a slide that asks after its picture is described, and on one whose code comes first."""
    green = "rgb(0, 103, 75)"
    with lecture(context, tmp_path, LECTURES[2]) as page:
        for anchor, answer in (("And-the-leaf%3F", "2"), ("When-may-a-node-run%3F", "everything")):
            go_to(page, anchor)
            right = page.locator(f"{SLIDE} p.right")
            assert answer in right.inner_text()
            marked = []
            while page.evaluate("() => Reveal.availableFragments().next"):
                marked.append(right.evaluate("(each) => getComputedStyle(each).borderTopColor"))
                page.keyboard.press("ArrowRight")
                page.wait_for_timeout(300)  # it fades in
            assert green not in marked
            assert len(marked) == 2
            assert right.evaluate("(each) => getComputedStyle(each).borderTopColor") == green
            assert right.is_visible()


@pytest.mark.parametrize("key", ["ArrowRight", "Space", "PageDown"])
def test_after_the_last_step_of_a_replay_the_key_goes_to_the_deck(
    context: BrowserContext, tmp_path: Path, key: str
) -> None:
    with lecture(context, tmp_path, LECTURES[2]) as page:
        go_to(page, "Step-by-step")
        page.keyboard.press("ArrowRight")
        player = page.locator(f"{SLIDE} {PLAYER}")
        player.get_by_label("Step forward").click()
        title = player.locator("output")
        last = int(re.findall(r"of (\d+)", title.inner_text())[0])
        for step in range(2, last + 1):
            page.keyboard.press(key)
            assert title.inner_text().startswith(f"Step {step} of")
        page.keyboard.press(key)
        page.wait_for_function(SHOWS, arg=[SLIDE, "In-which-order-do-nodes-run%3F"])
        page.keyboard.press(key)
        assert page.locator(f"{SLIDE} .fragment.visible").count() == 1


def test_the_tab_key_goes_to_the_stepper_and_enter_presses_its_buttons(
    context: BrowserContext, tmp_path: Path
) -> None:
    with lecture(context, tmp_path, LECTURES[2]) as page:
        go_to(page, "Step-by-step")
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)  # it fades in
        player = page.locator(f"{SLIDE} {PLAYER}")
        focused = page.locator(":focus")
        page.keyboard.press("Tab")
        assert "minigrad-player" in (focused.get_attribute("class") or "")
        for _ in range(3):
            page.keyboard.press("Tab")
        for step in (1, 2):
            page.keyboard.press("Enter")
            assert player.locator("output").inner_text().startswith(f"Step {step} of")
            assert focused.get_attribute("aria-label") == "Step forward"
        page.keyboard.press("Shift+Tab")
        assert "minigrad-play" in (focused.get_attribute("class") or "")


INSIDE = """(part) => {
  const box = part.getBoundingClientRect();
  const paper = part.closest(".pdf-page").getBoundingClientRect();
  return box.top >= paper.top && box.bottom <= paper.bottom && box.right <= paper.right;
}"""


def test_a_deck_prints_a_page_for_each_slide(context: BrowserContext, tmp_path: Path) -> None:
    """As the list of decks says it, and with what a key would bring."""
    with lecture(context, tmp_path, LECTURES[0]) as page:
        count = len(page.evaluate(ALL_SLIDES))
        page.goto(f"{page.url.partition('#')[0]}?print-pdf")
        page.locator(".pdf-page").nth(count - 1).wait_for(state="attached")
        printed = page.pdf(prefer_css_page_size=True, print_background=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) == count
        page.emulate_media(media="print")
        pages = page.locator(".pdf-page")
        for shown in (".jp-RenderedText", "p.right", ".jp-OutputArea img", ".minigrad-stills img"):
            seen = pages.locator(shown).filter(visible=True)
            assert seen.count() > 2, shown
            for each in seen.all():  # it is on its page, beside what it belongs to
                assert each.evaluate(INSIDE), (shown, each.inner_html())
        assert pages.locator(PLAYER).filter(visible=True).count() == 0
