"""A short chapter is alive, and a definition of it that no cell uses is noticed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from nbformat import v4

from minigrad_course.desk import ipynb
from tests.course import alive, rules
from tools import notebooks

NAME = "05_short.ipynb"
IMPORTS = """from __future__ import annotations

import weakref
from collections.abc import Sequence

from minigrad_course import score
from minigrad_course.after_04 import EMPTY, BackwardPass, Grads, Node, Tensor
from minigrad_course.after_04 import method_of, own_dict, tensor"""

FIRST = "x = tensor(5.0, requires_grad=True)\n(x * x).backward()\nx.grad"
KEPT = "y = x * x\ny.retain_grad()\n(y * x).backward()\ny.grad"
REFUSED = """try:
    tensor(1.0).retain_grad()
except RuntimeError as error:
    print(error)"""

CHAPTER_05 = (  # the tags of a code cell, or its source; text for the reader begins with #
    "# 05 · Leaves\n\nIt uses `EMPTY`, `Grads`, `own_dict`, `method_of`.",
    IMPORTS,
    FIRST,
    ("core.node.Node._hooked", "core.node.Node._retaining", "core.node.Node._own"),
    ("core.leaves._retain",),
    ("core.leaves.retain_grad",),
    ("core.engine.BackwardPass.run_node",),
    KEPT,
    REFUSED,
    "(x * x).backward()\nx.grad",
    "score()",
)


def notebook_of(cells: Sequence[str | tuple[str, ...]], folder: Path) -> Path:
    """A notebook in a file, with its `lib:` cells filled in."""
    made = []
    for cell in cells:
        if isinstance(cell, tuple):
            tags = [f"lib:minigrad.{one}" for one in cell]
            made.append(v4.new_code_cell("", metadata={"tags": tags}))
        elif cell.startswith("#"):
            made.append(v4.new_markdown_cell(cell))
        else:
            made.append(v4.new_code_cell(cell))
    for count, cell in enumerate((c for c in made if c.cell_type == "code"), 1):
        cell.execution_count = count
    notebook = v4.new_notebook(cells=made)
    file = folder / NAME
    notebooks.sync(notebook, file)
    file.write_text(ipynb.as_text(notebook), encoding="utf-8")
    return file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return notebook_of(CHAPTER_05, tmp_path)


def cells(*changes: tuple[object, object]) -> Sequence[str | tuple[str, ...]]:
    """The cells of the good chapter with some of them changed, or left out for an empty string."""
    table = dict(changes)
    assert set(table) <= set(CHAPTER_05)
    return [cell for old in CHAPTER_05 if (cell := table.get(old, old))]  # type: ignore[misc]


def test_the_good_chapter(file: Path) -> None:
    assert rules.gaps(ipynb.read(file), 5) == []
    assert rules.imports(ipynb.read(file), 5) == []
    assert alive.dead(file) == []


def test_gaps_are_noticed(tmp_path: Path) -> None:
    twice = ("core.engine.BackwardPass.run_node",)
    file = notebook_of([*cells((("core.leaves._retain",), "")), twice], tmp_path)
    assert rules.gaps(ipynb.read(file), 5) == [
        "minigrad.core.engine.BackwardPass.run_node is shown twice",
        "the chapter builds core.leaves._retain, and no lib: cell shows it",
    ]


def test_definitions_that_no_cell_uses_are_dead(tmp_path: Path) -> None:
    found = alive.dead(notebook_of(cells((KEPT, ""), (REFUSED, ""), ("score()", "")), tmp_path))
    assert [problem.removeprefix("no later cell notices ") for problem in found] == [
        "an empty _retain in minigrad.core.leaves._retain",
        "an empty retain_grad in minigrad.core.leaves.retain_grad",
        "minigrad.core.engine.BackwardPass.run_node put back to the chapter before",
    ]


def test_grown_definitions_that_no_cell_uses_are_dead(tmp_path: Path) -> None:
    found = alive.dead(notebook_of(cells((KEPT, ""), ("score()", "")), tmp_path))
    assert found == [
        "no later cell notices an empty _retain in minigrad.core.leaves._retain",
        "no later cell notices minigrad.core.engine.BackwardPass.run_node put back to the chapter"
        " before",
    ]


def test_objects_of_an_older_class_are_noticed(tmp_path: Path) -> None:
    draft = FIRST + "\nclass Node(Node):\n    pass\nmine = Node()\nclass Node(Node):\n    pass"
    lines = cells((FIRST, draft), (KEPT, ""), ("score()", "print(mine)"))
    found = alive.dead(notebook_of(lines, tmp_path))
    assert "mine is of an older class Node than the one that grows" in found


@pytest.mark.parametrize(
    ("source", "limit"),
    [("while True: pass", "SECONDS"), ("import threading; threading.Event().wait()", "WAIT")],
)
def test_a_run_that_never_ends_is_noticed(
    source: str, limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alive, limit, 0.2)
    assert alive.noticed([source], {}, [alive.Cell("", True, 0.0)])


def test_a_busy_machine_does_not_count_as_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alive, "SECONDS", 0.2)
    page = [alive.Cell("", True, 0.0), alive.Cell("1\n", True, 0.0)]
    assert not alive.noticed(["import time; time.sleep(0.5)", "1"], {}, page)


def test_settings_of_one_page_do_not_reach_the_next() -> None:
    cells = [
        "import gc, tracemalloc\nimport matplotlib.pyplot as plt",
        "print(gc.isenabled(), tracemalloc.is_tracing(), plt.get_fignums())",
        "gc.disable()\ntracemalloc.start()\nplt.figure()\nraise ValueError",
    ]
    assert list(alive.shown(cells))[1] == list(alive.shown(cells))[1] == "True False []\n"
    started = alive.shown(cells)
    assert [next(started) for _ in cells][2] == "ValueError: \n"
    del started  # stopped before its end, as when a change is noticed
    assert list(alive.shown(cells))[1] == "True False []\n"


def test_cells_run_as_in_a_notebook() -> None:
    cells = [
        "from __future__ import annotations",
        "def f(x: nowhere): return x\nf(3)",
        "import warnings\nwarnings.warn('careful')\nprint(object())",
        "1 / 0",
        "None",
    ]
    shown = list(alive.shown(cells))
    assert shown[1] == "3\n"
    assert "careful" in shown[2]
    assert "<object object at 0x…>" in shown[2]
    assert shown[3:] == ["ZeroDivisionError: division by zero\n", ""]
