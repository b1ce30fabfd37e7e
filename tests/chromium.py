"""The browser for tests, an installed Chromium or one based on it, and a server for its pages.

Nothing is downloaded. Without a browser the tests that need one are skipped, unless the environment
variable MINIGRAD_BROWSER names one: then a missing browser is a failure.
"""

from __future__ import annotations

import functools
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
WANTED = os.environ.get("MINIGRAD_BROWSER", "")


def program() -> str:
    """The path of the browser; if there is none, the test is skipped or fails."""
    names = [WANTED] if WANTED else NAMES
    found = next(filter(None, map(shutil.which, names)), None)
    return found or absent(f"there is no program {' or '.join(names)}")


def absent(reason: str) -> NoReturn:
    """Skip the test, or fail it if MINIGRAD_BROWSER asks for a browser."""
    if WANTED:
        pytest.fail(f"MINIGRAD_BROWSER asks for a browser, but {reason}", pytrace=False)
    pytest.skip(reason)


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves files without a log."""

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server with the files in a folder."""
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@contextmanager
def driven(*options: str) -> Iterator[Browser]:
    """A browser whose pages playwright drives, started with these options."""
    place = program()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        absent('playwright is missing: python -m pip install -e ".[course,browser]"')
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=place, args=["--no-sandbox", "--disable-gpu", *options]
        )
        yield browser
        browser.close()


def measured(
    page: Path, script: str, size: tuple[int, int], folder: Path, query: str = "", after: int = 50
) -> Any:
    """Show a page in a frame of `size`, and return what `script` returns there.

    The script runs `after` milliseconds after the page has loaded, in a copy of the page beside it.
    It sends its result to the outer page, which puts it into its title, and the browser prints
    that page. The browser's profile is in `folder`.
    """
    send = f'parent.postMessage(JSON.stringify((() => {{ {script} }})()), "*")'
    run = f"<script>onload = () => setTimeout(() => {send}, {after})</script></body>"
    inner, outer = page.with_name(f"measured-{page.name}"), folder / "outer.html"
    text = page.read_text(encoding="utf-8")
    assert "</body>" in text
    inner.write_text(text.replace("</body>", run), encoding="utf-8")
    outer.write_text(
        "<title></title><script>onmessage = (event) => { document.title = event.data }</script>"
        f'<iframe src="{inner.as_uri()}{query}" width={size[0]} height={size[1]} frameborder=0>'
        "</iframe>",
        encoding="utf-8",
    )
    command = [
        program(), "--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1500,1000",
        f"--virtual-time-budget={2000 + after}", "--dump-dom",
        f"--user-data-dir={folder / 'profile'}", outer.as_uri(),
    ]  # fmt: skip
    printed = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    inner.unlink()
    match = re.search("<title>(.+)</title>", printed)
    assert match, printed
    return json.loads(html.unescape(match[1]))
