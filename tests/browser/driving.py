"""Drives pages in a browser, and JupyterLab as a reader would; records what goes wrong."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from nbformat import NotebookNode

from minigrad_course.ask.journal import FILE, Journal
from minigrad_course.desk import ipynb
from tests.course.rules import PREDICT_CALL
from tests.lab_server import Running
from tools import notebooks

if TYPE_CHECKING:  # playwright may not be installed
    from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Route

PATIENCE = 30_000  # milliseconds, for steps that take a second or two on an idle machine
MEASURES = Path(__file__).with_name("measures.js").read_text(encoding="utf-8")
NUMBERED = r"/^\[\d+\]:$/"  # the prompt of a cell that has run

OPEN = ".jp-NotebookPanel:not(.lm-mod-hidden)"
CELLS = f"{OPEN} .jp-Notebook .jp-Cell"
IDLE = f"{OPEN} .jp-Notebook-ExecutionIndicator[data-status=idle]"
OUTPUT = ".jp-OutputArea-output"
HTML = f"{OUTPUT}.jp-RenderedHTMLCommon"
PLAYER, STILLS = ".minigrad-player", ".minigrad-stills"
# The places in which earlier tests have left the notebooks; a page that is reloaded keeps its own.
NEW_READER = """if (!sessionStorage.begun) {
  localStorage.clear();
  sessionStorage.begun = "yes";
}"""
# JupyterLab's own: closing a tab early cancels what its debugger has asked the kernel.
NOISE = "console: Could not restore the debugger state: Canceled future"


@dataclass(frozen=True)
class Picture:
    """What `measures.js` measures of a picture."""

    alt: str
    drawn: bool
    clear: float
    contrast: float


class Watched:
    """A page that can only load addresses beginning with `home`, and a list of its `troubles`.

    Troubles that match `known` are ignored.
    """

    def __init__(self, context: BrowserContext, home: str, known: str = r"(?!)") -> None:
        self.home, self.known, self.troubles = home, known, list[str]()
        self.page = context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.route(re.compile("^(?!data:|blob:)"), self._only_home)
        self.page.on("pageerror", lambda error: self._note(f"uncaught {error}"))
        self.page.on("console", self._heard)

    def pictures(self) -> list[Picture]:
        """The pictures in the outputs."""
        found = self._measured(f"{OUTPUT} img", "pictures")
        return [Picture(**each) for each in found]

    def faint(self, selectors: Sequence[str] = (HTML,)) -> list[str]:
        """The texts in these elements, by default in HTML outputs, that are hard to read."""
        found = self._measured(", ".join(selectors), "texts")
        assert found["count"] > 0
        return list(found["faint"])

    def count(self, selector: str) -> int:
        """How many matching elements are visible."""
        return self.page.locator(selector).filter(visible=True).count()

    def _measured(self, selector: str, function: str) -> Any:
        script = f"(elements) => {{ {MEASURES}; return {function}(elements) }}"
        return self.page.locator(selector).evaluate_all(script)

    def _only_home(self, route: Route) -> None:
        if route.request.url.startswith(self.home):
            route.continue_()
        else:
            self._note(f"asks for {route.request.url}")
            route.abort()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self._note(f"console: {message.text} {message.location.get('url', '')}")

    def _note(self, trouble: str) -> None:
        if not re.match(self.known, trouble):
            self.troubles.append(trouble)


class Lab(Watched):
    """JupyterLab and the notebook that was opened last."""

    notebook: NotebookNode

    def __init__(self, context: BrowserContext, server: Running) -> None:
        self.server = server
        address, self.token = server.address()
        super().__init__(context, address, NOISE)
        self.page.add_init_script(NEW_READER)

    def open(self, path: str) -> None:
        """Open a notebook at its JupyterLab address, with no other tabs."""
        self.page.goto(f"{self.home}/lab/tree/{path}?token={self.token}&reset")
        self.wait_for(path)

    def wait_for(self, path: str) -> None:
        """Wait until the notebook is open with all its cells and has a kernel."""
        self.notebook = ipynb.read(self.server.checkout / path)
        name = Path(path).name
        self.page.locator(".lm-TabBar-tab.lm-mod-current", has_text=name).first.wait_for()
        self.page.wait_for_function(
            "([cells, count]) => document.querySelectorAll(cells).length === count",
            arg=[CELLS, len(self.notebook.cells)],
        )
        self.page.locator(IDLE).wait_for()
        # It says idle even before there is a kernel, when running a cell would do nothing.
        until = time.monotonic() + PATIENCE / 1000
        while not self.connections(path):
            assert time.monotonic() < until, f"nobody is connected to a kernel of {path}"
            self.page.wait_for_timeout(100)  # unlike `sleep`, it handles the page's requests

    def open_from_somebody(self, chapter: str) -> NotebookNode:
        """Open a chapter's notebook as if someone had sent it: changed, so it is not trusted."""
        notebook = ipynb.read(notebooks.NOTEBOOKS / chapter)
        notebook.cells[0].source += "\nSomebody has changed it."
        place = self.server.checkout / "workbook" / f"sent_{chapter}"
        place.write_text(ipynb.as_text(notebook), encoding="utf-8")
        self.open(f"workbook/{place.name}")
        self.page.locator("[data-icon='ui-components:not-trusted']").wait_for()
        return notebook

    def connections(self, path: str) -> int:
        """How many pages are connected to the kernel of the notebook `path`."""
        kernels = [
            each["kernel"] for each in self.server.ask("api/sessions") if each["path"] == path
        ]
        return sum(kernel["connections"] for kernel in kernels)

    def choose(self, *names: str) -> None:
        """Choose from the menus: `choose("Run", "Run All Cells")`."""
        for name in names:
            label = self.page.get_by_text(name, exact=True)
            self.page.locator(".lm-MenuBar-item, .lm-Menu-item").filter(has=label).click()

    def run_all(self) -> None:
        """Run all cells, and wait until each open one has its number and the kernel is idle."""
        self.choose("Run", "Run All Cells")
        self.page.wait_for_function(
            "(prompts) => [...document.querySelectorAll(prompts)]"
            f".every((each) => {NUMBERED}.test(each.textContent.trim()))",
            arg=f"{CELLS}.jp-CodeCell:not(:has(.jp-Placeholder)) .jp-InputPrompt",
            timeout=4 * PATIENCE,
        )
        self.page.locator(IDLE).wait_for()

    def find(self, line: str) -> int:
        """The number, from 0, of the one cell with a line that begins with `line`."""
        (number,) = (
            number
            for number, cell in enumerate(self.notebook.cells)
            if re.search(f"^{re.escape(line)}", cell.source, re.MULTILINE)
        )
        return int(number)

    def cell(self, number: int) -> Locator:
        """A cell."""
        return self.page.locator(CELLS).nth(number)

    def write(self, number: int, source: str) -> None:
        """Replace the source of a cell."""
        self.cell(number).locator(".cm-content").click()
        self.page.keyboard.press("ControlOrMeta+A")
        self.page.keyboard.insert_text(source)

    def run(self, number: int) -> None:
        """Click into a cell, press Shift+Enter and wait until it has run."""
        prompt = self.cell(number).locator(".jp-InputPrompt")
        before = prompt.text_content()
        self.cell(number).locator(".cm-content").click()
        self.page.keyboard.press("Shift+Enter")
        self.page.wait_for_function(
            "([prompt, before]) => prompt.textContent !== before"
            f" && {NUMBERED}.test(prompt.textContent.trim())",
            arg=[prompt.element_handle(), before],
        )

    def says(self, number: int, words: str) -> Locator:
        """Wait until the output of a cell shows `words`, and return that element."""
        place = self.cell(number).locator(OUTPUT).get_by_text(words).first
        place.wait_for()
        return place


def progress_of(server: Running) -> Path:
    """The file with the reader's progress."""
    return server.checkout / "workbook" / FILE


def answer_everything(server: Running) -> None:
    """Store the first answer to every prediction of the course as the reader's."""
    ids = [
        id
        for file in ipynb.chapters()
        for cell in ipynb.read(file).cells
        for id in PREDICT_CALL.findall(cell.source)
    ]
    answers = dict.fromkeys(ids, "a")
    progress_of(server).write_text(Journal({}, {}, answers).as_text(), encoding="utf-8")


@contextmanager
def watching(watched: Watched) -> Iterator[None]:
    """Close the page after the block, and fail if anything went wrong in it."""
    try:
        yield
    finally:
        watched.page.close()
    assert not watched.troubles, "\n".join(watched.troubles)
