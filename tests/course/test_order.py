"""An error from the order of cells is explained, and does not make a right answer wrong."""

from __future__ import annotations

import re

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from nbformat import NotebookNode

from minigrad_course.ask.checking import Verdict, judge
from minigrad_course.ask.declare import EXERCISES, load
from minigrad_course.desk import ipynb
from minigrad_course.kernel.cell_order import ORDER, Cell, Order
from minigrad_course.kernel.explain import reasons
from minigrad_course.kernel.page import Page, page_cells, page_of
from tests.course.kernels import errors, kernel, run
from tests.course.rules import code_cells
from tools import notebooks

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
STAGE = "from minigrad_course.after_03 import Tensor, method_of\n"
CELLS = [
    ("markdown", [], "# Fourth\n\n## First steps"),
    ("code", [], STAGE),
    ("code", [], "x = 1\n"),
    ("markdown", [], "text\n\n## The engine"),
    ("code", ["lib:minigrad.core.tensor.Tensor.show"], "@method_of(Tensor)\ndef show(self): ..."),
    (
        "code",
        ["lib:minigrad.core.engine.follow", "lib:minigrad.core.engine.go"],
        "def follow(): ...",
    ),
    ("markdown", [], "## Below"),
    ("code", [], "use(x)\n"),
    ("code", [], "later = 2\n"),
]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> Page:
    """A small chapter, whose cells have the ids c0, c1, …"""
    return page_with(monkeypatch, *CELLS)


def page_with(monkeypatch: pytest.MonkeyPatch, *cells: tuple[str, list[str], str]) -> Page:
    """A chapter 04 with these cells, each with its kind, tags and source."""
    stored = (
        {"cell_type": kind, "metadata": {"tags": tags}, "source": [source], "id": f"c{number}"}
        for number, (kind, tags, source) in enumerate(cells)
    )
    found = Page(4, tuple(page_cells(stored)))
    monkeypatch.setattr(
        "minigrad_course.kernel.page.read", lambda chapter: found if chapter == 4 else None
    )
    return found


def ran(*sources: str, running: str = "use(x)\n") -> Order:
    order = Order()
    for source in [STAGE, *sources]:
        order.end(Cell(source), succeeded=True)
    order.running = Cell(running)
    return order


def source(number: int) -> str:
    return CELLS[number][2]


def test_a_build_cell_that_has_not_run_is_named(page: Page) -> None:
    found = reasons(TypeError("odd"), ran(source(2), source(4)))
    assert found[0] == "`follow` and `go` are built in *The engine*, but that cell has not run yet."
    assert found[1:] == ["To fix this, choose Run > Run All Above Selected Cell."]
    assert reasons(TypeError("odd"), ran(source(2), source(4), source(5))) == []


def test_the_missing_name_is_reported_first(page: Page) -> None:
    class Tensor: ...

    found = reasons(NameError("no go", name="go"), ran(source(2)))
    assert found[0] == "`go` is built in *The engine*, but that cell has not run yet."
    assert found[1].startswith("`Tensor.show` is built in *The engine*")
    found = reasons(AttributeError("no show", name="show", obj=Tensor()), ran(source(2)))
    assert found[0].startswith("`Tensor.show` is built in")


def test_names_of_other_cells_and_of_later_chapters(page: Page) -> None:
    built = source(4), source(5)
    found = reasons(NameError("no x", name="x"), ran(*built))
    assert found[0] == "`x` is defined in *First steps*, but that cell has not run yet."
    assert reasons(NameError("no x", name="x"), ran(source(2), *built)) == []  # deleted since
    found = reasons(NameError("no later", name="later"), ran(source(2), *built))
    assert found == ["`later` is defined further down, in *Below*."]
    found = reasons(NameError("no hooks", name="call_tensor_hooks"), ran(source(2), *built))
    assert found == ["`call_tensor_hooks` is built in chapter 15; this is chapter 04."]
    refused = ImportError("cannot import name 'call_tensor_hooks' from 'minigrad_course.after_03'")
    assert reasons(refused, ran(source(2), *built)) == found
    assert reasons(NameError("no typo", name="tensr"), ran(source(2), *built)) == []


