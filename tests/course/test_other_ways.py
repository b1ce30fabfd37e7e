"""Each notebook shows the same when it runs in other ways than once from top to bottom."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from nbformat import NotebookNode, v4

from minigrad_course.desk import ipynb
from minigrad_course.kernel.cell_order import Cell, Order
from minigrad_course.kernel.stages import forget, load
from tests.course.kernels import differences, errors, kernel, run, texts
from tests.course.rules import code_cells, is_folded
from tests.course.test_folded_cells import without_folded

TOP = """\
from minigrad_course.after_03 import Tensor
from minigrad_course.after_03 import tensor
x = tensor(1.0)
print("shown")
"""
SECOND = "x.is_leaf\n"
LONG = 3.0  # seconds; a cell that takes longer trains a network, and would only train it again


@pytest.mark.thorough
def test_a_notebook_runs_in_every_other_way(chapter: Path, wheel: Path, tmp_path: Path) -> None:
    """From the wheel in an empty folder, without the accelerator: without its folded cells, if it
    has any, then each cell twice in a row, and then all cells from top to bottom.

    What nbval does is one of many ways in which readers run a chapter. In the second of these, a
    cell that needs the graph of the cell above may say that it was freed.
    """
    notebook = ipynb.read(chapter)
    cells = code_cells(notebook)
    wrong, endless = [], []
    with kernel(tmp_path, PYTHONPATH=str(wheel), MINIGRAD_FAST="0") as client:
        if any(map(is_folded, cells)):
            wrong = [f"without folded cells, {each}" for each in without_folded(notebook, client)]
        for cell in cells:
            began = time.monotonic()
            seen = errors(run(client, cell.source))
            if time.monotonic() - began < LONG:
                seen += errors(run(client, cell.source))
            if "RecursionError" in seen:
                endless.append(f"when it runs again, {cell.id} never ends")
        wrong += differences(client, cells)
        (place,) = texts(run(client, "import minigrad_course; print(minigrad_course.__file__)"))
    assert not wrong + endless, "\n".join(wrong + endless)
    assert Path(place.strip()).is_relative_to(wheel)
    assert [*tmp_path.iterdir()] == []  # it leaves nothing behind


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
