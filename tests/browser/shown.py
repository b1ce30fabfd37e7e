"""Checks for any page that shows outputs of the course."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from nbformat import NotebookNode

from tests.browser.driving import OUTPUT, Watched

if TYPE_CHECKING:
    from playwright.sync_api import Locator


def pictures_of(notebook: NotebookNode) -> int:
    """How many pictures the outputs hold, including those of replays."""
    return sum(html.count("<img ") for html in _html(notebook))


def replays_of(notebook: NotebookNode) -> int:
    """How many replays the outputs hold."""
    return sum(html.count('<div class="minigrad-replay">') for html in _html(notebook))


def _html(notebook: NotebookNode) -> list[str]:
    """The HTML of the outputs."""
    outputs = (output for cell in notebook.cells for output in cell.get("outputs", []))
    return [output.get("data", {}).get("text/html", "") for output in outputs]


def check_pictures(watched: Watched, notebook: NotebookNode) -> None:
    """All pictures that `notebook` has stored are drawn, and readable on a page of any colour."""
    wanted = pictures_of(notebook)
    watched.page.locator(f"{OUTPUT} img").nth(wanted - 1).wait_for(state="attached")
    found = watched.pictures()
    assert len(found) == wanted
    for picture in found:
        assert picture.drawn, picture.alt
        assert picture.clear < 0.01, picture
        assert picture.contrast >= 4.5, picture


def check_player(player: Locator) -> None:
    """It steps, steps back and plays to the end; each step has its own words."""
    title, text = player.locator("output"), player.locator(".minigrad-text.now")
    button = player.locator(".minigrad-play")

    def shown() -> tuple[str, str]:
        # Not `inner_text`, because JupyterLab hides a cell for a moment while it scrolls.
        return title.text_content() or "", text.text_content() or ""

    player.scroll_into_view_if_needed()
    title.get_by_text(re.compile("Step [01] of")).wait_for()  # 1 if nothing can be seen before it
    first = shown()
    begins = re.fullmatch(r"Step ([01]) of (\d+): .+", first[0])
    assert begins, first
    number, last = map(int, begins.groups())
    player.get_by_label("Step forward").click()
    second = shown()
    assert second[0].startswith(f"Step {number + 1} of ")
    assert second[1] != first[1]
    player.get_by_label("Step back").click()
    assert shown() == first
    for key in ("End", "ArrowLeft", "ArrowLeft"):  # the last two steps take five seconds
        player.press(key)
    button.click()
    assert button.inner_text() == "Pause"
    title.get_by_text(f"Step {last} of {last}: ").wait_for()
    button.get_by_text("Play").wait_for()  # it has stopped
    assert len({first, second, shown()}) == 3