def test_a_cell_that_failed_has_not_run(page: Page) -> None:
    order = ran(source(2), source(4))
    order.end(Cell(source(5)), succeeded=False)
    assert "`follow` and `go`" in reasons(None, order)[0]


def test_a_rebuilt_class_needs_its_members_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = "class BackwardPass: ..."
    member = "@method_of(BackwardPass)\ndef run(): ..."
    page_with(
        monkeypatch,
        ("code", [], STAGE),
        ("code", ["lib:minigrad.core.engine.BackwardPass"], made),
        ("code", ["lib:minigrad.core.engine.BackwardPass.run"], member),
        ("code", [], "use()\n"),
    )
    assert reasons(TypeError("odd"), ran(made, member, running="use()\n")) == []
    found = reasons(TypeError("odd"), ran(made, member, made, running="use()\n"))
    assert found[0].startswith("`BackwardPass.run` is built in *the beginning*. Run that cell")
    assert reasons(TypeError("odd"), ran(made, member, made, member, running="use()\n")) == []


def test_an_attribute_is_not_taken_for_a_name_of_the_page(page: Page) -> None:
    """`entry.later()` has nothing to do with the variable `later`."""
    built = source(2), source(4), source(5)
    assert reasons(AttributeError("no later", name="later", obj=()), ran(*built)) == []


def test_cells_that_the_reader_added_count(page: Page) -> None:
    mine = "def follow():\n    return 1\n\ngo = follow\n"
    assert reasons(TypeError("odd"), ran(source(4), mine)) == []
    part = "def follow():\n    return 1\n"  # its definition was added to that cell
    assert reasons(TypeError("odd"), ran(source(4), part)) == []
    edited = Order()
    for cell in (Cell(STAGE), Cell("def other(): ...", "c5"), Cell("# mine\n" + source(4), "c4")):
        edited.end(cell, succeeded=True)
    edited.running = Cell("use(x) + 1", "c7")
    assert reasons(TypeError("odd"), edited) == []


def test_only_cells_above_the_running_one_matter(page: Page) -> None:
    assert reasons(TypeError("odd"), ran(running=source(2))) == []
    assert reasons(TypeError("odd"), ran(source(2), running="a cell of the reader's")) == []
    assert reasons(TypeError("odd"), ran(source(8), running="a cell of the reader's")) != []


