"""Decks: sections are slides, answers follow their questions, and no network is needed.

tests/browser/test_slides.py shows decks in a browser.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from nbformat import NotebookNode, v4

from minigrad_course.desk import ipynb
from tools import slides

FILES = {file.name[:2]: file for file in ipynb.chapters()}
LECTURES = ipynb.chapters(slides.LECTURES)
QUESTION = "Predict before you run."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("slides")
    slides.write([FILES["04"]], place)
    return place


@pytest.fixture(scope="module")
def deck(folder: Path) -> BeautifulSoup:
    return soup(folder / FILES["04"].with_suffix(".html").name)


def soup(page: Path) -> BeautifulSoup:
    return BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")


# --- a chapter ------------------------------------------------------------------------------------


def test_each_section_is_a_slide_and_each_exercise_too(deck: BeautifulSoup) -> None:
    cells = ipynb.read(FILES["04"]).cells
    prose = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    headings = re.findall(r"^## (.+)$", prose, re.MULTILINE)
    opening, *columns = deck.select(".slides > section")
    assert opening.text.strip().startswith("04 · Backward")
    assert [[tag.text.rstrip("¶") for tag in column.select("h2")] for column in columns] == [
        [heading] for heading in headings
    ]
    for column in columns:
        beginnings = [slide.find(["h2", "strong"]).text for slide in column.select("section")]
        if "Exercises¶" in beginnings:
            assert beginnings == ["Exercises¶", "04.2", "04.3", "04.4"]
            assert all(len(slide.select(".fragment")) == 1 for slide in column.select("section"))
        else:
            assert len(beginnings) == 1


@pytest.mark.parametrize("number", FILES)
def test_in_every_chapter_answers_appear_after_their_predictions(number: str) -> None:
    cells = slides.typed(ipynb.read(FILES[number])).cells
    for cell, following in pairwise(cells):
        asks = [QUESTION in str(output.get("data")) for output in cell.get("outputs", [])]
        if any(asks):
            assert asks.index(True) == len(asks) - 1
            assert following.metadata.slideshow.slide_type != "-"


# --- the lectures ---------------------------------------------------------------------------------

EVERY_LECTURE = pytest.mark.parametrize("file", LECTURES, ids=lambda file: file.stem)
MARK = "  # ←"


def slides_of(file: Path) -> list[list[NotebookNode]]:
    """The cells of each slide of a lecture, except skipped ones."""
    found: list[list[NotebookNode]] = []
    for cell in ipynb.read(file).cells:
        kind = cell.metadata.slideshow.slide_type
        if kind == "slide":
            found.append([])
        if kind != "skip":
            found[-1].append(cell)
    return found


def is_hidden(cell: NotebookNode) -> bool:
    return "no-input" in ipynb.tags(cell)


@EVERY_LECTURE
def test_the_vote_comes_before_the_result(file: Path) -> None:
    votes = [
        slide for slide in slides_of(file) if any("\n\n**B** " in cell.source for cell in slide)
    ]
    assert votes
    for slide in votes:
        kinds = {cell.metadata.slideshow.slide_type for cell in slide if is_hidden(cell)}
        assert kinds <= {"fragment"}, slide[0].source


@EVERY_LECTURE
def test_a_vote_has_a_right_answer_unless_the_next_slide_shows_it(file: Path) -> None:
    page = BeautifulSoup(slides.deck(ipynb.read(file), "lecture", "lecture"), "html.parser")
    shown = page.select(".slides > section > section")
    assert "✓" not in " ".join(slide.text for slide in shown)
    for slide, made in zip(slides_of(file), shown, strict=True):
        vote = any("\n\n**B** " in cell.source for cell in slide)
        later = "the next slide runs" in slide[-1].source
        assert len(made.select("p.right")) == (vote and not later), slide[0].source


def test_lines_are_marked_and_each_result_waits_for_a_key(tmp_path: Path) -> None:
    slides.write(LECTURES[:1], tmp_path)
    page = (tmp_path / LECTURES[0].with_suffix(".html").name).read_text(encoding="utf-8")
    sources = [cell.source for slide in slides_of(LECTURES[0]) for cell in slide]
    made = BeautifulSoup(page, "html.parser")
    marked = [tag.text for tag in made.select(".slides mark")]
    wanted = [line for source in sources for line in source.split("\n") if MARK in line]
    assert marked == [line.removesuffix(MARK) for line in wanted]
    assert "# ←" not in page
    inputs = made.select(".jp-CodeCell .jp-Cell-inputWrapper pre")
    hidden = [cell for slide in slides_of(LECTURES[0]) for cell in slide if is_hidden(cell)]
    assert hidden
    for cell in hidden:
        assert not any(cell.source.strip() in tag.text for tag in inputs)
    assert 'output.classList.add("fragment")' in page
    (link,) = soup(tmp_path / "index.html").select("li")
    minutes = sum(slides.minutes(cell) for cell in ipynb.read(LECTURES[0]).cells)
    assert re.search(rf" {minutes} minutes$", link.text)


# --- the folder -----------------------------------------------------------------------------------


def test_the_index_links_to_the_existing_decks(folder: Path) -> None:
    links = soup(folder / "index.html").select("a")
    assert [(link["href"], link.text) for link in links] == [("04_backward.html", "04 · Backward")]
    assert "Permission is hereby granted" in (folder / "reveal" / "LICENSE").read_text()


def test_decks_are_chosen_by_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen: list[list[Path]] = []

    def write(files: list[Path]) -> list[Path]:
        chosen.append(files)
        return []

    monkeypatch.setattr(slides, "write", write)
    slides.main(["04", "00"])
    slides.main(["lectures/03", "03"])
    slides.main(["lectures"])
    slides.main([])
    every = [*LECTURES, *FILES.values()]
    assert chosen == [[FILES["04"], FILES["00"]], [LECTURES[2], FILES["03"]], LECTURES, every]
    assert len({file.stem for file in every}) == len(every)
    with pytest.raises(SystemExit):
        slides.main(["77"])
    assert "there is no 77" in capsys.readouterr().err


# --- a notebook from outside ----------------------------------------------------------------------


def prose(text: str, slide_type: str | None = None) -> NotebookNode:
    wish = {} if slide_type is None else {"slideshow": {"slide_type": slide_type}}
    return v4.new_markdown_cell(text, metadata=wish)


def columns_of(*cells: NotebookNode) -> list[list[Tag]]:
    """The slides of a notebook with these cells, one list for each column."""
    made = BeautifulSoup(slides.deck(v4.new_notebook(cells=cells), "made up"), "html.parser")
    return [column.select("section") for column in made.select(".slides > section")]


def test_without_types_prose_is_split_before_sections() -> None:
    there = "[01](01_slopes.ipynb)"
    (first,), (second,) = columns_of(
        prose("## A\n\nOne."), prose(f"{there}\n\n## B\n\nThree.", slide_type="")
    )
    (fragment,) = first.select(".fragment")
    assert [link["href"] for link in fragment.select("a")] == ["01_slopes.html"]
    assert [paragraph.text for paragraph in second.select("p")] == ["Three."]
    assert not second.select(".fragment")


def test_a_slide_type_overrides_the_rule() -> None:
    columns = columns_of(
        prose("## A"),
        prose("One.\n\n## B", "fragment"),
        prose("## C", "-"),
        prose("Not here.", "skip"),
        prose("Say this.", "notes"),
        prose("Two.", "subslide"),
        prose("Three.\n\n## D", "slide"),
    )
    (above, below), (last,) = columns
    assert [tag.text for tag in above.select("p, h2")] == ["A¶", "One.", "B¶", "C¶", "Say this."]
    (fragment,) = above.select(".fragment")
    assert [tag.text for tag in fragment.select("p, h2")][:3] == ["One.", "B¶", "C¶"]
    assert [tag.text.strip() for tag in above.select("aside.notes")] == ["Say this."]
    assert below.text.strip() == "Two."
    assert [tag.text for tag in last.select("p, h2")] == ["Three.", "D¶"]
    assert not last.select(".fragment")
