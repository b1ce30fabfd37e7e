"""On web pages, everything from a prediction to the next heading is folded."""

from __future__ import annotations

from pathlib import Path

from bs4 import BeautifulSoup
from nbconvert import HTMLExporter
from nbformat import NotebookNode, v4

from minigrad_course.desk import ipynb, pages
from minigrad_course.kernel import places
from tests.course.rules import PREDICT_CALL

TEMPLATES = places.JUPYTER / "nbconvert" / "templates"


def page(notebook: NotebookNode) -> BeautifulSoup:
    """The page as JupyterLab, started by `make lab`, exports it."""
    exporter = HTMLExporter(
        preprocessors=[pages.Pages, pages.Folds],
        template_name="course",
        extra_template_basedirs=[str(TEMPLATES)],
    )
    html, _ = exporter.from_notebook_node(notebook)
    return BeautifulSoup(html, "html.parser")


def test_what_follows_each_prediction_is_folded(chapter: Path) -> None:
    notebook = ipynb.read(chapter)
    asked = [id for cell in notebook.cells for id in PREDICT_CALL.findall(cell.source)]
    folded, _ = pages.Folds().preprocess(notebook, {})
    marks = [mark for cell in folded.cells for mark in cell.metadata.get("folds", [])]
    assert marks.count(pages.BEGIN) == marks.count(pages.END) == len(asked) > 0


def test_a_fold_ends_before_the_next_heading() -> None:
    fence = "It prints that.\n\n```\n# no heading\n```\n\n## Next\n\nMore."
    cells = [
        v4.new_markdown_cell("# Title\n\nBefore."),
        v4.new_code_cell('predict("99.a")'),
        v4.new_code_cell("first"),
        v4.new_code_cell('predict("99.b")'),
        v4.new_code_cell("second"),
        v4.new_markdown_cell(fence),
        v4.new_code_cell("third"),
    ]
    shown = page(v4.new_notebook(cells=cells)).main
    outer, inner = shown.select("details.minigrad-fold")
    assert inner.find_parent("details") is outer
    assert "first" in outer.get_text()
    assert "first" not in inner.get_text()
    assert "second" in inner.get_text()
    assert "no heading" in inner.get_text()
    assert all(text in shown.get_text() for text in ("Before.", "More.", "third"))
    assert not any(text in outer.get_text() for text in ("Before.", "Next", "More.", "third"))


def test_a_section_right_after_a_prediction_is_folded() -> None:
    cells = [
        v4.new_code_cell('predict("99.a")'),
        v4.new_markdown_cell("## Two programs\n\nFirst.\n\n## Next\n\nSecond."),
    ]
    (fold,) = page(v4.new_notebook(cells=cells)).select("details.minigrad-fold")
    assert "First." in fold.get_text()
    assert "Second." not in fold.get_text()


def test_a_page_without_predictions_has_no_folds() -> None:
    cells = [v4.new_code_cell("1 + 1"), v4.new_markdown_cell("text")]
    assert not page(v4.new_notebook(cells=cells)).select(".minigrad-fold")
