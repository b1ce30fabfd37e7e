"""Fixtures: a browser, and the course in JupyterLab."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests import chromium, lab_server
from tests.browser.driving import Lab, answer_everything, watching
from tests.lab_server import Running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

pytest.register_assert_rewrite("tests.browser.shown")  # so that its assertions show values

LAPTOP = {"width": 1366, "height": 768}
QUIET = [  # no background activity of the browser
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with chromium.driven(*QUIET) as browser:
        yield browser


@pytest.fixture(scope="session")
def context(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport=LAPTOP) as context:
        yield context


@pytest.fixture(scope="session")
def server(context: BrowserContext, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with lab_server.running(tmp_path_factory.mktemp("lab"), "--no-browser", "--port=0") as server:
        server.address()
        answer_everything(server)  # so that nothing is folded
        yield server


@pytest.fixture
def lab(context: BrowserContext, server: Running) -> Iterator[Lab]:
    lab = Lab(context, server)
    try:
        with watching(lab):
            yield lab
    finally:
        server.end_kernels()
        print(server.printed())  # pytest shows it if a test has failed
