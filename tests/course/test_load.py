"""The rules of load.py and alive.py pass a good chapter, and notice each fault."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from nbformat import NotebookNode, v4

from course import stages
from tests.course import alive, load, rules
from tests.course.growing import CHAPTER_04, CODE_9, GROWING, IMPORTS, PREFIX, notebook_of
from tools import notebooks

NAME = "04_growing.ipynb"


@pytest.fixture(autouse=True)
def notebooks_build_the_small_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stages, "MINIGRAD", GROWING)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return notebook_of(CHAPTER_04, tmp_path, NAME)


@pytest.fixture
def notebook(file: Path) -> NotebookNode:
    return notebooks.read(file)


def cells(*changes: tuple[object, object]) -> Sequence[str | tuple[str, ...]]:
    """The cells of the good chapter with some of them changed, or left out for an empty string."""
    table = dict(changes)
    assert set(table) <= set(CHAPTER_04)
    return [cell for old in CHAPTER_04 if (cell := table.get(old, old))]  # type: ignore[misc]


def test_the_good_chapter(file: Path, notebook: NotebookNode) -> None:
    assert load.load(notebook, 4) == []
    assert load.gaps(notebook, 4, GROWING) == []
    assert load.same_trees(notebook, 4) == []
    assert load.unknown_names(notebook) == []
    assert load.too_early(notebook, 4, GROWING) == []
    assert load.whole_library({file.stem: notebook}) == []
    assert alive.dead(file) == []


# --- load -----------------------------------------------------------------------------------------


def test_a_long_cell_is_noticed(notebook: NotebookNode, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LONGEST_LIB_CELL", 12)
    assert load.load(notebook, 4) == [f"14 lines of code in ['{PREFIX}.core.engine.BackwardPass']"]


def test_a_heavy_chapter_is_noticed(
    notebook: NotebookNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(load, "MOST_NEW_LINES", 50)
    (complaint,) = load.load(notebook, 4)
    assert complaint.endswith("new lines of the library, not 50")


def test_a_name_that_the_stage_lacks_is_noticed(notebook: NotebookNode) -> None:
    load.lib_cells(notebook)[0].metadata.tags[:] = [f"lib:{PREFIX}.core.engine.BackwardPass.graph"]
    assert "defines no BackwardPass.graph at chapter 04" in load.load(notebook, 4)[0]
    assert "the cell does not define" in load.same_trees(notebook, 4)[0]


def test_gaps_are_noticed(tmp_path: Path) -> None:
    twice = ("core.engine.BackwardPass",)
    file = notebook_of([*cells((("core.engine.start",), "")), twice], tmp_path, NAME)
    assert load.gaps(notebooks.read(file), 4, GROWING) == [
        f"{PREFIX}.core.engine.BackwardPass is shown twice",
        "the chapter builds core.engine.start, and no lib: cell shows it",
    ]


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        ("heappop(self.ready)", "self.ready.pop()", "core.engine.BackwardPass"),
        (
            "self.dependencies[node] -= 1",
            "self.dependencies[node] -= 2",
            "core.engine.BackwardPass.propagate",
        ),
        ("if edge[0] is None", "if edge is None", "core.engine.start"),
        ("@method_of(Tensor)\ndef back", "@method_of(Node)\ndef back", ""),  # the text tells that
        ("@method_of(Node)", "@method_of(Tensor)", "core.node.Node.__lt__"),
    ],
)
def test_another_text_than_the_librarys_is_noticed(
    notebook: NotebookNode, old: str, new: str, name: str
) -> None:
    (cell,) = [cell for cell in load.lib_cells(notebook) if old in cell.source]
    cell.source = cell.source.replace(old, new)
    found = load.same_trees(notebook, 4)
    assert [problem.partition(":")[0] for problem in found] == (
        [f"{PREFIX}.{name}"] if name else []
    )


def test_a_cell_that_is_not_in_step_is_noticed(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("heappop(self.ready)", "self.ready.pop()"), encoding="utf-8")
    assert "lib:" in rules.in_step(file)[0]
    file.write_text(text.replace("core.engine.start", "core.engine.begin"), encoding="utf-8")
    assert "defines no begin at chapter 04" in rules.in_step(file)[0]


# --- names ----------------------------------------------------------------------------------------


def chapter(*sources: str) -> NotebookNode:
    """A notebook of code cells; text for the reader begins with #, tags stand before a |."""
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


