"""docs/cheatsheet and docs/poster say what their programs show today, each on one printed sheet."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from pypdf import PageObject, PdfReader

from figures import cheatsheet as MAKE
from tools import notebooks
from tools.questions import commonest

ROOT = notebooks.ROOT
PDF = ROOT / "docs" / "cheatsheet.pdf"
POSTER = ROOT / "docs" / "poster.pdf"
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
    about = MAKE.described(PDF.read_bytes(), MAKE.picture(MAKE.two_paths())["alt"])
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
    sizes = sizes_of(printed)
    assert min(sizes) >= SMALLEST, sizes
    assert max(sizes) > 2 * SMALLEST  # the title: sizes are read rightly


def sizes_of(printed: PageObject) -> dict[float, str]:
    """The sizes of the letters, in points, each with something in that size."""
    sizes: dict[float, str] = {}

    def look(text: str, matrix: list[float], place: list[float], _: object, size: float) -> None:
        if text.strip():
            sizes[round(size * abs(place[3]) * abs(matrix[3]), 1)] = text

    printed.extract_text(visitor_text=look)
    return sizes


@pytest.mark.parametrize("file", [PDF, POSTER])
def test_no_date_and_no_machine_is_in_it(file: Path) -> None:
    about = PdfReader(file).metadata
    assert about is not None
    assert {"/CreationDate", "/ModDate"}.isdisjoint(about)


def test_making_it_again_changes_nothing(again: bytes) -> None:
    assert MAKE.compiled(MAKE.values(), "pdf") == again


def test_every_message_is_an_error_or_a_warning() -> None:
    words = MAKE.values()["messages"].values()
    assert len(set(words)) == len(words) >= 10
    with pytest.raises(IndexError):
        MAKE.provoked("1 + 1")


@pytest.mark.parametrize(("page", "count"), [("cheatsheet", 20), ("poster", 6)])
def test_chapters_that_are_named_exist(page: str, count: int) -> None:
    known = {file.name[:2] for file in notebooks.chapters()}
    layout = (MAKE.FOLDER / f"{page}.typ").read_text(encoding="utf-8")
    parts = re.findall(r"#part\[.+\]\[(\d\d.*)\]", layout)
    named = [chapter for place in parts for chapter in place.split(", ")]
    named += re.findall(r'#(?:message|cure)\(".+", "(\d\d)"\)', layout)
    assert len(named) >= count
    assert set(named) <= known


# --- the poster -----------------------------------------------------------------------------------


def test_the_poster_says_what_its_programs_and_its_layout_say_today() -> None:
    again = MAKE.compiled(MAKE.values(), "pdf", "poster")
    assert MAKE.words(POSTER.read_bytes()) == MAKE.words(again), AGAIN
    assert MAKE.compiled(MAKE.values(), "pdf", "poster") == again


def test_the_poster_has_the_six_commonest_errors_and_the_whole_graph() -> None:
    text = bare(MAKE.words(POSTER.read_bytes()))
    layout = (MAKE.FOLDER / "poster.typ").read_text(encoding="utf-8")
    names = re.findall(r'#cure\("(.+)", "\d\d"\)', layout)
    messages = [MAKE.values()["messages"][name] for name in names]
    assert len(set(messages)) == 6
    assert [each for each in messages if bare(each) not in text] == []
    common = [question.message for question in commonest() if question.message]
    assert [each for each in messages if not any(each.startswith(one) for one in common)] == []
    picture = MAKE.code_9(gradients=True).shown
    pieces = [row.text for box in picture.boxes for row in box.rows]
    pieces += [arrow.label for arrow in picture.arrows]
    assert [piece for piece in pieces if bare(piece) not in text] == []


def test_the_poster_is_a3_and_can_be_read_from_afar() -> None:
    (page,) = PdfReader(POSTER).pages
    assert [round(float(side)) for side in page.mediabox[2:]] == [1191, 842]
    sizes = sizes_of(page)
    assert min(sizes) >= 13, sizes
    assert max(sizes) == 40


def test_nothing_of_the_poster_is_cut_off() -> None:
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
    assert len(places) > 50
    assert all(40 < x < 1191 - 40 and 30 < y < 842 - 30 for x, y in places)