def test_a_folded_cell_is_called_folded_and_known_without_its_title(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = "def follow(): ..."
    titled = f"# @title Run the library's follow (1 line)\n{code}"
    page = page_with(
        monkeypatch,
        ("code", [], STAGE),
        ("code", ["lib:minigrad.core.engine.follow", "folded"], titled),
        ("code", [], "use()\n"),
    )
    found = reasons(NameError("no follow", name="follow"), ran(running="use()\n"))
    assert found[0] == (
        "`follow` is built in the folded cell of *the beginning*, but that cell has not run yet."
    )
    for edited in (code, f"#@title Mine {{ display-mode: \"form\" }}\n{code}"):
        assert page.place(Cell(edited)) == 1
        assert Cell(edited).is_same_cell(Cell(titled))
        assert reasons(TypeError("odd"), ran(edited, running="use()\n")) == []


def test_without_a_notebook_nothing_is_said() -> None:
    assert reasons(NameError("no x", name="x"), Order()) == []
    unknown = Order(running=Cell("nobody has this cell"))
    assert page_of(unknown) is None
    assert reasons(NameError("no x", name="x"), unknown) == []


def test_chapters_without_a_stage_are_known_by_their_cells() -> None:
    cells = code_cells(ipynb.read(notebooks.NOTEBOOKS / "00_start_here.ipynb"))
    found = page_of(Order(running=Cell("edited", cells[1].id)))
    assert found is not None
    assert found.chapter == 0


def test_an_answer_is_not_wrong_because_a_cell_has_not_run(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    load("04")
    monkeypatch.setattr(ORDER, "ended", ran().ended)
    monkeypatch.setattr(ORDER, "top", Cell(STAGE))
    monkeypatch.setattr(ORDER, "running", Cell("use(x)\n"))
    verdict = judge(EXERCISES["04.3"], lambda *_: undefined)  # type: ignore[name-defined]  # noqa: F821
    assert verdict.status == "waiting"
    assert "that cell has not run yet" in verdict.message
    assert "not judged" in Verdict(verdict.exercise, "waiting", "").card().text
    monkeypatch.setattr(ORDER, "ended", ran(source(2), source(4), source(5)).ended)
    assert judge(EXERCISES["04.3"], lambda *_: 3).status == "wrong"


def test_an_answer_that_uses_a_later_chapter_is_wrong(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    load("04")
    order = ran(source(2), source(4), source(5))
    monkeypatch.setattr(ORDER, "ended", order.ended)
    monkeypatch.setattr(ORDER, "top", Cell(STAGE))
    monkeypatch.setattr(ORDER, "running", order.running)
    verdict = judge(EXERCISES["04.3"], lambda z, y: y.register_hook(print))
    assert verdict.status == "wrong"


# --- in a kernel ----------------------------------------------------------------------------------


def without_run(client: BlockingKernelClient, chapter: NotebookNode) -> None:
    """Run chapter 04 as far as its engine, without the cell that builds the order of nodes."""
    for cell in code_cells(chapter):
        names = notebooks.lib_names(cell)
        if any(name.endswith("Node.__lt__") for name in names):
            continue
        run(client, cell.source)
        if any(name.endswith("engine.backward") for name in names):
            return


def test_an_error_names_the_skipped_cell_wherever_it_occurs() -> None:
    chapter = ipynb.read(notebooks.NOTEBOOKS / "04_backward.ipynb")
    load("04")
    with kernel(notebooks.NOTEBOOKS) as client:
        without_run(client, chapter)
        start = "x = tensor(2.0, requires_grad=True)\ny = x * x\n"
        note = "are built in *The engine*, but that cell has not run yet."
        for program in (
            "y.backward()",
            "replay(y)",
            "with expect_error(RuntimeError): y.backward()",
        ):
            trace = traceback(run(client, start + program))
            assert note in trace
            assert "minigrad/viz" not in trace
        assert "minigrad_course/ask/expect.py" in traceback(run(client, "%tb"), ends=False)
        answer = EXERCISES["04.3"].solution + '\ncheck("04.3", arriving_at)'
        imports = "from minigrad_course import beside_pytorch, yours\n"
        said = shown(run(client, answer))
        assert "not judged" in said
        assert note in said
        said = shown(run(client, f"{imports}beside_pytorch('code_09', library=yours())"))
        assert note in said
        said = shown(run(client, "score()"))
        assert note in said


def test_a_cell_that_cannot_be_read_shows_its_line_and_not_ipythons() -> None:
    with kernel(notebooks.NOTEBOOKS) as client:
        run(client, "import minigrad_course")
        for source, line in (("def f(x)\n    return x", "def f(x)"), ("2 = x", "2 = x")):
            trace = traceback(run(client, source))
            assert line in trace
            assert "interactiveshell" not in trace
            assert len(trace.splitlines()) < 7
        trace = traceback(run(client, "exec('x +')"))
        assert "exec('x +')" in trace  # this cell has run, so it is shown


def traceback(cell: NotebookNode, ends: bool = True) -> str:
    """The traceback that a cell shows, without colors; usually of the error that ended it."""
    assert bool(errors(cell)) or not ends
    lines = [line for one in cell.outputs if "traceback" in one for line in one.traceback]
    return COLOURS.sub("", "\n".join(lines))


def shown(cell: NotebookNode) -> str:
    """Everything that a cell shows."""
    found = [one.get("text") or one.get("data", {}).get("text/plain", "") for one in cell.outputs]
    return COLOURS.sub("", "\n".join(found))
