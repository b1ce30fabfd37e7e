"""Plots have alternative texts, and exported pages link to pages and name every picture."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from nbclient import NotebookClient
from nbconvert import HTMLExporter
from nbformat import v4

mpl.use("Agg")

import matplotlib.pyplot as plt
from IPython.core.formatters import DisplayFormatter
from matplotlib.figure import Figure

from minigrad_course.desk import ipynb, pages
from minigrad_course.pictures.plots import with_alt_text, with_whole_ticks, words


@pytest.fixture(autouse=True)
def figures() -> Iterator[None]:
    yield
    plt.close("all")


def test_alt_text_of_bars_has_their_names() -> None:
    figure, axes = plt.subplots()
    axes.barh(["draft 1", "draft 2"], [3, 4])
    axes.set_xlabel("calls")
    assert words(figure) == "Plot. Across: calls. Up: draft 1; draft 2."


def ticks(figure: Any) -> list[float]:
    figure.canvas.draw()
    return list(figure.axes[0].get_xticks())


def test_an_axis_of_whole_numbers_has_no_ticks_between_them() -> None:
    figure, axes = plt.subplots(figsize=(6.5, 2.6))
    axes.plot(range(4), [0.5, 0.7, 0.1, 0.2])
    assert not all(map(float.is_integer, ticks(figure)))
    with_whole_ticks(axes)
    assert all(map(float.is_integer, ticks(figure)))
    figure, axes = plt.subplots(figsize=(6.5, 2.6))
    axes.plot([0.0, 0.5, 1.0], [1, 2, 3])
    with_whole_ticks(axes)
    assert not all(map(float.is_integer, ticks(figure)))


def test_a_plot_is_an_image_with_an_alt_text() -> None:
    formatter = DisplayFormatter()
    png = formatter.formatters["image/png"]
    png.for_type(Figure, lambda figure: "AAAA\n")
    figure, axes = plt.subplots()
    axes.set_title("a < b")
    shown = with_alt_text(figure, formatter)
    assert shown["text/plain"] == "Plot: a < b."
    assert shown["text/html"].startswith(
        '<img alt="Plot: a &lt; b." src="data:image/png;base64,iVBOR'
    )
    assert png(figure) is None


def test_a_legend_hides_no_data() -> None:
    """It moves beside the last plot, unless the code has placed it outside itself."""
    figure, panels = plt.subplots(1, 2)
    panels[0].plot([1, 2], label="here")
    panels[0].legend(loc="lower left")
    panels[1].plot([1, 2], label="there")
    own = panels[1].legend(loc="lower center", bbox_to_anchor=(0.5, 1))
    before = own.get_bbox_to_anchor().bounds
    with_alt_text(figure, DisplayFormatter())
    figure.canvas.draw()
    moved = panels[0].get_legend().get_window_extent()
    assert all(moved.x0 >= axes.get_window_extent().x1 for axes in panels)
    assert own.get_bbox_to_anchor().bounds == before


def test_page(tmp_path: Path) -> None:
    prose = """
        # Links
        [a](04_backward.ipynb#The-puzzle) [b](<04_backward.ipynb>) <a href="04_backward.ipynb">c</a>
        [d](../benchmarks/README.md) [e](https://example.org/04_backward.ipynb) [f](other.ipynb)
    """
    code = """
        import matplotlib.pyplot as plt
        import minigrad_course
        from minigrad import tensor
        from minigrad.viz import draw
        plt.plot([1, 2], label="a < b")
        plt.legend()
        plt.show()
        draw(tensor(1.0))
    """
    cells = [v4.new_markdown_cell(unindented(prose)), v4.new_code_cell(unindented(code))]
    notebook = v4.new_notebook(cells=cells)
    NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    plot, _ = notebook.cells[1].outputs
    assert plot.data["text/plain"] == "Plot. Showing: a < b."
    file = tmp_path / "05_links.ipynb"
    file.write_text(ipynb.as_text(notebook), encoding="utf-8")

    text, _ = HTMLExporter(preprocessors=[pages.Pages]).from_filename(str(file))
    assert text.count('href="04_backward.html"') == 2
    assert 'href="04_backward.html#The-puzzle"' in text
    assert 'href="../benchmarks/README.md"' in text
    assert 'href="https://example.org/04_backward.ipynb"' in text
    assert 'href="other.ipynb"' in text  # no chapter, so no page
    assert 'alt="Plot. Showing: a &lt; b."' in text
    assert text.count("<img") == text.count("<img alt=") + text.count('<img style="') == 2
    assert "No description" not in text


def unindented(text: str) -> str:
    return "\n".join(line.strip() for line in text.strip().split("\n"))
