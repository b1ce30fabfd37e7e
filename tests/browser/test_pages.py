"""The executed notebooks outside JupyterLab: as nbconvert's web pages, and without scripts.

The pages are opened from files, without a network.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from minigrad_course.desk import ipynb
from tests.browser.driving import HTML, OUTPUT, PLAYER, STILLS, Watched, watching
from tests.browser.shown import check_pictures, check_player, replays_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

CHAPTERS = [file for file in ipynb.chapters() if file.name[:2] in ("04", "12", "14", "16")]
CHAPTER = pytest.mark.parametrize("chapter", CHAPTERS, ids=[file.stem for file in CHAPTERS])

# nbconvert's template requests these, and the course does not need them.
KNOWN = (
    "(asks for|console: Failed to load resource: net::ERR_FAILED) "
    "https://cdnjs.cloudflare.com/ajax/libs/(require.js|mathjax)/"
)
BARE = "elements => elements.forEach(each => each.removeAttribute('style'))"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a page for each chapter."""
    folder = tmp_path_factory.mktemp("pages")
    command = [sys.executable, "-m", "nbconvert", "--to", "html", "--output-dir", str(folder)]
    subprocess.run([*command, *map(str, CHAPTERS)], check=True, capture_output=True)
    return folder


@CHAPTER
def test_a_page_from_nbconvert(context: BrowserContext, pages: Path, chapter: Path) -> None:
    notebook = ipynb.read(chapter)
    page = Watched(context, pages.as_uri(), KNOWN)
    with watching(page):
        page.page.goto((pages / f"{chapter.stem}.html").as_uri())
        check_pictures(page, notebook)
        assert page.count(PLAYER) == replays_of(notebook)
        for player in page.page.locator(PLAYER).all():
            check_player(player)
        assert page.faint() == []


@CHAPTER
def test_without_scripts_and_styles(browser: Browser, pages: Path, chapter: Path) -> None:
    """Like on GitHub, which removes scripts and styles from outputs."""
    notebook = ipynb.read(chapter)
    with browser.new_context(java_script_enabled=False) as context:
        page = Watched(context, pages.as_uri(), KNOWN)
        with watching(page):
            page.page.goto((pages / f"{chapter.stem}.html").as_uri())
            page.page.locator(f"{OUTPUT} [style]").evaluate_all(BARE)
            check_pictures(page, notebook)
            assert page.count(PLAYER) == 0
            # The first and the last step, and of a replay that goes wrong the steps where it does.
            assert page.count(f"{STILLS} img") >= 2 * replays_of(notebook)
            for lid in page.page.locator(f"{HTML} summary").all():
                assert lid.is_visible()
                lid.click()  # the hint contains the solution
