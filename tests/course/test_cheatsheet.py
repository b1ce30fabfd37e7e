"""docs/cheatsheet: the page says what its programs show today, on one sheet that can be printed."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from typing import Any

import pytest
from pypdf import PageObject, PdfReader

from figures import cheatsheet as MAKE
from tools import notebooks

ROOT = notebooks.ROOT
SVG = "{http://www.w3.org/2000/svg}"
SMALLEST = 7.0  # points


SHEET = MAKE.page()
AGAIN = "run: make figures"


@pytest.fixture(scope="module")
def printed() -> PageObject:
    (page,) = PdfReader(ROOT / "docs" / "cheatsheet.pdf").pages
    return page


def bare(text: str) -> str:
    """Letters and signs alone: a page breaks its lines where it likes."""
    return re.sub(r"[\s`]", "", text)


def items() -> Iterator[Any]:
    for column in SHEET["columns"]:
        for section in column:
            yield from section["items"]


def pieces() -> Iterator[str]:
    """What must stand on the page."""
    yield from (SHEET["title"], SHEET["note"])
    for column in SHEET["columns"]:
        yield from (f"{section['title']}{section['place']}" for section in column)
    for item in items():
        match item["kind"]:
            case "program":
                yield from ("".join(line) for line in item["lines"])
            case "facts":
                yield from ("".join(row) for row in [item["head"], *item["rows"]])
            case "message":
                yield item["words"] + item["cure"] + item["chapter"]
            case "text":
                yield item["words"]
    picture = MAKE.graph().shown
    yield from (row.text for box in picture.boxes for row in box.rows)
    yield from (arrow.label for arrow in picture.arrows if arrow.label)


def test_the_svg_says_what_the_programs_show() -> None:
    root = ET.parse(ROOT / "docs" / "cheatsheet.svg").getroot()
    assert root.findtext(f"{SVG}title") == MAKE.TITLE
    assert root.findtext(f"{SVG}desc") == MAKE.twin(SHEET), AGAIN


def test_the_pdf_says_what_the_programs_show(printed: PageObject) -> None:
    text = bare(printed.extract_text())
    assert [piece for piece in pieces() if bare(piece) not in text] == [], AGAIN


def test_the_svg_draws_as_many_letters_as_the_pdf(printed: PageObject) -> None:
    """Its letters are shapes, and cannot be read. Those of the picture are in an image."""
    root = ET.parse(ROOT / "docs" / "cheatsheet.svg").getroot()
    letters = sum(1 for _ in root.iter(f"{SVG}use"))
    picture = MAKE.graph().shown
    rows = [row.text for box in picture.boxes for row in box.rows]
    words = [*rows, *(arrow.label for arrow in picture.arrows)]
    assert letters == len(re.sub(r"\s", "", printed.extract_text())) - len(bare("".join(words)))


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
    about = PdfReader(ROOT / "docs" / "cheatsheet.pdf").metadata
    assert about is not None
    assert {"/CreationDate", "/ModDate"}.isdisjoint(about)


def test_every_message_is_an_error_or_a_warning() -> None:
    words = [item["words"] for item in items() if item["kind"] == "message"]
    assert len(set(words)) == len(words) >= 10
    with pytest.raises(IndexError):
        MAKE.provoked("1 + 1")


def test_chapters_that_are_named_exist() -> None:
    known = {file.name[:2] for file in notebooks.chapters()}
    sections = [section for column in SHEET["columns"] for section in column]
    named = [chapter for section in sections for chapter in section["place"].split(", ")]
    named += [item["chapter"] for item in items() if item["kind"] == "message"]
    assert set(named) <= known


def test_making_it_again_changes_nothing() -> None:
    typst = pytest.importorskip("typst", reason="the extra `print` is not installed")
    assert typst is not None
    for form in ("pdf", "svg"):
        assert MAKE.compiled(SHEET, form) == MAKE.compiled(json.loads(json.dumps(SHEET)), form)
