"""docs/cheatsheet: the page says what its programs show today, on one sheet that can be printed."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from pypdf import PageObject, PdfReader

from figures import cheatsheet as MAKE
from tools import notebooks

ROOT = notebooks.ROOT
PDF = ROOT / "docs" / "cheatsheet.pdf"
SVG = "{http://www.w3.org/2000/svg}"
SMALLEST = 7.0  # points
AGAIN = "run: make figures"


@pytest.fixture(scope="module")
def printed() -> PageObject:
    (page,) = PdfReader(PDF).pages
    return page


@pytest.fixture(scope="module")
def again() -> bytes:
    return MAKE.compiled(MAKE.values(), "pdf")


def bare(text: str) -> str:
    """Letters and signs alone: a page breaks its lines where it likes."""
    return re.sub(r"\s", "", text)


def test_the_pdf_says_what_its_programs_and_its_layout_say_today(again: bytes) -> None:
    assert MAKE.words(PDF.read_bytes()) == MAKE.words(again), AGAIN


def test_all_that_programs_show_is_on_the_page(printed: PageObject) -> None:
    live = MAKE.values()
    pieces = [*live["messages"].values(), *live["hooks"]]
    pieces += ["".join(line) for lines in live["programs"].values() for line in lines]
    for row in (row for table in live["tables"].values() for row in table):
        pieces.append("".join({True: "yes", False: "no"}.get(cell, cell) for cell in row))
    picture = MAKE.two_paths().shown
    pieces += [row.text for box in picture.boxes for row in box.rows]
    pieces += [arrow.label for arrow in picture.arrows]
    text = bare(printed.extract_text())
    assert [piece for piece in pieces if bare(piece).replace("`", "") not in text] == []
    assert min(map(len, pieces[: len(live["messages"])])) > 30


def test_the_svg_says_what_the_pdf_says_and_what_the_picture_shows() -> None:
    root = ET.parse(ROOT / "docs" / "cheatsheet.svg").getroot()
    about = MAKE.described(PDF.read_bytes(), MAKE.picture()["alt"])
    assert root.findtext(f"{SVG}title") == MAKE.TITLE
    assert root.findtext(f"{SVG}desc") == about, AGAIN


def test_the_svg_draws_as_many_letters_as_the_pdf(printed: PageObject) -> None:
    """Its letters are shapes, and cannot be read. Those of the picture are in an image."""
    root = ET.parse(ROOT / "docs" / "cheatsheet.svg").getroot()
    letters = sum(1 for _ in root.iter(f"{SVG}use"))
    picture = MAKE.two_paths().shown
    rows = [row.text for box in picture.boxes for row in box.rows]
    words = [*rows, *(arrow.label for arrow in picture.arrows)]
    assert letters == len(bare(printed.extract_text())) - len(bare("".join(words)))


def test_it_is_one_page_that_can_be_printed(printed: PageObject) -> None:
    assert [round(float(side)) for side in printed.mediabox[2:]] == [842, 595]  # A4, landscape
    sizes: dict[float, str] = {}

    def look(text: str, matrix: list[float], place: list[float], _: object, size: float) -> None:
        if text.strip():
            sizes[round(size * abs(place[3]) * abs(matrix[3]), 1)] = text

    printed.extract_text(visitor_text=look)
    assert min(sizes) >= SMALLEST, sizes
    assert max(sizes) > 2 * SMALLEST  # the title: sizes are read rightly


def test_no_date_and_no_machine_is_in_it() -> None:
    about = PdfReader(PDF).metadata
    assert about is not None
    assert {"/CreationDate", "/ModDate"}.isdisjoint(about)


def test_making_it_again_changes_nothing(again: bytes) -> None:
    assert MAKE.compiled(MAKE.values(), "pdf") == again


def test_every_message_is_an_error_or_a_warning() -> None:
    words = MAKE.values()["messages"].values()
    assert len(set(words)) == len(words) >= 10
    with pytest.raises(IndexError):
        MAKE.provoked("1 + 1")


def test_chapters_that_are_named_exist() -> None:
    known = {file.name[:2] for file in notebooks.chapters()}
    layout = (MAKE.FOLDER / "cheatsheet.typ").read_text(encoding="utf-8")
    parts = re.findall(r"#part\[.+\]\[(.+)\]", layout)
    named = [chapter for place in parts for chapter in place.split(", ")]
    named += re.findall(r'#message\(".+", "(\d\d)"\)', layout)
    assert len(named) >= 20
    assert set(named) <= known
