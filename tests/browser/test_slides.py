"""Decks in a browser: nothing runs over the edge of a slide, type is large, all works offline."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tools import notebooks, slides

CHAPTERS = ("00_start_here", "04_backward", "11_in_place", "17_inside_pytorch")
LOADED = "() => window.Reveal && Reveal.isReady()"
BIG, SMALL = {"width": 1920, "height": 1080}, {"width": 1280, "height": 720}

# For each slide, in pixels of a slide 720 high: what its columns hold and have room for, how far
# anything stands out at the right, and its smallest type.
MEASURE = """() => Reveal.getSlides().map((slide) => {
  const { h, v } = Reveal.getIndices(slide);
  Reveal.slide(h, v, 99);
  const scale = slide.getBoundingClientRect().height / 720;
  const place = (element) => element.getBoundingClientRect();
  const seen = { name: slide.innerText.split("\\n")[0], columns: [], out: 0, type: Infinity };
  const heading = slide.querySelector("h1, h2");
  seen.out = heading.scrollWidth - heading.clientWidth;
  for (const column of slide.querySelectorAll(".column")) {
    const inside = [...column.querySelectorAll("*")].filter((element) =>
      place(element).width && !element.parentElement.closest(".close-up, svg"));
    const bottom = Math.max(place(column).top, ...inside.map((element) => place(element).bottom));
    const right = Math.max(0, ...inside.map((element) => place(element).right));
    seen.columns.push([(bottom - place(column).top) / scale, place(column).height / scale]);
    seen.out = Math.max(seen.out, (right - place(column).right) / scale);
  }
  const words = document.createTreeWalker(slide, NodeFilter.SHOW_TEXT);
  while (words.nextNode()) {
    const element = words.currentNode.parentElement;
    if (words.currentNode.textContent.trim() && !element.closest("aside, svg")) {
      seen.type = Math.min(seen.type, parseFloat(getComputedStyle(element).fontSize));
    }
  }
  return seen;
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("slides")
    slides.write([file for file in notebooks.chapters() if file.stem in CHAPTERS], place)
    return place


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """An offline page; complaints in its console fail the test."""
    context = browser.new_context(viewport=SMALL, offline=True)
    opened = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.on("console", lambda line: complaints.append(line.text) if line.type == "error" else 0)
    opened.on("request", lambda request: asked.append(request.url))
    yield opened
    context.close()
    assert not complaints
    assert [url for url in asked if not url.startswith(("file:", "data:", "about:", "blob:"))] == []


def show(page: Any, file: Path, more: str = "") -> None:
    page.goto(file.as_uri() + more)
    page.wait_for_function(LOADED)


@pytest.mark.parametrize("size", [SMALL, BIG], ids=["720", "1080"])
@pytest.mark.parametrize("name", CHAPTERS)
def test_slides_hold_what_stands_on_them_in_large_type(
    page: Any, folder: Path, name: str, size: dict[str, int]
) -> None:
    page.set_viewport_size(size)
    show(page, folder / f"{name}.html")
    measured = page.evaluate(MEASURE)
    assert len(measured) > 20
    for slide in measured:
        assert slide["type"] >= 18, slide  # 2.5 % of the height
        assert slide["out"] <= 1, slide
        for used, room in slide["columns"]:
            assert used <= room + 1, slide


def test_the_contents_are_one_slide_and_lead_to_the_decks(page: Any, folder: Path) -> None:
    show(page, folder / "index.html")
    (slide,) = page.evaluate(MEASURE)
    assert slide["type"] >= 18
    assert all(used <= room for used, room in slide["columns"])
    page.click("text=04 · Backward")
    page.wait_for_function(LOADED)
    assert page.title() == "04 · Backward"


def test_a_link_leads_to_the_section_that_it_names(page: Any, folder: Path) -> None:
    show(page, folder / "04_backward.html", "#/Draft-1%3A-overwritten")
    assert page.evaluate("Reveal.getCurrentSlide().id") == "Draft-1:-overwritten"


def test_the_right_arrow_leads_through_all_slides_and_steps(page: Any, folder: Path) -> None:
    show(page, folder / "04_backward.html")
    index = page.evaluate(
        """() => {
          const found = Reveal.getSlides().findIndex((slide) => slide.querySelector(".frame"));
          const { h, v } = Reveal.getIndices(Reveal.getSlides()[found]);
          Reveal.slide(h, v, -1);
          return found;
        }"""
    )
    top = """() => {
      const graph = document.querySelector(".right .frames").getBoundingClientRect();
      const seen = [...document.querySelectorAll(".present .frames:not(.right .frames) .frame")]
        .filter((frame) => getComputedStyle(frame).opacity === "1");
      return [seen.at(-1).querySelector("h3").textContent, graph.width > 200, seen.length];
    }"""
    for step in range(6):
        page.wait_for_timeout(500)  # as long as a fragment fades in
        title, drawn, seen = page.evaluate(top)
        assert title.startswith(f"Step {step} of 5")
        assert drawn
        assert seen == step + 1
        page.keyboard.press("ArrowRight")
    assert page.evaluate("Reveal.getSlidePastCount()") == index + 1


def test_speakers_see_notes_and_the_time(page: Any, folder: Path) -> None:
    show(page, folder / "00_start_here.html", "#/The-puzzle")
    page.keyboard.press("ArrowRight")
    with page.expect_popup() as opening:
        page.keyboard.press("s")
    notes = opening.value
    notes.wait_for_selector(".speaker-controls-notes .value:has-text('Ask for hands')")
    said = notes.inner_text("body")
    assert "If they say (a)" in said
    assert "for this slide · section" in said
    assert "Pacing" in said or "PACING" in said


def test_decks_print(page: Any, folder: Path) -> None:
    page.goto((folder / "00_start_here.html").as_uri() + "?print-pdf")
    page.wait_for_function("() => document.querySelectorAll('.pdf-page').length > 30")
    pdf = page.pdf(prefer_css_page_size=True, print_background=True)
    assert pdf.startswith(b"%PDF")
    assert pdf.count(b"/Type /Page\n") == page.evaluate(
        "document.querySelectorAll('.pdf-page').length"
    )
