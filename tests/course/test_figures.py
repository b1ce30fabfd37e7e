"""Every committed figure is what its program draws now.

Pictures are compared by their text version, the `<desc>` of the SVG, because coordinates differ
from one Graphviz to the next, while boxes and arrows must not.
"""

import re
import textwrap
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from figures import make as MAKE
from minigrad.viz.render import NOTE_WIDTH

FOLDER = Path(__file__).parents[2] / "figures"
DRAWN = {**MAKE.FIGURES, **MAKE.FILMS}
NAMESPACE = {"svg": "http://www.w3.org/2000/svg"}


def twin_in(path: Path) -> str | None:
    return ET.parse(path).getroot().findtext("svg:desc", namespaces=NAMESPACE)


@pytest.mark.parametrize("name", DRAWN)
def test_figure_is_what_its_program_draws(name: str) -> None:
    committed = twin_in(FOLDER / f"{name}.svg")
    assert committed == repr(DRAWN[name]()), "run: python figures/make.py"


def test_no_figure_without_a_program() -> None:
    assert {path.stem for path in FOLDER.glob("*.svg")} == set(DRAWN)


@pytest.mark.parametrize("name", MAKE.FIGURES)
def test_figure_shows_every_line_of_its_twin(name: str) -> None:
    """The visible text has to agree with the `<desc>`, which could be right for a wrong picture."""
    drawing = MAKE.FIGURES[name]()
    root = ET.parse(FOLDER / f"{name}.svg").getroot()
    shown = [text.text.strip() for text in root.iterfind(".//svg:text", NAMESPACE)]
    picture = drawing.shown
    expected = [row.text.strip() for box in picture.boxes for row in box.rows]
    for arrow in picture.arrows:
        numbers = (arrow.slot, arrow.output)
        expected += arrow.label.split("\n") if arrow.label else []
        expected += [str(number) for number in numbers if number is not None]
    for note in picture.notes:
        expected += textwrap.wrap(note, NOTE_WIDTH)
    assert sorted(shown) == sorted(expected)
    for kind, things in {"node": picture.boxes, "edge": picture.arrows}.items():
        assert len(root.findall(f".//svg:g[@class='{kind}']", NAMESPACE)) == len(things)


@pytest.mark.parametrize("name", MAKE.FILMS)
def test_film_has_a_turn_for_each_step_and_ends_with_the_last(name: str) -> None:
    film = MAKE.FILMS[name]()
    root = ET.parse(FOLDER / f"{name}.svg").getroot()
    steps = root.findall("svg:g", NAMESPACE)
    style = root.findtext("svg:style", namespaces=NAMESPACE) or ""
    assert len(steps) == len(film.played.frames)
    assert [step.get("class") for step in steps] == ["step"] * (len(steps) - 1) + ["step last"]
    assert ".step { visibility: hidden } .last { visibility: visible }" in style
    shown = [step.findtext("svg:text", namespaces=NAMESPACE) for step in steps]
    assert shown == [scene.title for scene in film.played.scenes]
    for step in steps:
        assert f"#{step.get('id')} {{ animation" in style


def test_gallery_shows_every_figure_with_an_alt_text() -> None:
    gallery = (FOLDER / "README.md").read_text(encoding="utf-8")
    shown = re.findall(r"!\[(.+)\]\(([\w-]+)\.svg\)", gallery)
    assert sorted(name for _, name in shown) == sorted(DRAWN)
    assert all(words for words, _ in shown)


# --- the marks ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MAKE.OTHERS)
def test_mark_is_what_its_program_draws(name: str) -> None:
    committed = (MAKE.MARKS / f"{name}.svg").read_text(encoding="utf-8")
    assert committed == MAKE.OTHERS[name](), "run: python figures/make.py"
    root = ET.fromstring(committed)
    assert root.findtext("svg:title", namespaces=NAMESPACE)
    width, height = (float(root.attrib[side]) for side in ("width", "height"))
    assert root.attrib["viewBox"] == f"0 0 {width:g} {height:g}"


def test_no_mark_without_a_program() -> None:
    assert {path.stem for path in MAKE.MARKS.iterdir()} == set(MAKE.OTHERS)


def test_the_names_are_those_that_chapter_17_shows() -> None:
    rows, losses = MAKE.learning(), MAKE.held_out()
    assert [step for step, _, _ in rows] == [0, 200, 400, 600, 800]
    assert rows[-1][1] < losses["bigram"][0] < rows[0][1]
    assert losses["GPT"][1] < losses["bigram"][1]
    shown = ET.parse(MAKE.MARKS / "names.svg").getroot().itertext()
    words = {text.strip() for text in shown}
    for step, loss, names in rows[::2]:
        assert {*names, f"loss {loss:.2f}"} <= words, step
