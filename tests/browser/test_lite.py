"""Chapters in the edition for the browser, where Python itself runs in the browser.

Pyodide is 300 MB with all its packages, and tests download nothing. MINIGRAD_PYODIDE names a folder
with its unpacked archive, which holds `pyodide.js` and `pyodide-lock.json`. Without it these tests
are skipped.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from minigrad_course.ask.declare import EXERCISES, load
from minigrad_course.desk import ipynb
from tests import chromium
from tests.browser.driving import Watched, watching
from tests.course.answers import answers, checks
from tools import lite, notebooks

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

NAMES = [file.name for file in ipynb.chapters()]
PYODIDE = os.environ.get("MINIGRAD_PYODIDE", "")
PATIENCE = 600_000  # milliseconds; chapters 16 and 17 train
# Mistakes that only show in a second thread. There are no threads, so the answers pass as correct.
NEED_THREADS = {"10.2 wrong (for all threads)"}

# JupyterLite first requests a picture beside the page, and then finds it among its files.
NOISE = r"console: Failed to load resource: .* 404 .*/(figures/\w[\w-]*\.svg|favicon\.ico)"

NOW = "jupyterapp.shell.currentWidget"
READY = f"""() => window.jupyterapp && {NOW}?.context?.isReady
  && {NOW}.sessionContext.session?.kernel?.status === "idle" && {NOW}.content.widgets.length > 3"""
RUN = """() => jupyterapp.commands.execute("notebook:run-all-cells")"""
SEEN = f"""() => {NOW}.content.model.toJSON()"""
SAID = f"""async (code) => {{
  const kernel = {NOW}.sessionContext.session.kernel, said = [];
  const asked = kernel.requestExecute({{ code, store_history: false, allow_stdin: false }});
  asked.onIOPub = ({{ content }}) => said.push(
    content.text ?? content.data?.["text/plain"] ?? content.traceback?.join("\\n") ?? "");
  await asked.done;
  return said.join("");
}}"""
READ = """(path) => jupyterapp.serviceManager.contents
  .get(path, { type: "file", format: "text", content: true }).then((file) => file.content)"""
KEPT = f"""async () => {{
  const folder = await jupyterapp.serviceManager.contents.get("workbook", {{ content: true }});
  return folder.content.some((each) => each.name === "progress.json") && await ({READ})
    ("workbook/progress.json").then((text) => text.includes("00.a"), () => false);
}}"""
END = f"() => {NOW}.sessionContext.shutdown()"


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server with the site."""
    if not PYODIDE:
        pytest.skip("MINIGRAD_PYODIDE does not name a folder with Pyodide")
    pytest.importorskip("jupyterlite_core", reason="the extra `lite` is not installed")
    folder = tmp_path_factory.mktemp("lite") / "lite"
    lite.build(folder, Path(PYODIDE))
    settings = folder / "jupyter-lite.json"
    content = json.loads(settings.read_text(encoding="utf-8"))
    content["jupyter-config-data"]["exposeAppInBrowser"] = True
    lite.write(settings, content)
    with chromium.served(folder) as address:
        yield address


@pytest.mark.parametrize("name", NAMES)
def test_a_chapter_opens_with_a_click_and_runs_to_its_end(
    context: BrowserContext, home: str, name: str
) -> None:
    chapter = Watched(context, home, NOISE)
    page = chapter.page
    with watching(chapter):
        page.goto(f"{home}/index.html")
        page.locator(f"a[href*='{name}']").click()
        page.wait_for_function(READY, timeout=PATIENCE)
        page.set_default_timeout(PATIENCE)
        page.evaluate(RUN)
        cells = [cell for cell in page.evaluate(SEEN)["cells"] if cell["cell_type"] == "code"]
        not_run = [cell["source"] for cell in cells if cell["execution_count"] is None]
        wrong = [
            (cell["source"], output["evalue"])
            for cell in cells
            for output in cell["outputs"]
            if output["output_type"] == "error"
        ]
        assert (not_run, wrong) == ([], [])
        check_shown(name, {cell["id"]: cell["outputs"] for cell in cells})
        if any(cell["source"] == "score()" for cell in cells):
            kept = json.loads(page.evaluate(READ, "workbook/progress.json"))
            assert name[:2] in kept["scores"]
        assert untrue_verdicts(page, name) == []
        page.evaluate(END)


def untrue_verdicts(page: Page, name: str) -> list[tuple[str, str]]:
    """The solutions and wrong answers of a chapter for which its checks say something unexpected.

    A wrong answer whose mistake cannot show in a browser must be called correct.
    """
    load(name[:2])
    found = []
    for id, _, check in checks(ipynb.read(notebooks.NOTEBOOKS / name)):
        for label, source, expected in answers(EXERCISES[id]):
            if label in NEED_THREADS:
                expected = [f"{id} {EXERCISES[id].title}: correct"]
            said = page.evaluate(SAID, source) + page.evaluate(SAID, check)
            found += [(label, said) for wanted in expected if wanted not in said]
    return found


def check_shown(name: str, outputs: dict[str, list[Any]]) -> None:
    """Each cell has as many drawings as in the notebook of the course."""
    for cell in ipynb.read(notebooks.NOTEBOOKS / name).cells:
        wanted, found = (
            json.dumps(each).count("data:image/svg+xml")
            for each in (cell.get("outputs", []), outputs.get(cell.id, []))
        )
        if cell.cell_type == "code":
            assert found == wanted, cell.source


def test_an_answer_is_kept_when_the_chapter_is_opened_again(
    context: BrowserContext, home: str
) -> None:
    """What follows a question is folded until it is answered, and stays open after that."""
    chapter = Watched(context, home, NOISE)
    page = chapter.page
    one = re.compile(r"1 of \d questions answered")
    with watching(chapter):
        for answered in (False, True):
            page.goto(f"{home}/lab/index.html?path=workbook/{NAMES[0]}&reset")
            page.wait_for_function(READY, timeout=PATIENCE)
            folded = page.locator(".minigrad-folded")
            if answered:
                page.get_by_text(one).wait_for()
                continue
            before = folded.count()
            assert before > 0
            card = page.locator(".jp-CodeCell", has=page.get_by_text('predict("00.a")')).first
            card.locator(".cm-content").click()
            for run in ("notebook:run-all-above", "notebook:run-cell"):
                page.evaluate("(run) => jupyterapp.commands.execute(run)", run)
            card.get_by_role("button", name="tensor(1.6000)").click()
            page.get_by_text(one).wait_for()
            assert folded.count() < before
            page.wait_for_timeout(3000)  # the file is replaced, so for a moment it is missing
            page.wait_for_function(KEPT)
            page.evaluate(END)
