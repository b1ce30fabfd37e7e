"""The course in the real JupyterLab and a real browser: what a reader does and sees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest
from playwright.sync_api import expect

from minigrad_course.ask.declare import EXERCISES, find
from minigrad_course.ask.journal import FILE, Journal
from minigrad_course.desk import ipynb, pages
from tests import lab_server
from tests.browser.driving import (
    HTML,
    OPEN,
    OUTPUT,
    PLAYER,
    STILLS,
    Lab,
    answer_everything,
    watching,
)
from tests.browser.shown import check_pictures, check_player, replays_of
from tests.course.wrong_answers import wrong_answers
from tools import notebooks

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator

NAMES = [file.name for file in ipynb.chapters()]
ASKED = ".jp-Dialog, .Toastify__toast"  # JupyterLab's dialogs and notifications
ERRORS = f"{OUTPUT}[data-mime-type$=stderr], {OUTPUT}[data-mime-type$=error]"

# The player fits into the window when scrolled to. The cells above it may still grow.
FITS = """([player, outer]) => {
  const room = document.querySelector(outer);
  player.scrollIntoView({ block: "center" });
  const [seen, all] = [player, room].map((each) => each.getBoundingClientRect());
  return all.top <= seen.top && seen.bottom <= all.bottom && seen.right <= all.right;
}"""


def name(chapter: str) -> str:
    """The file name of a chapter's notebook."""
    (found,) = (each for each in NAMES if each.startswith(chapter))
    return found


def test_the_first_minute(lab: Lab) -> None:
    """It opens 00 and links to 01, and neither opening nor closing a tab asks anything."""
    page = lab.page
    page.goto(f"{lab.home}/lab/tree/workbook/{NAMES[0]}?token={lab.token}")
    lab.wait_for(f"workbook/{NAMES[0]}")
    page.get_by_role("heading", name="00 · Start here").wait_for()
    check_pictures(lab, lab.notebook)  # the copy has kept some
    assert lab.count(ASKED) == 0
    page.get_by_role("link", name="01 · Slopes").first.click()
    lab.wait_for(f"workbook/{NAMES[1]}")
    for each in (NAMES[1], NAMES[0]):
        tab = page.locator(".lm-DockPanel-tabBar .lm-TabBar-tab", has_text=each)
        tab.locator(".lm-TabBar-tabCloseIcon").click()
        tab.wait_for(state="detached")
    assert lab.count(ASKED) == 0


@pytest.mark.parametrize("chapter", ["00", "02", "04", "11"])
def test_all_cells_run(lab: Lab, chapter: str) -> None:
    """All pictures are drawn, no error is left, and replays play, under JupyterLab's bars."""
    lab.open(f"workbook/{name(chapter)}")
    lab.run_all()
    stored = ipynb.read(notebooks.NOTEBOOKS / name(chapter))
    check_pictures(lab, stored)
    players = lab.page.locator(PLAYER).all()
    assert len(players) == replays_of(stored)
    for player in players:
        check_player(player)
        lab.page.wait_for_function(FITS, arg=[player.element_handle(), ".jp-WindowedPanel-outer"])
    assert lab.faint() == []
    assert lab.page.locator(ERRORS).all_inner_texts() == []  # provoked errors are shown differently
    assert lab.count(ASKED) == 0


@pytest.mark.parametrize("exercise", ["00.1", "04.2"])
def test_an_exercise_is_solved(lab: Lab, exercise: str) -> None:
    """Untouched, then with each mistake, then right; hint and solution open on a click."""
    lab.open(f"workbook/{name(exercise[:2])}")
    lab.run_all()
    check = lab.find(f'check("{exercise}"')
    task = find(EXERCISES, exercise)
    lab.says(check, "not attempted yet")
    for message, answer in [*wrong_answers(exercise).items(), (task.right, task.solution)]:
        lab.write(check - 1, answer)
        lab.run(check - 1)
        lab.run(check)
        lab.says(check, message.replace("`", ""))
        lab.says(check, "correct" if answer == task.solution else "not yet")
    for lid, words in (("Hint", task.hint.replace("`", "")), ("Solution", task.solution)):
        place = lab.cell(check).locator(f'details:has(> summary:text-is("{lid}"))')
        assert place.locator(":scope > div").is_hidden()
        place.locator(":scope > summary").click()
        assert words in place.locator(":scope > div").inner_text()


@pytest.mark.parametrize("chapter", ["04", "14"])
def test_pages_are_readable_in_light_and_dark(lab: Lab, chapter: str) -> None:
    """Cards, tables, scores, players and pictures are readable in both themes."""
    lab.open(f"notebooks/{name(chapter)}")
    schemes: list[tuple[str, Literal["light", "dark"]]] = [("false", "dark"), ("true", "light")]
    for light, scheme in schemes:
        lab.page.emulate_media(color_scheme=scheme)
        lab.page.locator(f"body[data-jp-theme-light={light}]").wait_for(state="attached")
        check_pictures(lab, lab.notebook)
        assert lab.faint() == []


