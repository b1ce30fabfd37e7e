"""The rules of load.py and alive.py pass a good chapter, and notice each fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from minigrad_course.desk import ipynb
from tests.course import alive, load, rules
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


@pytest.fixture
def notebook(file: Path) -> NotebookNode:
    return ipynb.read(file)


def cells(*changes: tuple[object, object]) -> Sequence[str | tuple[str, ...]]:
    """The cells of the good chapter with some of them changed, or left out for an empty string."""
    table = dict(changes)
    assert set(table) <= set(CHAPTER_05)
    return [cell for old in CHAPTER_05 if (cell := table.get(old, old))]  # type: ignore[misc]


def test_the_good_chapter(file: Path, notebook: NotebookNode) -> None:
    assert load.gaps(notebook, 5) == []
    assert load.same_trees(notebook, 5) == []
    assert load.unknown_names(notebook) == []
    assert load.too_early(notebook, 5) == []
    assert load.whole_library({file.stem: notebook}) == []
    assert alive.dead(file) == []


# --- what is shown --------------------------------------------------------------------------------


def test_a_name_that_the_stage_lacks_is_noticed(notebook: NotebookNode) -> None:
    load.lib_cells(notebook)[0].metadata.tags[:] = ["lib:minigrad.core.engine.BackwardPass.keeps"]
    assert "the cell does not define" in load.same_trees(notebook, 5)[0]


def test_gaps_are_noticed(tmp_path: Path) -> None:
    twice = ("core.engine.BackwardPass.run_node",)
    file = notebook_of([*cells((("core.leaves._retain",), "")), twice], tmp_path)
    assert load.gaps(ipynb.read(file), 5) == [
        "minigrad.core.engine.BackwardPass.run_node is shown twice",
        "the chapter builds core.leaves._retain, and no lib: cell shows it",
    ]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("if node._hooked:", "if not node._hooked:", "core.engine.BackwardPass.run_node"),
        ("grad is not None", "grad is None", "core.leaves._retain"),
        ("Node._hooked = False", "Node._hooked = True", "core.node.Node._hooked"),
        ("@method_of(Tensor)", "@method_of(Node)", ""),  # as the text says
        ("@method_of(BackwardPass)", "@method_of(Node)", "core.engine.BackwardPass.run_node"),
    ],
)
def test_another_text_than_the_librarys_is_noticed(
    notebook: NotebookNode, old: str, new: str, name: str
) -> None:
    (cell,) = [cell for cell in load.lib_cells(notebook) if old in cell.source]
    cell.source = cell.source.replace(old, new)
    found = load.same_trees(notebook, 5)
    assert [problem.partition(":")[0] for problem in found] == (
        [f"minigrad.{name}"] if name else []
    )


def test_a_cell_that_is_not_in_step_is_noticed(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("if node._hooked:", "if not node:"), encoding="utf-8")
    assert "lib:" in rules.in_step(file)[0]
    file.write_text(text.replace("core.leaves._retain", "core.leaves.begin"), encoding="utf-8")
    assert "defines no begin at chapter 05" in rules.in_step(file)[0]


# --- names ----------------------------------------------------------------------------------------


def chapter(*sources: str) -> NotebookNode:
    """A notebook of code cells; text for the reader begins with #, tags come before a |."""
    made = []
    for source in sources:
        names, bar, code = source.partition("|")
        if source.startswith("#"):
            made.append(v4.new_markdown_cell(source))
        else:
            tags = names.split() if bar else []
            made.append(v4.new_code_cell(code if bar else source, metadata={"tags": tags}))
    for count, cell in enumerate(rules.code_cells(v4.new_notebook(cells=made)), 1):
        cell.execution_count = count
    return v4.new_notebook(cells=made)


@pytest.mark.parametrize(
    ("sources", "complaints"),
    [
        (["print(sum([1]))", "x = 1\nx", "x"], []),
        (["y", "y = 1"], ["cell 1: y is nowhere defined or imported"]),
        (["def f(a: Unknown) -> int:\n    b: Other = a\n    return b"], []),
        (["def f():\n    return later", "later = 1"], []),
        (["def f():\n    return never"], ["cell 1: never is nowhere defined or imported"]),
        (["class A:\n    def f(self):\n        return [a for a in never]"],
         ["cell 1: never is nowhere defined or imported"]),
        (["import a.b as c\nfrom d import e\nc, e\nfor i in e: i\nwith c as f: f"], []),
        (["%time 1 + 1"], []),
    ],
)  # fmt: skip
def test_unknown_names(sources: list[str], complaints: list[str]) -> None:
    assert load.unknown_names(chapter(*sources)) == complaints


