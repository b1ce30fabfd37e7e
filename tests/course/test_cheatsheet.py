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


def test_the_svg_says_what_the_pdf_says_and_what_the_picture_shows() -> None:
    root = ET.parse(ROOT / "docs" / "cheatsheet.svg").getroot()
    about = MAKE.described(PDF.read_bytes(), MAKE.picture(MAKE.two_paths())["alt"])
    assert root.findtext(f"{SVG}title") == MAKE.TITLE
    assert root.findtext(f"{SVG}desc") == about, AGAIN


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