def test_a_folded_cell_shows_its_title_and_opens_by_keyboard_and_by_click(lab: Lab) -> None:
    """Cells that build the library are marked; the code of a folded one is hidden until then."""
    lab.open(f"workbook/{name('05')}")
    built = [cell for cell in lab.notebook.cells if notebooks.lib_names(cell)]
    folded = next(cell for cell in built if notebooks.FOLDED in ipynb.tags(cell))
    cell = lab.cell(lab.notebook.cells.index(folded))
    code, title = cell.locator(".cm-content"), cell.get_by_role("button", name="Run the library's")
    title.scroll_into_view_if_needed()
    title.get_by_text(pages.opened(folded)[0], exact=True).wait_for()
    assert lab.page.locator(f"{OPEN} .minigrad-library").count() == len(built)
    for key in ("Enter", "Space"):
        title.focus()
        lab.page.keyboard.press(key)
        code.get_by_text("@method_of(Tensor)").wait_for()
        lab.choose("View", "Collapse Selected Code")
        title.wait_for()
        assert code.count() == 0
    title.click()
    code.get_by_text("@method_of(Tensor)").wait_for()


def test_progress_is_seen_while_reading(lab: Lab) -> None:
    answer_everything(lab.server)  # and no exercise has passed
    lab.open(f"workbook/{name('00')}")
    line = lab.page.locator(".minigrad-progress")
    line.get_by_text("8 of 8 questions answered · 0 of 3 exercises passed").wait_for()
    lab.run_all()
    check = lab.find('check("00.1"')
    lab.write(check - 1, find(EXERCISES, "00.1").solution)
    lab.run(check - 1)
    lab.run(check)
    line.get_by_text("8 of 8 questions answered · 1 of 3 exercises passed").wait_for()
    assert line.is_visible()


def test_progress_is_found_where_only_the_workbook_is_served(
    context: BrowserContext, tmp_path: Path
) -> None:
    """As for a reader who has no checkout."""
    folder = tmp_path / "mine"
    options = ("--no-browser", "--port=0", f"--folder={folder}")
    with lab_server.running(tmp_path, *options) as server:
        lab = Lab(context, server)
        (folder / FILE).write_text(Journal({}, {}, {"00.a": "a"}).as_text(), encoding="utf-8")
        with watching(lab):
            lab.page.goto(f"{lab.home}/lab/tree/{name('00')}?token={lab.token}")
            lab.page.get_by_text("1 of 8 questions answered").wait_for()


def test_a_notebook_opens_where_the_reader_left_it(lab: Lab) -> None:
    """After a reload the same cell is at the top; a link to a section still leads there."""
    path = f"workbook/{name('05')}"
    lab.open(path)
    left = lab.cell(len(lab.notebook.cells) - 8)
    for _ in range(3):  # the cells above it get their height only when they are near
        left.evaluate("(cell) => cell.scrollIntoView()")
        lab.page.wait_for_timeout(600)  # the place is written down a moment after the scrolling
    assert abs(below_top(lab, left)) < 20
    lab.page.reload()
    lab.wait_for(path)
    lab.page.wait_for_timeout(2000)
    assert abs(below_top(lab, left)) < 20
    lab.open(f"workbook/{name('00')}")
    lab.page.get_by_role("link", name="The checklist").first.click()
    lab.wait_for(path)
    lab.page.wait_for_timeout(2000)
    heading = lab.page.locator(f"{OPEN} h2", has_text="The checklist")
    assert -10 < below_top(lab, heading) < 300


def below_top(lab: Lab, place: Locator) -> float:
    """How far below the top of the notebook's window something begins."""
    box = place.bounding_box()
    room = lab.page.locator(f"{OPEN} .jp-WindowedPanel-outer").bounding_box()
    assert box
    assert room
    return box["y"] - room["y"]


def test_the_score_is_in_view_after_shift_enter(lab: Lab) -> None:
    """So it is also where the score is what the next cell follows."""
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.open(f"workbook/{name('02')}")
    lab.run_all()
    number = lab.find("score()")
    lab.run(number)
    line = lab.says(number, "your library prints")
    lab.page.wait_for_timeout(500)
    expect(line).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("chapter", ["04", "14"])
def test_a_notebook_that_is_not_trusted(lab: Lab, chapter: str) -> None:
    """JupyterLab hides its scripts and styles, but keeps the pictures."""
    notebook = lab.open_from_somebody(name(chapter))
    check_pictures(lab, notebook)
    assert lab.page.locator(f"{OUTPUT} script, {OUTPUT} style, {PLAYER}").count() == 0
    replays = replays_of(notebook)
    assert lab.count(STILLS) == replays
    assert lab.count(f"{STILLS} img") >= 2 * replays  # more where a replay goes wrong
    assert lab.page.get_by_text("in a trusted notebook they play").count() == replays
    assert lab.faint() == []
    assert lab.count(f"{HTML} summary") > 0
    assert lab.count(ASKED) == 0


def test_the_first_screen_has_the_puzzle_and_its_picture(lab: Lab) -> None:
    """At 1280 by 720, both the picture and the program are entirely visible."""
    lab.page.set_viewport_size({"width": 1280, "height": 720})
    lab.open(f"workbook/{name('00')}")
    picture = lab.page.locator(f"{OPEN} .jp-RenderedMarkdown img").first
    program = lab.cell(lab.find("import minigrad as torch"))
    room = lab.page.locator(f"{OPEN} .jp-WindowedPanel-outer").bounding_box()
    assert room
    for seen in (picture, program.locator(".jp-InputArea-editor")):
        seen.wait_for()
        place = seen.bounding_box()
        assert place
        assert place["height"] > 80
        assert room["y"] <= place["y"]
        assert place["y"] + place["height"] <= room["y"] + room["height"]
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
