"""Every chapter as slides: nothing is lost, nothing runs over, answers come after their questions.

What a browser makes of the decks is measured in tests/browser/test_slides.py.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode, v4

from tools import notebooks, slides
from tools.deck import cells, packing, page
from tools.deck.cells import Beat, Chapter, all_flows
from tools.deck.flow import (
    INNER,
    LEAST_CODE,
    ROOM,
    SMALLEST,
    Card,
    Flow,
    Lines,
    Listing,
    Picture,
    Table,
    Text,
    code_lines,
    lines_of,
    plain_of,
)
from tools.deck.packing import Slide
from tools.deck.replay import Replay

FILES = {file.stem: file for file in notebooks.chapters()}
every_chapter = pytest.mark.parametrize("name", FILES)
FOREIGN = re.compile(r"cdn|unpkg|jsdelivr|cloudflare|googleapis|require(\.min)?\.js|mathjax", re.I)
LOADED = re.compile(
    r"""(?:<(?:script|img|iframe|link)\b[^>]*?(?:src|href)=|url\()["']?([^"'\s>)]+)"""
)


@cache
def read(name: str) -> tuple[Chapter, list[Slide]]:
    return page.read(FILES[name])


@cache
def deck(name: str) -> BeautifulSoup:
    return BeautifulSoup(page.deck(FILES[name]), "html.parser")


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def all_said(made: list[Slide]) -> str:
    """Everything on the slides and in the notes, without spaces."""
    shown = [flow.plain for slide in made for flow in slide.flows]
    notes = [plain_of(note) for slide in made for note in slide.notes]
    return squeezed(" ".join([*shown, *notes]))


# --- every chapter --------------------------------------------------------------------------------


@every_chapter
def test_nothing_is_taller_than_its_slide(name: str) -> None:
    for slide in read(name)[1]:
        assert slide.height() <= ROOM, slide.title
        if shown := [flow for flow in slide.flows if isinstance(flow, Picture)]:
            assert len(shown) == 1
            width, height = shown[0].shape
            scale = shown[0].scale_in(*slide.box)
            assert (width * scale, height * scale) <= slide.box


@every_chapter
def test_slides_hold_no_more_than_a_class_can_read(name: str) -> None:
    for slide in read(name)[1]:
        code = [flow for flow in slide.flows if isinstance(flow, Lines) and flow.look == "code"]
        if slide.kind == "talk":
            limit = packing.WORDS * 1.5
            lists = sum(
                len(flow.plain.split()) for flow in slide.flows if isinstance(flow, Listing | Table)
            )
            closing = packing.WORDS  # the last word on what the code shows
            assert slide.words() <= limit + lists + (closing if code else 0), slide.title
        assert sum(len(flow.lines) for flow in code) <= 26, slide.title


@every_chapter
def test_no_slide_is_empty(name: str) -> None:
    for slide in read(name)[1]:
        assert plain_of(slide.title).strip()
        pictures = [flow for flow in slide.flows if isinstance(flow, Picture | Replay)]
        assert pictures or any(flow.plain.strip() for flow in slide.flows), slide.title


@every_chapter
def test_every_picture_is_on_a_slide(name: str) -> None:
    stored = [
        found
        for cell in notebooks.read(FILES[name]).cells
        for output in cell.get("outputs", [])
        for found in pictures_of(output)
    ]
    shown = [flow for slide in read(name)[1] for flow in slide.flows]
    assert [flow.source for flow in shown if isinstance(flow, Picture) if is_whole(flow)] == [
        found for found in stored if found != "replay"
    ]
    replays = [flow for flow in shown if isinstance(flow, Replay)]
    assert len(replays) == stored.count("replay")
    assert all(len(flow.frames) > 2 for flow in replays)


def is_whole(picture: Picture) -> bool:
    return picture.window == (0.0, 0.0, 1.0, 1.0)


def pictures_of(output: NotebookNode) -> list[str]:
    data = output.get("data", {})
    if "image/png" in data:
        return ["data:image/png;base64," + data["image/png"].replace("\n", "")]
    html = data.get("text/html", "")
    if "minigrad-replay" in html:
        return ["replay"]
    return re.findall(r'<img [^>]*src="([^"]+)"', html)


@every_chapter
def test_type_in_pictures_is_readable_or_there_are_close_ups(name: str) -> None:
    made = read(name)[1]
    for slide, following in zip(made, [*made[1:], made[-1]], strict=True):
        for flow in slide.flows:
            if isinstance(flow, Picture):
                size = flow.type_in(*slide.box)
                closer = any(
                    isinstance(other, Picture) and other.source == flow.source
                    for other in following.flows
                )
                assert size >= packing.CLOSE_UP or closer, slide.title
                assert size >= SMALLEST or is_whole(flow)


@every_chapter
def test_all_prose_is_on_a_slide_or_in_the_notes(name: str) -> None:
    said = all_said(read(name)[1])
    for cell in notebooks.read(FILES[name]).cells[1:]:
        if cell.cell_type == "markdown":
            for element in cells.elements(cell.source):
                if re.fullmatch("h[1-6]", element.name):
                    continue
                for flow in all_flows(cells.flows(element)):
                    if isinstance(flow, Text) and notebooks.NAV_MARK not in flow.inner:
                        text = plain_of(cells.TASK.sub("", flow.inner))
                        assert squeezed(text) in said, text


@every_chapter
def test_every_definition_of_the_library_is_shown_whole(name: str) -> None:
    shown = all_said(read(name)[1])
    for cell in notebooks.read(FILES[name]).cells:
        if notebooks.lib_names(cell):
            for line in cell.source.split("\n"):
                assert squeezed(line) in shown, line


@every_chapter
def test_answers_come_after_their_questions_and_by_a_click_below_what_ran(name: str) -> None:
    asked = [
        output
        for cell in notebooks.read(FILES[name]).cells
        for output in cell.get("outputs", [])
        if cells.is_question(output)
    ]
    looks = [
        (flow.look, place, flow)
        for place, slide in enumerate(read(name)[1])
        for flow in slide.flows
        if isinstance(flow, Card) and flow.look
    ]
    assert [look for look, _, _ in looks] == ["question", "answer"] * len(asked)
    for (_, question, _), (_, answer, card) in zip(looks[::2], looks[1::2], strict=True):
        assert question < answer
        flows = read(name)[1][answer].flows
        assert card.click or flows == [card]
        shown_before = flows[: flows.index(card)]
        assert all(flow.click for flow in shown_before if isinstance(flow, Card))


@every_chapter
def test_the_minutes_of_the_first_cell_are_shared_out(name: str) -> None:
    found, made = read(name)
    exercises = [slide for slide in made if slide.kind == "exercise"]
    assert sum(slide.seconds for slide in made) == (found.reading + found.exercises) * 60
    assert sum(slide.seconds for slide in exercises) == found.exercises * 60
    assert all(slide.seconds >= 5 for slide in made)
    timed = [int(tag["data-timing"]) for tag in deck(name).select("section[data-timing]")]
    assert sum(timed) == int(deck(name).html["data-seconds"])
    notes = [tag.get_text() for tag in deck(name).select("aside.notes")]
    assert len(notes) == len(timed) == len(made) + 1
    last = clock_in(r"(\d+):(\d\d) of", notes[-1])
    assert last + made[-1].seconds == sum(timed)


def clock_in(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    assert found, text
    return int(found[1]) * 60 + int(found[2])


@every_chapter
def test_teachers_find_hints_solutions_and_wrong_answers_in_the_notes(name: str) -> None:
    made = read(name)[1]
    for slide in made:
        notes = " ".join(slide.notes)
        if slide.kind == "exercise" and "2/" not in slide.title and "3/" not in slide.title:
            assert "Hint" in notes, slide.title
            assert "Solution" in notes, slide.title
        if slide.kind == "question":
            assert "If they say" in notes or "write an answer down" in notes


@every_chapter
def test_a_deck_loads_nothing_from_elsewhere(name: str) -> None:
    text = str(deck(name))
    assert not FOREIGN.search(re.sub(r"base64,[\w+/=]+", "", text))
    for address in LOADED.findall(text):
        local = address.startswith(("data:", "#")) or (
            address.startswith("reveal/") and address.endswith((".js", ".css"))
        )
        assert local, address


@every_chapter
def test_links_between_chapters_lead_to_slides(name: str) -> None:
    for link in deck(name).select("a[href]"):
        target, _, anchor = str(link["href"]).partition("#/")
        assert not target.endswith(".ipynb")
        if target.endswith(".html") and "/" not in target and target != "index.html":
            assert target.removesuffix(".html") in FILES
        elif target:
            continue
        if anchor:
            there = deck(target.removesuffix(".html") or name)
            assert there.find("section", id=unquote(anchor)), link["href"]


# --- the folder -----------------------------------------------------------------------------------


def test_the_folder_has_all_that_decks_need(tmp_path: Path) -> None:
    slides.write([FILES["00_start_here"]], tmp_path)
    index = BeautifulSoup((tmp_path / "index.html").read_text(encoding="utf-8"), "html.parser")
    rows = index.select(".contents li")
    assert len(rows) == len(FILES)
    assert [link["href"] for link in index.select("li a")] == ["00_start_here.html"]
    assert "20 + 2 min" in rows[0].get_text()
    for file in ("index.html", "00_start_here.html"):
        for address in LOADED.findall((tmp_path / file).read_text(encoding="utf-8")):
            assert address.startswith("data:") or (tmp_path / address).is_file(), address
    assert "MIT" in (tmp_path / "reveal" / "README.md").read_text(encoding="utf-8")
    assert "Permission is hereby granted" in (tmp_path / "reveal" / "LICENSE").read_text()
    for file in (tmp_path / "reveal").glob("*.[jc]s*"):
        text = file.read_text(encoding="utf-8")
        assert not re.search(r"""(?:import|src=|href=|url\()\s*["']?(?:https?:)?//""", text), file


def test_chapters_are_chosen_by_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen: list[list[Path]] = []

    def write(files: list[Path]) -> list[Path]:
        chosen.append(files)
        return []

    monkeypatch.setattr(slides, "write", write)
    slides.main(["04", "00"])
    slides.main([])
    assert chosen == [[FILES["04_backward"], FILES["00_start_here"]], list(FILES.values())]
    with pytest.raises(SystemExit):
        slides.main(["77"])
    assert "no chapter 77" in capsys.readouterr().err


# --- the author's wishes --------------------------------------------------------------------------


def made_of(*given: NotebookNode) -> list[Slide]:
    first = v4.new_markdown_cell(
        "# 30 · Made up\n\nAbout 10 minutes to read, and 5 for the exercise."
    )
    notebook = v4.new_notebook(cells=[first, *given])
    return packing.slides(cells.chapter(notebook, "30_made_up").beats)


def said(text: str, slide_type: str = "") -> NotebookNode:
    wish = {"slideshow": {"slide_type": slide_type}} if slide_type else {}
    return v4.new_markdown_cell(text, metadata=wish)


def ran(code: str, *printed: str, slide_type: str = "") -> NotebookNode:
    outputs = [v4.new_output("stream", text="\n".join(printed) + "\n")] if printed else []
    wish = {"slideshow": {"slide_type": slide_type}} if slide_type else {}
    return v4.new_code_cell(code, outputs=outputs, metadata=wish, execution_count=1)


def words(slide: Slide) -> str:
    return " ".join(flow.plain for flow in slide.flows)


def test_without_wishes_prose_code_and_output_share_a_slide() -> None:
    (slide,) = made_of(said("## A\n\nOne."), ran("print(1)", "1"))
    assert [type(flow) for flow in slide.flows] == [Text, Lines, Lines]
    assert (slide.title, slide.anchor, slide.stack, slide.cells) == ("A", "A", True, [1])


@pytest.mark.parametrize("wish", ["slide", "subslide"])
def test_a_cell_can_begin_a_slide(wish: str) -> None:
    together = made_of(said("## A\n\nOne."), ran("x = 1"), ran("y = 1"))
    parted = made_of(said("## A\n\nOne."), ran("x = 1"), ran("y = 1", slide_type=wish))
    assert (len(together), len(parted)) == (1, 2)
    assert parted[1].stack == (wish == "slide")


def test_a_cell_can_be_left_out_or_be_for_the_speaker() -> None:
    (slide,) = made_of(
        said("## A\n\nOne."), said("Not here.", "skip"), said("Say *this*.", "notes")
    )
    assert words(slide) == "One."
    assert "Say <em>this</em>." in slide.notes[0]


def test_a_cell_can_come_by_a_click_or_stay_on_the_slide_before() -> None:
    (slide,) = made_of(said("## A\n\nOne."), ran("x = 1"), said("Then.", "fragment"))
    assert [flow.click for flow in slide.flows] == [False, False, True]
    long = " ".join(["word"] * 58)
    assert len(made_of(said(f"## A\n\n{long}"), ran("x = 1"), said(long), ran("y = 1"))) == 2
    assert len(made_of(said(f"## A\n\n{long}"), ran("x = 1"), said(long, "-"), ran("y = 1"))) == 1


# --- the rule -------------------------------------------------------------------------------------


def test_long_prose_is_cut_to_what_leads_and_is_whole_in_the_notes() -> None:
    sentences = [f"Sentence {number} says one thing of `x` and no more." for number in range(12)]
    (slide,) = made_of(said("## A\n\n" + " ".join(sentences)), ran("x = 1"))
    assert words(slide).startswith("Sentence 0 says one thing of x")
    assert slide.words() <= packing.LEAD
    assert "Sentence 11" in slide.notes[0]


def test_long_code_is_parted_between_functions() -> None:
    functions = "\n\n\n".join(
        f"def f{number}(x):\n" + "\n".join(f"    x = x + {step}" for step in range(8))
        for number in range(4)
    )
    made = made_of(said("## A\n\nFour functions."), ran(functions))
    assert 2 <= len(made) <= 3
    for slide in made:
        (code,) = (flow for flow in slide.flows if isinstance(flow, Lines))
        assert code.plain.startswith("def f")
    assert squeezed(functions) in squeezed("".join(words(slide) for slide in made))


def test_long_outputs_end_with_their_slide() -> None:
    *_, last = made_of(said("## A\n\nMany."), ran("show()", *map(str, range(100))))
    (printed,) = last.flows
    assert isinstance(printed, Lines)
    assert printed.left_out == 100 - len(printed.lines)
    assert f"{printed.left_out} more lines" in printed.html(INNER, last.scale)


def test_code_never_gets_smaller_than_it_may() -> None:
    lines = Lines(["x" * 100], "code")
    assert LEAST_CODE > SMALLEST
    assert lines.size(INNER, 1.0) >= LEAST_CODE
    assert lines.size(400, 0.76) >= SMALLEST
    assert not lines.fits(400)


def test_imports_and_plotting_are_left_out() -> None:
    code = "import a\nimport b\nimport c\n\nx = f()\nprint(x)\nplt.plot(x)\nplt.show()"
    (shown,) = cells.source(code)
    assert shown.plain == "x = f()\nprint(x)\n# … and a plot of it"
    assert list(cells.source("import a")) == []
    assert list(cells.source("x = [1]\nplt.plot(x)")) == []
    (shown,) = cells.source("import minigrad as torch\n\nx = torch.ones(2)")
    assert shown.plain.startswith("import minigrad as torch")


def test_a_large_picture_has_close_ups_with_readable_type() -> None:
    tall = Picture("data:,", "tall", 500.0, 3000.0, 18.0)
    first, *closer = packing.parted([], [tall])
    assert first.flows == [tall]
    assert len(closer) >= 5
    tops = [flow.window[1] for slide in closer for flow in slide.flows if isinstance(flow, Picture)]
    assert tops == sorted(tops)
    assert tops[0] == 0
    for slide in closer:
        (part,) = slide.flows
        assert isinstance(part, Picture)
        assert part.type_in(*slide.box) >= SMALLEST


def test_tall_pictures_stand_beside_their_words() -> None:
    before: list[Flow] = [Text("Words."), Lines(["draw(z)"])]
    (slide,) = packing.pack(Beat("A", before=before, after=[Picture("", "", 400.0, 650.0, 18.0)]))
    assert slide.beside
    assert slide.left == before


def test_lines_are_counted_as_browsers_break_them() -> None:
    assert code_lines("a b", 1000, 20) == 1
    assert code_lines("x" * 100, 60 * 0.605 * 20, 20) == 2
    assert code_lines("    " + "word " * 20, 52 * 0.605 * 20, 20) == 3
    assert lines_of("word " * 10, 2000, 20) == 1
    assert lines_of("one<br>two", 2000, 20) == 2
    assert lines_of("<code>" + "i" * 40 + "</code>", 300, 20) == 2


def test_sentences_keep_their_tags_closed() -> None:
    html = "One. <strong>Two. Three.</strong> Four <code>f(x)</code>. Five"
    parts = packing.sentences(html)
    assert parts == ["One.", "<strong>Two. Three.</strong>", "Four <code>f(x)</code>.", "Five"]


def test_the_frames_of_a_replay_change_step_by_step() -> None:
    shown = [flow for slide in read("04_backward")[1] for flow in slide.flows]
    (replay,) = (flow for flow in shown if isinstance(flow, Replay))
    assert len({frame.svg for frame in replay.frames}) == len(replay.frames)
    frames = deck("04_backward").select(".right .frame")
    assert [frame.get("data-fragment-index") for frame in frames] == [
        None,
        *map(str, range(len(frames) - 1)),
    ]
    words_of_frames = deck("04_backward").select(".column:not(.right) .frame")
    assert len(words_of_frames) == len(frames)
    assert all(frame.svg is not None for frame in frames)
