"""Folded `lib:` cells: what they show while closed, and that a chapter runs without them."""

from __future__ import annotations

import re
from pathlib import Path

from jupyter_client.blocking.client import BlockingKernelClient
from nbformat import NotebookNode, v4

from minigrad_course.desk import pages
from tests.course.kernels import agree, errors, kernel, run, texts
from tests.course.rules import code_cells, is_folded
from tests.course.test_folds import page
from tools import notebooks, slides

RETAIN = "lib:minigrad.core.leaves._retain"
RUN_NODE = "lib:minigrad.core.engine.BackwardPass.run_node"
# Otherwise each error would have a note that folded cells have not run.
NO_NOTES = "from minigrad_course.kernel.page import Page; Page.skipped = lambda *_: []; del Page"
SCORE = re.compile(r"^score\(\)", re.MULTILINE)


# --- without folded cells -------------------------------------------------------------------------


def without_folded(notebook: NotebookNode, client: BlockingKernelClient) -> list[str]:
    """Run the cells that are not folded in a new kernel; say which fail, or print something else.

    A cell that prints something else has the reason in its metadata: `"without_folded": "…"`.
    """
    wrong = []
    client.execute(NO_NOTES, silent=True)
    for cell in code_cells(notebook):
        if is_folded(cell) or SCORE.search(cell.source):
            continue
        now = run(client, cell.source)
        same, said = agree(now, cell), bool(cell.metadata.get("without_folded"))
        if failed := errors(now):
            wrong.append(f"{cell.id}: {failed}")
        elif not same and not said:
            wrong.append(f"{cell.id} prints {texts(now)}, not {texts(cell)}: say why")
        elif same and said:
            wrong.append(f"{cell.id} prints the same, so there is nothing to explain")
    return wrong


def test_cells_that_need_a_folded_one_are_noticed(tmp_path: Path) -> None:
    def cell(source: str, shown: str = "", **metadata: object) -> NotebookNode:
        outputs = [v4.new_output("stream", text=shown)] if shown else []
        return v4.new_code_cell(source, outputs=outputs, metadata=metadata)

    why = "the small version adds 1"
    cells = [
        cell("def f(): return 1", tags=["lib:small"]),
        cell("def f(): return 2\nh = f", tags=["lib:f", "folded"]),
        cell("print(f())", "2\n", without_folded=why),
        cell("print(f() + 1)", "3\n"),
        cell("print('same')", "same\n", without_folded=why),
        cell("h()"),
        cell("score()", "the score"),
    ]
    with kernel(tmp_path) as client:
        wrong = without_folded(v4.new_notebook(cells=cells), client)
    assert wrong == [
        f"{cells[3].id} prints ['2\\n'], not ['3\\n']: say why",
        f"{cells[4].id} prints the same, so there is nothing to explain",
        f"{cells[5].id}: NameError: name 'h' is not defined",
    ]


# --- the title ------------------------------------------------------------------------------------


def synced(*tags: str, **metadata: object) -> NotebookNode:
    """A `lib:` cell of chapter 05 as `sync` leaves it."""
    cell = v4.new_code_cell("", metadata={"tags": [*tags], **metadata})
    notebook = v4.new_notebook(cells=[cell])
    notebooks.sync(notebook, notebooks.NOTEBOOKS / "05_leaves.ipynb")
    notebooks.clean(notebook)
    return cell


def test_a_folded_cell_has_a_title_above_the_same_code() -> None:
    plain, folded = synced(RETAIN, RUN_NODE), synced(RETAIN, RUN_NODE, "folded")
    lines = len(plain.source.splitlines())
    title = f"Run the library's _retain and BackwardPass.run_node ({lines} lines)"
    assert folded.source == f"# @title {title}\n{plain.source}"
    assert folded.metadata.jupyter == {"source_hidden": True}
    assert folded.metadata.cellView == "form"
    assert pages.opened(folded) == (title, plain.source)
    assert pages.opened(plain) == ("", plain.source)


def test_a_cell_that_is_no_longer_tagged_is_shown() -> None:
    jupyter = {"source_hidden": True, "outputs_hidden": True}
    cell = synced(RETAIN, jupyter=jupyter, cellView="form")
    assert cell.metadata.jupyter == {"outputs_hidden": True}
    assert "cellView" not in cell.metadata
    assert "@title" not in cell.source


# --- pages and slides -----------------------------------------------------------------------------


def chapter_with_a_fold() -> NotebookNode:
    shown = [v4.new_markdown_cell("# Leaves"), synced(RUN_NODE), synced(RETAIN, "folded")]
    return v4.new_notebook(cells=shown)


def test_a_page_opens_the_code_of_a_folded_cell() -> None:
    (fold,) = page(chapter_with_a_fold()).select("details.minigrad-definition")
    summary = fold.find("summary")
    assert summary is not None
    assert summary.get_text().startswith("Run the library's _retain")
    assert "def _retain" in fold.get_text()
    assert "@title" not in fold.get_text()
    assert not fold.has_attr("open")


def test_slides_leave_a_folded_cell_out() -> None:
    html = slides.deck(chapter_with_a_fold(), "Leaves")
    assert "BackwardPass" in html
    assert "_retain" in html  # which run_node calls
    assert "def _retain" not in re.sub("<[^>]+>", "", html)
