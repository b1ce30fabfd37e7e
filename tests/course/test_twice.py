"""Each notebook runs twice in one kernel, shows the same, and nothing fails.

Each cell also runs twice in a row, which finds a cell that wraps a function in itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import run_kernel
from nbformat import NotebookNode, v4

from minigrad_course.desk import ipynb
from minigrad_course.kernel.cell_order import Cell, Order
from minigrad_course.kernel.stages import forget, load
from tests.course.answers import run
from tests.course.rules import code_cells
from tests.course.test_finale import IGNORED

ADDRESS = re.compile(r"0x[0-9a-f]+")

TOP = """\
from minigrad_course.after_03 import Tensor
from minigrad_course.after_03 import tensor
x = tensor(1.0)
print("shown")
"""
SECOND = "x.is_leaf\n"


@pytest.mark.thorough
def test_a_notebook_shows_the_same_when_it_runs_again(chapter: Path) -> None:
    """Run each cell twice in a row, and then all cells from top to bottom.

    In the first part, a cell that needs the graph of the cell above may say that it was freed.
    """
    cells = code_cells(ipynb.read(chapter))
    endless = []
    with kernel(chapter.parent) as client:
        for cell in cells:
            for _ in range(2):
                if "RecursionError" in errors(run(client, cell.source)):
                    endless.append(cell.id)
        wrong = differences(client, cells)
    assert not endless
    assert not wrong, "\n".join(wrong)


def test_differences_are_reported(sample: NotebookNode, tmp_path: Path) -> None:
    first, second = v4.new_code_cell("seen = globals().get('seen', 0) + 1\nprint(seen)"), None
    first.outputs = [v4.new_output("stream", text="1\n")]
    second = v4.new_code_cell("1 / (seen - 2)")
    second.outputs = [v4.new_output("execute_result", data={"text/plain": "-1.0"})]
    with kernel(tmp_path) as client:
        assert differences(client, [first, second]) == []
        wrong = differences(client, [first, second])
    assert [line.partition(":")[0] for line in wrong] == [first.id, second.id]
    assert "ZeroDivisionError" in wrong[1]


@contextmanager
def kernel(folder: Path) -> Iterator[BlockingKernelClient]:
    """A kernel that runs in `folder`."""
    with run_kernel(kernel_name="python3", cwd=str(folder), **ipynb.KERNELS) as client:
        yield client


def differences(client: BlockingKernelClient, cells: list[NotebookNode]) -> list[str]:
    """Run cells; say which fail or show something else than what is stored in them."""
    wrong = []
    for cell in cells:
        now = run(client, cell.source)
        if failed := errors(now):
            wrong.append(f"{cell.id}: {failed}")
        elif not agree(now, cell):
            wrong.append(f"{cell.id}: {texts(now)} in place of {texts(cell)}")
    return wrong


def errors(cell: NotebookNode) -> str:
    """The error that ended a cell; an empty text if none did."""
    found = [f"{one.ename}: {one.evalue}" for one in cell.outputs if one.output_type == "error"]
    return "".join(found)


def agree(now: NotebookNode, stored: NotebookNode) -> bool:
    """Whether a cell shows what is stored, or nbval ignores it, as times on this machine."""
    return IGNORED in ipynb.tags(stored) or texts(now) == texts(stored)


def texts(cell: NotebookNode) -> list[str]:
    """What a cell shows as text: each stream as a whole, then the rest in order."""
    streams: dict[str, str] = {}
    shown = []
    for output in cell.outputs:
        if output.output_type == "stream":
            streams[output.name] = streams.get(output.name, "") + output.text
        elif "data" in output:
            shown.append(output.data.get("text/plain", ""))
    return [ADDRESS.sub("…", text) for text in [*sorted(streams.values()), *shown]]


# --- starting over --------------------------------------------------------------------------------


@pytest.fixture
def page() -> Iterator[tuple[Order, dict[str, Any]]]:
    """An empty notebook, and the order in which its cells run."""
    load(3)
    names: dict[str, Any] = {"__name__": "__main__"}
    yield Order(), names
    forget("minigrad_course.after_03")


def execute(page: tuple[Order, dict[str, Any]], *sources: str) -> None:
    followed, names = page
    for source in sources:
        followed.begin(Cell(source), names)
        exec(source, names)
        followed.end(Cell(source), succeeded=True)


def test_a_run_from_the_top_resets_the_library(
    page: tuple[Order, dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    followed, names = page
    build = "Tensor.built = 1\ndef follow(): ...\n"
    execute(page, TOP, SECOND, build)
    before = names["Tensor"]
    execute(page, TOP, SECOND)
    assert names["Tensor"] is not before
    assert not hasattr(names["Tensor"], "built")
    assert isinstance(names["x"], names["Tensor"])
    assert capsys.readouterr().out == "shown\n" * 2  # by the two runs, not by the imports
    assert [cell.source for cell in followed.ended] == [TOP, SECOND]


def test_a_first_cell_without_its_imports_is_still_that_of_the_chapter() -> None:
    followed = Order()
    for source in (TOP, "from minigrad_course.after_05 import Node\n", "import math\n"):
        followed.end(Cell(source, "top" if "05" not in source else "other"), succeeded=True)
    assert followed.chapter == 4


@pytest.mark.parametrize("sources", [(TOP,), (TOP, "x.grad_fn\n"), (SECOND,), (TOP, TOP)])
def test_running_a_single_cell_again_resets_nothing(
    page: tuple[Order, dict[str, Any]], sources: tuple[str, ...]
) -> None:
    execute(page, TOP, SECOND, "Tensor.built = 1\n", *sources)
    assert page[1]["Tensor"].built == 1
