"""Write the notebooks as web pages: `python tools/pages.py [notebooks]` fills the folder `html`.

It is `jupyter nbconvert --to html`, and what that leaves undone: a link to another chapter leads to
its page, not to the notebook, and a plot has its words as alternative text.
"""

from __future__ import annotations

import argparse
import html
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nbconvert import HTMLExporter
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tools import notebooks  # noqa: E402

FOLDER = ROOT / "html"
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
            data = output.get("data", {})
            if "image/png" in data:
                picture = data.pop("image/png").replace("\n", "")
                alt = html.escape(data["text/plain"].replace("\n", "; "))
                data["text/html"] = f'<img alt="{alt}" src="data:image/png;base64,{picture}">'
        return cell, resources


def page(file: Path) -> str:
    """The page of the notebook in `file`."""
    exporter = HTMLExporter(preprocessors=[Pages])
    text, _ = exporter.from_filename(str(file))
    return str(text)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Write the notebooks as web pages.")
    parser.add_argument("files", nargs="*", type=Path, help="notebooks (all, if none is named)")
    FOLDER.mkdir(exist_ok=True)
    for file in parser.parse_args(arguments).files or notebooks.chapters():
        place = FOLDER / f"{file.stem}.html"
        place.write_text(page(file), encoding="utf-8", newline="\n")
        print(place.relative_to(ROOT))


if __name__ == "__main__":
    main()
