"""docs/cheatsheet and docs/poster show what their programs print, each on one printed sheet."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from figures import cheatsheet as MAKE
from minigrad_course.desk import ipynb
from tools import notebooks
from tools.questions import commonest

ROOT = notebooks.ROOT
PDF = ROOT / "docs" / "cheatsheet.pdf"
POSTER = ROOT / "docs" / "poster.pdf"
SVG = "{http://www.w3.org/2000/svg}"
AGAIN = "run: make figures"


@pytest.fixture(scope="module")
def printed() -> PageObject:
    (page,) = PdfReader(PDF).pages
    return page


def without_spaces(text: str) -> str:
    """`text` without white space, since the page decides where lines break."""
    return re.sub(r"\s", "", text)


@pytest.mark.parametrize(("name", "file"), [("cheatsheet", PDF), ("poster", POSTER)])
def test_the_pdf_is_up_to_date(name: str, file: Path) -> None:
    again = MAKE.compiled(MAKE.values(), "pdf", name)
    assert MAKE.words(file.read_bytes()) == MAKE.words(again), AGAIN
    assert MAKE.compiled(MAKE.values(), "pdf", name) == again
    about = PdfReader(file).metadata
    assert about is not None
    assert {"/CreationDate", "/ModDate"}.isdisjoint(about)


def test_the_page_has_everything_its_programs_show(printed: PageObject) -> None:
    live = MAKE.values()
    pieces = [*live["messages"].values(), *live["hooks"]]
    pieces += ["".join(line) for lines in live["programs"].values() for line in lines]
    for row in (row for table in live["tables"].values() for row in table):
        pieces.append("".join({True: "yes", False: "no"}.get(cell, cell) for cell in row))
    picture = MAKE.two_paths().shown
    pieces += [row.text for box in picture.boxes for row in box.rows]
    pieces += [arrow.label for arrow in picture.arrows]
    text = without_spaces(printed.extract_text())
    assert [piece for piece in pieces if without_spaces(piece).replace("`", "") not in text] == []


def test_pictures_have_no_style_that_typst_would_paint_black() -> None:
    assert "light-dark(" in MAKE.two_paths().svg
    assert "light-dark(" not in MAKE.picture(MAKE.two_paths())["svg"]


@pytest.mark.parametrize("page", [PDF, POSTER], ids=lambda page: page.stem)
def test_a_page_names_the_course_its_version_and_its_license(page: Path) -> None:
    text = without_spaces(PdfReader(page).pages[0].extract_text())
    assert without_spaces(MAKE.course()) in text


def test_the_svg_says_what_the_pdf_says_and_what_the_picture_shows() -> None:
    root = ET.parse(ROOT / "docs" / "cheatsheet.svg").getroot()
    about = MAKE.described(PDF.read_bytes(), MAKE.picture(MAKE.two_paths())["alt"])
    assert root.findtext(f"{SVG}title") == MAKE.TITLE
    assert root.findtext(f"{SVG}desc") == about, AGAIN


def test_the_svg_draws_as_many_letters_as_the_pdf(printed: PageObject) -> None:
    """Its letters are outlines, so they can only be counted; the picture's are in an image."""
    root = ET.parse(ROOT / "docs" / "cheatsheet.svg").getroot()
    letters = sum(1 for _ in root.iter(f"{SVG}use"))
    picture = MAKE.two_paths().shown
    rows = [row.text for box in picture.boxes for row in box.rows]
    words = [*rows, *(arrow.label for arrow in picture.arrows)]
    text = without_spaces(printed.extract_text())
    assert letters == len(text) - len(without_spaces("".join(words)))


@pytest.mark.parametrize(
    ("file", "sides", "smallest"), [(PDF, [842, 595], 7), (POSTER, [1191, 842], 13)]
)
def test_it_is_one_legible_sheet(file: Path, sides: list[int], smallest: int) -> None:
    """A4 in the hand, and A3 on a wall; sides and letters are measured in points."""
    (page,) = PdfReader(file).pages
    assert [round(float(side)) for side in page.mediabox[2:]] == sides
    sizes = sizes_of(page)
    assert min(sizes) >= smallest, sizes


def sizes_of(printed: PageObject) -> dict[float, str]:
    """The sizes of the letters, each with a piece of text in that size."""
    sizes: dict[float, str] = {}

    def look(text: str, matrix: list[float], place: list[float], _: object, size: float) -> None:
        if text.strip():
            sizes[round(size * abs(place[3]) * abs(matrix[3]), 1)] = text

    printed.extract_text(visitor_text=look)
    return sizes


def test_every_message_is_an_error_or_a_warning() -> None:
    words = MAKE.values()["messages"].values()
    assert len(set(words)) == len(words)
    with pytest.raises(IndexError):
        MAKE.provoked("1 + 1")


@pytest.mark.parametrize("page", ["cheatsheet", "poster"])
def test_chapters_that_are_named_exist(page: str) -> None:
    known = {file.name[:2] for file in ipynb.chapters()}
    layout = (MAKE.FOLDER / f"{page}.typ").read_text(encoding="utf-8")
    parts = re.findall(r"#part\[.+\]\[(\d\d.*)\]", layout)
    named = [chapter for place in parts for chapter in place.split(", ")]
    named += re.findall(r'#(?:message|cure)\(".+", "(\d\d)"\)', layout)
    assert named
    assert set(named) <= known


# --- the poster -----------------------------------------------------------------------------------


def test_the_poster_has_common_errors_and_the_whole_graph() -> None:
    text = without_spaces(MAKE.words(POSTER.read_bytes()))
    layout = (MAKE.FOLDER / "poster.typ").read_text(encoding="utf-8")
    names = re.findall(r'#cure\("(.+)", "\d\d"\)', layout)
    messages = [MAKE.values()["messages"][name] for name in names]
    assert messages
    assert [each for each in messages if without_spaces(each) not in text] == []
    common = [question.message for question in commonest() if question.message]
    assert [each for each in messages if not any(each.startswith(one) for one in common)] == []
    picture = MAKE.code_9(gradients=True).shown
    pieces = [row.text for box in picture.boxes for row in box.rows]
    pieces += [arrow.label for arrow in picture.arrows]
    assert [piece for piece in pieces if without_spaces(piece) not in text] == []


def test_the_poster_is_not_cut_off() -> None:
    """The picture is as wide as its column, and the columns end above the lower edge."""
    (page,) = PdfReader(POSTER).pages
    places: list[tuple[float, float]] = []

    def look(text: str, matrix: list[float], place: list[float], *_: object) -> None:
        if text.strip():
            x, y = place[4], place[5]
            places.append(
                (
                    matrix[0] * x + matrix[2] * y + matrix[4],
                    matrix[1] * x + matrix[3] * y + matrix[5],
                )
            )

    page.extract_text(visitor_text=look)
    assert places
    assert all(40 < x < 1191 - 40 and 30 < y < 842 - 30 for x, y in places)