def test_imports_were_built_earlier_or_are_introduced() -> None:
    chapters = {
        "03_a": chapter("lib:minigrad.core.node.Node|class Node: ..."),
        "04_b": chapter(
            "# It uses `start(z)`.", "from minigrad_course.after_03 import Node, start"
        ),
        "05_c": chapter("from minigrad_course.after_04 import Node, start, errors"),
    }
    assert load.introduced(chapters) == [
        "05_c, cell 1: errors was not built, and no text introduces it"
    ]
    imports = "from minigrad_course.after_04 import Node, errors"
    chapters["05_c"] = chapter(imports, "folded lib:x|def f():\n    return errors")
    assert load.introduced(chapters) == []
    chapters["05_c"] = chapter(imports, "folded lib:x|def f():\n    return errors", "errors")
    assert len(load.introduced(chapters)) == 1
    chapters["05_c"] = chapter("from minigrad_course.after_03 import Node")
    assert load.introduced(chapters) == [
        "05_c, cell 1: minigrad_course.after_03 is not the library before this chapter"
    ]
    chapters["05_c"] = chapter("# `minigrad_course` of before.", "import minigrad_course.after_03")
    assert load.introduced(chapters) == []
    chapters["05_c"] = chapter("# `minigrad_course` of later.", "import minigrad_course.after_06")
    assert len(load.introduced(chapters)) == 1


def test_later_names_are_noticed() -> None:
    later = chapter("z.retain_grad()", "no_grad", "[].remove(1)", "z.backward()", "z.grad_fn")
    assert load.too_early(later, 4) == [
        "cell 1: retain_grad is built later",
        "cell 2: no_grad is built later",
    ]
    assert load.too_early(later, 10) == []
    assert load.too_early(chapter("finished|z.retain_grad()"), 4) == []
    assert load.too_early(chapter("create_graph = 1\nz.create_graph"), 4) == []  # the reader's own


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f():\n    return no_grad()", ["no_grad"]),
        ("[no_grad() for z in []]", ["no_grad"]),
        ("def f():\n    no_grad = 1\n    return no_grad", []),
        ("def f(no_grad):\n    return no_grad", []),
        ("[no_grad for no_grad in []]", []),
        ("def f():\n    retain_grad = 1\n    return retain_grad", []),
        ("def f():\n    return z.retain_grad()", ["retain_grad"]),
        ("z.create_graph", ["create_graph"]),
        ("print(create_graph)", []),  # a member needs its object; test_unknown_names has the rest
    ],
)
def test_a_variable_of_the_reader_is_not_a_later_name(source: str, names: list[str]) -> None:
    assert load.too_early(chapter(source), 4) == [
        f"cell 1: {name} is built later" for name in names
    ]


@pytest.mark.parametrize(
    ("sources", "cell"),
    [
        (["import minigrad as torch"], 1),
        (["from minigrad.core.engine import BackwardPass"], 1),
        (["finished|import minigrad as torch", "torch.ones(2)"], 2),
        (["finished|import minigrad as torch", "def f():\n    return torch.ones(2)"], 2),
        (["finished|import minigrad as torch", "finished|torch.ones(2)"], 0),
        (["from minigrad.viz import draw"], 0),
    ],
)
def test_the_finished_library_stays_in_finished_cells(sources: list[str], cell: int) -> None:
    found = load.whole_library({"04_b": chapter(*sources)})
    assert found == (
        [f"04_b, cell {cell}: uses the whole library; tag it finished"] if cell else []
    )


# --- life -----------------------------------------------------------------------------------------


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
    assert alive.noticed([source], 0, [alive.Cell("", True, 0.0)])


def test_a_busy_machine_does_not_count_as_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alive, "SECONDS", 0.2)
    page = [alive.Cell("", True, 0.0), alive.Cell("1\n", True, 0.0)]
    assert not alive.noticed(["import time; time.sleep(0.5)", "1"], 0, page)


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
