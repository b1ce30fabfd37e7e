"""Write lectures and chapters as slides: `python tools/slides.py` fills the folder `slides`.

    python tools/slides.py                   # everything
    python tools/slides.py lectures/03 03    # the third lecture and chapter 03
    python tools/slides.py lectures          # all lectures

nbconvert writes each as a deck for reveal.js, which needs no network: open `slides/index.html` in a
browser. Space advances, the up and down arrows scroll a long slide, S opens the speaker's notes
with a preview of the next slide, and O shows all slides. With `?print-pdf` after the address of a
deck, the browser prints it.

The notebooks in `lectures` are written as slides: each cell has its `slide_type`, and the notes of
a slide begin with its minutes. The first cell of a slide is its heading, and two more appear side
by side. A cell's output takes a click of its own, so the audience votes before it sees the result,
and an answer that ends in ✓ is marked as the right one by the last click of its slide. The tag
`no-input` hides a cell's code, and a line of code that ends in `# ←` is highlighted.

A chapter is split into slides by a rule. Each section is a slide and each exercise a slide below
it; everything else appears cell by cell, one click each, so a prediction is seen before its answer.
Folded cells are left out.
A cell's own `slide_type` (in JupyterLab's Property Inspector) overrides the rule: "slide" begins a
slide, "subslide" one below it, "fragment" takes a click, "-" appears with the cell before, "skip"
is left out, and "notes" is for the speaker.
`tools/slideshow` holds the template and the files of reveal.js 5.2.1 (MIT) that it needs.
"""

from __future__ import annotations

import argparse
import re
import shutil
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from nbconvert import SlidesExporter
from nbconvert.preprocessors import TagRemovePreprocessor
from nbformat import NotebookNode
from traitlets.config import Config

from minigrad_course.desk import ipynb
from minigrad_course.desk.pages import Pages
from minigrad_course.kernel.places import ROOT
from tools import notebooks

FOLDER = ROOT / "slides"
LECTURES = ROOT / "lectures"
TEMPLATE = ROOT / "tools" / "slideshow"
REVEAL = TEMPLATE / "reveal"
SETTINGS = {
    "extra_template_basedirs": [str(ROOT / "tools")],
    "template_name": "slideshow",
    "reveal_url_prefix": "reveal",
    "preprocessors": [Pages, TagRemovePreprocessor],
    "exclude_input_prompt": True,
    "exclude_output_prompt": True,
}
SECTION = re.compile(r"^(?=## )", re.MULTILINE)
TASK = re.compile(r"\*\*\d\d\.\d+\*\*")
MINUTES = re.compile(r"\*\*(\d+) minutes?\.\*\*")
# A line of highlighted code that ends in the mark; before a cell's first line there is HTML.
MARKED = re.compile(
    r"""^(<div class="highlight.*?<pre>(?:<span></span>)?)?(.*?)\s*<span class="c1"># ←</span>$""",
    re.MULTILINE,
)
# An answer to vote for that is right.
RIGHT = re.compile(r"<p>(<strong>[A-Z]</strong> [^\n]*) ✓</p>")


def typed(notebook: NotebookNode) -> NotebookNode:
    """The notebook with a slide type for every cell."""
    cells = [part for cell in notebook.cells for part in parts(cell)]
    return NotebookNode({**notebook, "cells": cells})


def parts(cell: NotebookNode) -> Iterator[NotebookNode]:
    """The cell with its type; prose that has no type is split before the headings of sections."""
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
    """The type that the rule gives a cell, or a part of one, that has none."""
    if notebooks.FOLDED in ipynb.tags(cell):
        return "skip"
    if cell.cell_type == "markdown" and SECTION.match(source):
        return "slide"
    if cell.cell_type == "markdown" and TASK.match(source):
        return "subslide"
    stub = cell.metadata.get("nbgrader", {}).get("solution")
    return "-" if stub else "fragment"  # an exercise's stub appears with its text


def minutes(cell: NotebookNode) -> int:
    """The minutes at the beginning of a speaker's note; 0 for any other cell."""
    told = MINUTES.match(cell.source)
    notes = cell.metadata.get("slideshow", {}).get("slide_type") == "notes"
    return int(told[1]) if notes and told else 0


def deck(notebook: NotebookNode, title: str, theme: str = "course") -> str:
    """The page that shows the notebook as slides."""
    settings = Config(
        SlidesExporter=Config({**SETTINGS, "reveal_theme": theme}),
        TagRemovePreprocessor=Config(enabled=True, remove_input_tags={"no-input"}),
    )
    exporter = SlidesExporter(config=settings)
    html, _ = exporter.from_notebook_node(typed(notebook), {"metadata": {"name": title}})
    html = RIGHT.sub(r'<p class="right fragment custom">\1</p>', html)
    return MARKED.sub(r"\1<mark>\2</mark>", html)


def write(files: Sequence[Path], folder: Path = FOLDER) -> list[Path]:
    """Write the decks of the notebooks `files`, reveal.js, and a page with links to all decks."""
    shutil.copytree(REVEAL, folder / "reveal", dirs_exist_ok=True)
    written = []
    for file in files:
        place = deck_of(file, folder)
        theme = "lecture" if file.parent == LECTURES else "course"
        html = deck(ipynb.read(file), notebooks.titles(file.parent)[file.name], theme)
        place.write_text(html, encoding="utf-8", newline="\n")
        written.append(place)
    index = folder / "index.html"
    index.write_text(contents(folder), encoding="utf-8", newline="\n")
    return [*written, index]


def contents(folder: Path) -> str:
    """A page with links to the decks in `folder`, lectures first."""
    lists = ""
    for heading, place in (("Lectures", LECTURES), ("Chapters", notebooks.NOTEBOOKS)):
        there = [file for file in ipynb.chapters(place) if deck_of(file, folder).exists()]
        links = "\n".join(f"<li>{link(file)}</li>" for file in there)
        if there:
            lists += f"<h2>{heading}</h2>\n<ul>\n{links}\n</ul>\n"
    page = (TEMPLATE / "contents.html").read_text(encoding="utf-8")
    return page.replace("<!-- decks -->", lists)


def deck_of(file: Path, folder: Path) -> Path:
    """The file of a notebook's deck."""
    return folder / f"{file.stem}.html"


def link(file: Path) -> str:
    """A link to a notebook's deck, with the minutes if it is a lecture."""
    title = escape(notebooks.titles(file.parent)[file.name])
    length = sum(minutes(cell) for cell in ipynb.read(file).cells)
    told = f" <span>{length} minutes</span>" if length else ""
    return f'<a href="{file.stem}.html">{title}</a>{told}'


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description="Write the notebooks as slides.")
    says = "03 for a chapter, lectures/03 for a lecture, lectures for all of them; all, if none"
    parser.add_argument("wanted", nargs="*", help=says)
    wanted = parser.parse_args(arguments).wanted
    known = {"lectures": ipynb.chapters(LECTURES)}
    known |= {f"lectures/{file.name[:2]}": [file] for file in known["lectures"]}
    known |= {file.name[:2]: [file] for file in ipynb.chapters()}
    if unknown := [name for name in wanted if name not in known]:
        parser.error(f"there is no {', '.join(unknown)}, but there are {', '.join(known)}")
    files = [file for name in wanted or known for file in known[name]]
    for place in write(list(dict.fromkeys(files))):
        print(place.relative_to(ROOT))


if __name__ == "__main__":
    main()
