"""What a notebook's web page needs and nbconvert leaves undone.

JupyterLab, as `tools/lab.py` starts it, exports pages with `Pages`: a link to another chapter leads
to its page, not to the notebook, and a plot has its words as alternative text. The website
(`tools/website.py`) gives plots their words as well.
"""

from __future__ import annotations

import html
import re
from typing import Any

from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

CHAPTER_LINK = re.compile(r"(\]\(\s*<?|^\[[^\]]+\]:\s*|href=[\"'])(\d\d_\w+)\.ipynb", re.MULTILINE)


class Pages(Preprocessor):  # type: ignore[misc]
    """Makes of a notebook what its page is written from."""

    def preprocess_cell(
        self, cell: NotebookNode, resources: Any, index: int
    ) -> tuple[NotebookNode, Any]:
        """Turn links into links between pages, and plots into images that say what they show."""
        if cell.cell_type == "markdown":
            cell.source = CHAPTER_LINK.sub(r"\1\2.html", cell.source)
        for output in cell.get("outputs", []):
            with_words(output)
        return cell, resources


def with_words(output: NotebookNode) -> None:
    """Turn a plot into an image that has its words as alternative text."""
    data = output.get("data", {})
    if "image/png" in data:
        picture = data.pop("image/png").replace("\n", "")
        alt = html.escape(data["text/plain"].replace("\n", "; "))
        data["text/html"] = f'<img alt="{alt}" src="data:image/png;base64,{picture}">'
