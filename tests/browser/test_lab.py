"""The course in the real JupyterLab and a real browser: what a reader does and sees."""

from __future__ import annotations

import pytest

from course.declare import EXERCISES, PREDICTIONS, find
from tests.browser.driving import HTML, OUTPUT, PLAYER, STILLS, Lab
from tests.browser.shown import check_pictures, check_player, replays_of
from tools import notebooks

NAMES = [file.name for file in notebooks.chapters()]
ASKED = ".jp-Dialog, .Toastify__toast"  # what JupyterLab asks, and what it tells in a corner
ERRORS = f"{OUTPUT}[data-mime-type$=stderr], {OUTPUT}[data-mime-type$=error]"

# Scrolled to, the player is seen as a whole. What stands above it may still grow.
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
    """It opens on 00, asks nothing, leads on to 01, and closing a tab asks nothing either."""
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
    stored = notebooks.read(notebooks.NOTEBOOKS / name(chapter))
    check_pictures(lab, stored)
    players = lab.page.locator(PLAYER).all()
    assert len(players) == replays_of(stored)
    for player in players:
        check_player(player)
        lab.page.wait_for_function(FITS, arg=[player.element_handle(), ".jp-WindowedPanel-outer"])
    assert lab.faint() == []
    assert lab.page.locator(ERRORS).all_inner_texts() == []  # provoked ones are shown otherwise
    assert lab.count(ASKED) == 0


def test_a_prediction_is_answered(lab: Lab) -> None:
    """A click on an answer says whether it is right, and why."""
    lab.open(f"workbook/{NAMES[0]}")
    cell = lab.find('predict("00.a")')
    lab.run(cell)
    asked = find(PREDICTIONS, "00.a")
    for option, why in asked.options.items():
        verdict = "✓ Yes." if option == asked.answer else "✗ No."
        explanation = lab.cell(cell).locator("details", has=lab.page.get_by_text(option))
        assert explanation.get_by_text(verdict).is_hidden()
        explanation.locator("summary").click()
        assert explanation.get_by_text(verdict).is_visible()
        assert why.replace("`", "") in explanation.inner_text()


@pytest.mark.parametrize("exercise", ["00.1", "04.2"])
def test_an_exercise_is_solved(lab: Lab, exercise: str) -> None:
    """Untouched, then with each mistake, then right; the hint and the solution on request."""
    lab.open(f"workbook/{name(exercise[:2])}")
    lab.run_all()
    check = lab.find(f'check("{exercise}"')
    task = find(EXERCISES, exercise)
    lab.says(check, "not attempted yet")
    for message, answer in [*task.wrong.items(), (task.right, task.solution)]:
        lab.write(check - 1, answer)
        lab.run(check - 1)
        lab.run(check)
        lab.says(check, message.replace("`", ""))
        lab.says(check, "correct" if answer == task.solution else "not yet")
    for lid, words in (("Hint", task.hint.replace("`", "")), ("Solution", task.solution)):
        place = lab.cell(check).locator("details", has_text=lid).first
        assert place.locator("summary + div").is_hidden()
        place.locator("summary").click()
        assert words in place.locator("summary + div").inner_text()


@pytest.mark.parametrize("chapter", ["04", "14"])
def test_light_and_dark(lab: Lab, chapter: str) -> None:
    """Cards, tables, scores and players can be read in both themes, and so can the pictures."""
    lab.open(f"notebooks/{name(chapter)}")
    for light, theme in (("false", "JupyterLab Dark"), ("true", "JupyterLab Light")):
        lab.choose("Settings", "Theme", theme)
        lab.page.locator(f"body[data-jp-theme-light={light}]").wait_for(state="attached")
        check_pictures(lab, lab.notebook)
        assert lab.faint() == []


@pytest.mark.parametrize("chapter", ["04", "14"])
def test_a_notebook_that_is_not_trusted(lab: Lab, chapter: str) -> None:
    """Of one that somebody has sent, JupyterLab hides scripts and styles; the pictures stay."""
    notebook = notebooks.read(notebooks.NOTEBOOKS / name(chapter))
    notebook.cells[0].source += "\nSomebody has changed it."
    place = lab.server.checkout / "sent"
    place.mkdir(exist_ok=True)
    (place / name(chapter)).write_text(notebooks.as_text(notebook), encoding="utf-8")
    lab.open(f"sent/{name(chapter)}")
    lab.page.locator("[data-icon='ui-components:not-trusted']").wait_for()
    check_pictures(lab, notebook)
    assert lab.page.locator(f"{OUTPUT} script, {OUTPUT} style, {PLAYER}").count() == 0
    replays = replays_of(notebook)
    assert lab.count(STILLS) == replays
    assert lab.count(f"{STILLS} img") == 2 * replays
    assert lab.page.get_by_text("in a trusted notebook they play").count() == replays
    assert lab.faint() == []
    assert lab.count(f"{HTML} summary") > 0
    assert lab.count(ASKED) == 0
