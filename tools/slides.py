"""Write the notebooks as slides: `python tools/slides.py [00 03 …]` fills the folder `slides`.

Each chapter is a deck that nbconvert writes for reveal.js. Decks need no network: open
`slides/index.html` in a browser. Space goes on, the arrows up and down scroll a long slide, the key
S opens the notes for the speaker with the slide that comes next, O shows all slides.

A section of the chapter is a slide, an exercise one below it; all else comes by a click, cell by
cell, so that a prediction is seen before what answers it. A cell's `slide_type` (in JupyterLab's
Property Inspector) has the last word: "slide" begins a slide, "subslide" one below it, "fragment"
comes by a click, "-" comes with the cell before, "skip" is left out, and "notes" is for the
speaker.
`tools/slideshow` holds the template and what is needed of reveal.js 5.2.1 (MIT).
"""

from __future__ import annotations

import argparse
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from nbconvert import SlidesExporter
from nbformat import NotebookNode
from traitlets.config import Config

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tools import notebooks  # noqa: E402
from tools.pages import Pages  # noqa: E402

FOLDER = ROOT / "slides"
REVEAL = ROOT / "tools" / "slideshow" / "reveal"
SETTINGS = {
    "extra_template_basedirs": [str(ROOT / "tools")],
    "template_name": "slideshow",
    "reveal_url_prefix": "reveal",
    "reveal_theme": "course",
    "preprocessors": [Pages],
    "exclude_input_prompt": True,
    "exclude_output_prompt": True,
}
SECTION = re.compile(r"^(?=## )", re.MULTILINE)
TASK = re.compile(r"\*\*\d\d\.\d+\*\*")


def typed(notebook: NotebookNode) -> NotebookNode:
    """The notebook with a slide type for every cell."""
    cells = [part for cell in notebook.cells for part in parts(cell)]
    return NotebookNode({**notebook, "cells": cells})


def parts(cell: NotebookNode) -> Iterator[NotebookNode]:
    """The cell with its type; prose without one is parted before the headings of sections."""
    if cell.metadata.get("slideshow", {}).get("slide_type"):
        yield cell
        return
    sources = [cell.source]
    if cell.cell_type == "markdown":
        lines = [line for line in cell.source.split("\n") if notebooks.NAV_MARK not in line]
        sources = SECTION.split("\n".join(lines))
    for number, source in enumerate(sources):
        if source.strip():
            slideshow = {"slide_type": slide_type(cell, source)}
            metadata = NotebookNode({**cell.metadata, "slideshow": NotebookNode(slideshow)})
            id = f"{cell.id}-{number}" if number else cell.id
            yield NotebookNode({**cell, "id": id, "source": source, "metadata": metadata})


def slide_type(cell: NotebookNode, source: str) -> str:
    """The rule for a cell, or a part of one, without a type of its own."""
    if cell.cell_type == "markdown" and SECTION.match(source):
        return "slide"
    if cell.cell_type == "markdown" and TASK.match(source):
        return "subslide"
    stub = cell.metadata.get("nbgrader", {}).get("solution")
    return "-" if stub else "fragment"  # the stub of an exercise comes with its task


def deck(notebook: NotebookNode, title: str) -> str:
    """The page that shows the notebook as slides."""
    exporter = SlidesExporter(config=Config(SlidesExporter=Config(SETTINGS)))
    html, _ = exporter.from_notebook_node(typed(notebook), {"metadata": {"name": title}})
    return str(html)


def write(files: Sequence[Path], folder: Path = FOLDER) -> list[Path]:
    """Write the decks of the notebooks `files`, what they need, and a page that leads to them."""
    shutil.copytree(REVEAL, folder / "reveal", dirs_exist_ok=True)
    titles = notebooks.titles(notebooks.NOTEBOOKS)
    written = []
    for file in files:
        place = folder / f"{file.stem}.html"
        html = deck(notebooks.read(file), titles[file.name])
        place.write_text(html, encoding="utf-8", newline="\n")
        written.append(place)
    index = folder / "index.html"
    index.write_text(contents(titles, folder), encoding="utf-8", newline="\n")
    return [*written, index]


def contents(titles: dict[str, str], folder: Path) -> str:
    """A page that leads to the decks that are in `folder`."""
    decks = {name.replace(".ipynb", ".html"): escape(title) for name, title in titles.items()}
    there = [name for name in decks if (folder / name).exists()]
    links = "\n".join(f'<li><a href="{name}">{decks[name]}</a></li>' for name in there)
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>minigrad: the slides</title>
<body style="font: 24px/1.6 Arial, sans-serif; margin: 2em auto; max-width: 30em">
<h1>minigrad: the slides</h1>
<ul style="list-style: none; padding: 0">
{links}
</ul>
</body>
</html>
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Write the notebooks as slides.")
    parser.add_argument("chapters", nargs="*", help="numbers, as in 03 (all, if none is given)")
    wanted = parser.parse_args(arguments).chapters
    known = {file.name[:2]: file for file in notebooks.chapters()}
    if unknown := [number for number in wanted if number not in known]:
        parser.error(f"no chapter {', '.join(unknown)}; there are {', '.join(known)}")
    for place in write([known[number] for number in wanted] or list(known.values())):
        print(place.relative_to(ROOT))


if __name__ == "__main__":
    main()
