"""The small library that grows, and its chapters as cells, for the tests of the course's tools."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from nbformat import v4

from course import stages
from course.stages import Library, bound_names, parsed
from tests.course.conftest import FIXTURES
from tools import notebooks
from tools.lib_cells import growth, lib_source

GROWING = Library(FIXTURES / "growing")
PREFIX = "tests.course.fixtures.growing"
CHAPTERS = (3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15)  # those at which something grows


def start(chapter: int, library: Library = GROWING) -> dict[str, Any]:
    """The names of a notebook that has imported all that the chapter before left."""
    before = stages.load(chapter - 1, library=library)
    names = {name: value for name, value in vars(before).items() if not name.startswith("__")}
    return {**names, "__name__": "__main__"}


def run(source: str, notebook: dict[str, Any]) -> None:
    """Run a cell."""
    exec(compile("from __future__ import annotations\n" + source, "<cell>", "exec"), notebook)


def built(chapter: int, **changes: str) -> dict[str, Any]:
    """The names of a notebook that has run the chapter's `lib:` cells.

    `changes` are texts to put in place of a definition: its name below the module, dots as `__`.
    """
    notebook = start(chapter)
    for name, source in cells(chapter):
        run(changes.pop(name, source), notebook)
    assert not changes, f"nothing of that name: {changes}"
    return notebook


def cells(chapter: int) -> Iterator[tuple[str, str]]:
    """What the chapter adds, in the order of the modules: `lib:` cells, imports and constants."""
    grown = growth(GROWING, chapter)
    for module in GROWING.core(chapter):
        old = GROWING.defined(module, chapter - 1)
        for node in parsed(GROWING.text(module, chapter)).body:
            names = bound_names(node)
            if isinstance(node, ast.Import) or (
                isinstance(node, ast.ImportFrom) and not node.level
            ):
                yield "", ast.unparse(node)
            elif isinstance(node, ast.Assign | ast.AnnAssign) and names[0] not in old:
                yield names[0], ast.unparse(node)
            for name in grown:
                place, short = name[: len(module)], name[len(module) + 1 :]
                if place == module and short.partition(".")[0] in names:
                    yield short.replace(".", "__"), lib_source([f"{PREFIX}.{name}"], chapter)


# --- a chapter as a notebook ----------------------------------------------------------------------

IMPORTS = """from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from course import score
from course.after_03 import (
    AccumulateGrad,
    Node,
    OperationNode,
    SavedTensor,
    Tensor,
    gradient_edge,
    log,
    method_of,
    sqrt,
    tensor,
    words,
)"""

CODE_9 = """x = tensor(5.0, requires_grad=True)
z = log(x**3) + sqrt(x**2)
z.backward()
x.grad"""

CHAPTER_04 = (  # the tags of a code cell, or its source; text for the reader begins with #
    "# 04 · The engine\n\nAbout 5 minutes. It uses `words`, `gradient_edge`, `method_of`.",
    IMPORTS,
    ("core.node.AccumulateGrad.backward",),
    ("core.node.SavedTensor.unpack",),
    ("core.operation.unpacked", "core.operation.OperationNode.backward"),
    "old = tensor(2.0, requires_grad=True)\nold_square = old * old",
    ("core.node.Node.__lt__",),
    "old_square.grad_fn < (old * old).grad_fn",
    ("core.engine.BackwardPass",),
    ("core.engine.BackwardPass.propagate",),
    ("core.engine.count_dependencies", "core.engine.added"),
    ("core.engine.start",),
    ("core.engine.backward",),
    CODE_9,
    "old_square.backward()\nold.grad",
    "for wrong in (tensor([1.0, 2.0], requires_grad=True), tensor(1.0)):\n"
    "    try:\n"
    "        wrong.backward()\n"
    "    except RuntimeError as error:\n"
    "        print(error)",
    "(x * x).backward(tensor(10.0))\nx.grad",
    "score()",
)


def notebook_of(cells: Sequence[str | tuple[str, ...]], folder: Path, name: str) -> Path:
    """A notebook in a file, its `lib:` cells filled in."""
    made = []
    for cell in cells:
        if isinstance(cell, tuple):
            tags = [f"lib:{PREFIX}.{one}" for one in cell]
            made.append(v4.new_code_cell("", metadata={"tags": tags}))
        elif cell.startswith("#"):
            made.append(v4.new_markdown_cell(cell))
        else:
            made.append(v4.new_code_cell(cell))
    for count, cell in enumerate((c for c in made if c.cell_type == "code"), 1):
        cell.execution_count = count
    notebook = v4.new_notebook(cells=made)
    file = folder / name
    notebooks.sync(notebook, file)
    file.write_text(notebooks.as_text(notebook), encoding="utf-8")
    return file
