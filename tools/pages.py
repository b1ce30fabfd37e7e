"""What a notebook's web page needs and nbconvert leaves undone.

JupyterLab, as `tools/lab.py` starts it, exports pages with `Pages`: a link to another chapter leads
to its page, not to the notebook, and a plot has its words as alternative text. `Folds` and the
template `course` fold what follows a prediction, up to the next heading, until the reader opens it.
The website (`tools/website.py`) does both as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

CHAPTER_LINK = re.compile(r"(\]\(\s*<?|^\[[^\]]+\]:\s*|href=[\"'])(\d\d_\w+)\.ipynb", re.MULTILINE)

ASKS = re.compile(r"^predict\(", re.MULTILINE)
FENCE = re.compile(r"(^```.*?^```)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^(?=#{1,6} )", re.MULTILINE)
BEGIN = '<details class="minigrad-fold"><summary>Open it when you have answered.</summary>'
END = "</details>"


class Pages(Preprocessor):  # type: ignore[misc]
    """Makes of a notebook what its page is written from."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, index: int
    ) -> tuple[NotebookNode, Any]:
        """Rewrite the links of a Markdown cell."""
        if cell.cell_type == "markdown":
            cell.source = CHAPTER_LINK.sub(r"\1\2.html", cell.source)
        return cell, resources


class Folds(Preprocessor):  # type: ignore[misc]
    """Parts prose at headings, and says after which cell something is folded and where that ends.

    A question after a question, with no heading between them, is folded with the rest. So is a
    section that begins right after a question, for it holds the answer.
    """

    def preprocess(self, notebook: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        """Give cells `folds` in their metadata: the HTML that follows them."""
        cells = [part for cell in notebook.cells for part in parts(cell)]
        open_ones = 0
        for cell, after in zip(cells, [*cells[1:], None], strict=True):
            folds = []
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


def begins_section(cell: NotebookNode) -> bool:
    """Whether a cell begins with a heading."""
    return cell.cell_type == "markdown" and bool(HEADING.match(cell.source))


def parts(cell: NotebookNode) -> Iterator[NotebookNode]:
    """The cell; prose in parts, of which each but the first begins with a heading."""
    if cell.cell_type != "markdown":
        yield cell
        return
    texts = [""]
    for number, text in enumerate(FENCE.split(cell.source)):
        first, *others = [text] if number % 2 else HEADING.split(text)  # a fence has no heading
        texts[-1] += first
        texts += others
    for number, text in enumerate(text for text in texts if text.strip()):
        id = f"{cell.id}-{number}" if number else cell.id
        yield NotebookNode({**cell, "id": id, "source": text, "metadata": {**cell.metadata}})