def test_what_is_imported_was_built_or_is_introduced() -> None:
    chapters = {
        "03_a": chapter(f"lib:{PREFIX}.core.node.Node|class Node: ..."),
        "04_b": chapter("# It uses `start(z)`.", "from course.after_03 import Node, start"),
        "05_c": chapter("from course.after_04 import Node, start, words"),
    }
    assert load.introduced(chapters) == [
        "05_c, cell 1: words was not built, and no text introduces it"
    ]
    chapters["05_c"] = chapter("from course.after_03 import Node")
    assert load.introduced(chapters) == [
        "05_c, cell 1: course.after_03 is not the library before this chapter"
    ]
    chapters["05_c"] = chapter("# It looks at `course` of before.", "import course.after_03")
    assert load.introduced(chapters) == []
    chapters["05_c"] = chapter("# It looks at `course` of later.", "import course.after_06")
    assert len(load.introduced(chapters)) == 1


def test_later_names_are_noticed() -> None:
    later = chapter("z.retain_grad()", "no_grad", "[].remove(1)", "z.backward()", "z.grad_fn")
    assert load.too_early(later, 4, GROWING) == [
        "cell 1: retain_grad is built later",
        "cell 2: no_grad is built later",
    ]
    assert load.too_early(later, 10, GROWING) == []
    assert load.too_early(chapter("finished|z.retain_grad()"), 4, GROWING) == []
    assert load.too_early(chapter("targets = 1\ntargets"), 4, GROWING) == []  # the reader's own


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
        ("z.targets", ["targets"]),
        ("print(targets)", []),  # a member needs its object; test_unknown_names has the rest
    ],
)
def test_a_variable_of_the_reader_s_is_no_later_name(source: str, names: list[str]) -> None:
    assert load.too_early(chapter(source), 4, GROWING) == [
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


def test_what_no_cell_shows_is_dead(tmp_path: Path) -> None:
    programs = [cell for cell in CHAPTER_04 if isinstance(cell, str)][2:]
    quiet = cells(*[(program, "") for program in programs if program != CODE_9])
    found = alive.dead(notebook_of(quiet, tmp_path, NAME))
    assert found == [f"no later cell notices an empty __lt__ in {PREFIX}.core.node.Node.__lt__"]
    silent = cells(*[(program, "z = 3") for program in programs])
    found = alive.dead(notebook_of(silent, tmp_path, NAME))
    assert f"no later cell notices an empty run in {PREFIX}.core.engine.BackwardPass" in found
    assert len(found) == 12


def test_what_is_as_it_was_is_dead(tmp_path: Path) -> None:
    chapter_05 = [
        IMPORTS.replace("after_03", "after_04").replace("import (", "import (\n    BackwardPass,"),
        ("core.node.Node.__init__",),
        ("core.leaves.retain_grad",),
        ("core.leaves.retain",),
        ("core.engine.BackwardPass.run_node",),
        "x = tensor(5.0, requires_grad=True)\n(x * x).backward()\nx.grad",
    ]
    first = alive.dead(notebook_of(chapter_05, tmp_path, "05_growing.ipynb"))
    assert [problem.removeprefix("no later cell notices ") for problem in first] == [
        f"an empty retain_grad in {PREFIX}.core.leaves.retain_grad",
        f"an empty retain in {PREFIX}.core.leaves.retain",
        f"{PREFIX}.core.engine.BackwardPass.run_node put back to the chapter before",
    ]
    imports = chapter_05[0].replace("\nimport numpy", "import weakref\n\nimport numpy")  # type: ignore[union-attr]
    chapter_05[0] = imports
    chapter_05.append("y = x * x\ny.retain_grad()\ny.backward()\ny.grad")
    assert alive.dead(notebook_of(chapter_05, tmp_path, "05_growing.ipynb")) == []


def test_objects_of_an_older_class_are_noticed(tmp_path: Path) -> None:
    draft = "class Node(Node):\n    pass\nedge = gradient_edge(tensor(1.0, requires_grad=True))\n"
    draft += "mine = Node()\nclass Node(Node):\n    pass"
    lines = cells((("core.node.AccumulateGrad.backward",), draft), (CODE_9, ""), ("score()", ""))
    found = alive.dead(notebook_of(lines, tmp_path, NAME))
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


def test_a_machine_that_is_busy_is_not_what_a_page_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alive, "SECONDS", 0.2)
    page = [alive.Cell("", True, 0.0), alive.Cell("1\n", True, 0.0)]
    assert not alive.noticed(["import time; time.sleep(0.5)", "1"], 0, page)


def test_what_a_page_switches_does_not_reach_the_next() -> None:
    cells = [
        "import gc, tracemalloc\nimport matplotlib.pyplot as plt",
        "print(gc.isenabled(), tracemalloc.is_tracing(), plt.get_fignums())",
        "gc.disable()\ntracemalloc.start()\nplt.figure()\nraise ValueError",
    ]
    assert list(alive.shown(cells))[1] == list(alive.shown(cells))[1] == "True False []\n"
    started = alive.shown(cells)
    assert [next(started) for _ in cells][2] == "ValueError: \n"
    del started  # left before its end, as where a change is noticed
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
