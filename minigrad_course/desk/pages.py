"""What nbconvert does not do for a notebook's web page.

When JupyterLab, started by `minigrad-course lab`, exports a page, `Pages` makes links between
chapters lead to pages instead of notebooks. `Folds` and the template `course` hide two things until
the reader opens them: what follows a prediction, up to the next heading, and the code of a folded
cell. `tools/website.py` does the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

from minigrad_course.kernel.cell_order import TITLE

CHAPTER_LINK = re.compile(r"(\]\(\s*<?|^\[[^\]]+\]:\s*|href=[\"'])(\d\d_\w+)\.ipynb", re.MULTILINE)

INSTALL = "install"  # the tag of the cell that installs the course, which no page shows
ASKS = re.compile(r"^predict\(", re.MULTILINE)
FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(?=#{1,6} )", re.MULTILINE)
BEGIN = '<details class="minigrad-fold"><summary>Open this once you have answered.</summary>'
END = "</details>"


class Pages(Preprocessor):  # type: ignore[misc]
    """Makes links to chapters lead to their pages."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, index: int
    ) -> tuple[NotebookNode, Any]:
        """Rewrite the links of a Markdown cell."""
        if cell.cell_type == "markdown":
            cell.source = CHAPTER_LINK.sub(r"\1\2.html", cell.source)
        return cell, resources


class Folds(Preprocessor):  # type: ignore[misc]
    """Splits prose at headings, and marks the cells after which a fold begins or ends.

    A cell whose code is hidden gets its title as metadata, and keeps its code alone.

    A second question before the next heading is folded along with the rest. A section that begins
    right after a question is folded too, because it has the answer.
    """

    def preprocess(self, notebook: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Put the HTML that begins and ends folds into the metadata of the cells before it."""
        shown = (cell for cell in notebook.cells if INSTALL not in cell.metadata.get("tags", []))
        cells = [part for cell in shown for part in parts(cell)]
        open_ones = 0
        for cell, after in zip(cells, [*cells[1:], None], strict=True):
            folds = []
            if cell.cell_type == "code":
                cell.metadata["title"], cell.source = opened(cell)
            asks = cell.cell_type == "code" and bool(ASKS.search(cell.source))
            if asks:
                folds.append(BEGIN)
                open_ones += 1
            if after is None or (begins_section(after) and not asks):
                folds += [END] * open_ones
                open_ones = 0
            if folds:
                cell.metadata["folds"] = folds
        notebook.cells = cells
        return notebook, resources


def opened(cell: NotebookNode) -> tuple[str, str]:
    """The title of a cell whose code is hidden, and the code below it; any other has no title."""
    found = TITLE.match(cell.source)
    hidden = cell.metadata.get("jupyter", {}).get("source_hidden", False)
    if not (hidden and found):
        return "", cell.source
    return found[1], cell.source[found.end() :]


def begins_section(cell: NotebookNode) -> bool:
    """Whether a cell begins with a heading."""
    return cell.cell_type == "markdown" and bool(HEADING.match(cell.source))


def parts(cell: NotebookNode) -> Iterator[NotebookNode]:
    """The cell itself, or the parts into which its headings split its prose."""
    if cell.cell_type != "markdown":
        yield cell
        return
    texts = [""]
    for number, text in enumerate(FENCE.split(cell.source)):
        first, *others = [text] if number % 2 else HEADING.split(text)  # no headings in code
        texts[-1] += first
        texts += others
    for number, text in enumerate(text for text in texts if text.strip()):
        id = f"{cell.id}-{number}" if number else cell.id
        yield NotebookNode({**cell, "id": id, "source": text, "metadata": {**cell.metadata}})
