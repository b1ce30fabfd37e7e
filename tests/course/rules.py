"""What a chapter must be like: each rule takes a notebook and returns what is wrong with it.

The rules stand here apart from the tests so that test_rules.py can break a sample notebook on
purpose and see that each of them notices.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from urllib.parse import unquote

from nbformat import NotebookNode

from course.declare import EXERCISES, PREDICTIONS, load
from tools import notebooks

PREDICT_CALL = re.compile(r"""^predict\(\s*["'](\d\d\.[a-z])["']""", re.MULTILINE)
LEFTOVER = {
    "an absolute path": re.compile(r"(?<![\w./:<])/[\w.-]+/[\w.-]|\b[A-Z]:\\\w"),
    "a time stamp": re.compile(r"\b20\d\d-\d\d-\d\d\b|\b\d{1,2}:\d\d:\d\d\b"),
}
PICTURE = re.compile(r"<img\b")
EMBEDDED = ("data:image/png;base64,", "data:image/svg+xml;base64,")
DATA_URI = re.compile(r"data:[\w/+-]+;base64,[\w+/=]+")


# --- executed, in order, in one exact form --------------------------------------------------------


def executed(notebook: NotebookNode) -> list[str]:
    """Every cell was run, from top to bottom, and left nothing that another run would not leave."""
    wrong = []
    if notebook.metadata.get("kernelspec", {}).get("name") != "python3":
        wrong.append("the kernel is not python3")
    counts = [cell.execution_count for cell in code_cells(notebook)]
    if counts != list(range(1, len(counts) + 1)):
        wrong.append(f"execution counts are {counts}")
    for cell in code_cells(notebook):
        what = f"cell {cell.execution_count}"
        if not cell.source.strip():
            wrong.append(f"{what} is empty")
        if cell.source.rstrip().endswith(";"):
            wrong.append(f"{what} ends with ';', which mutes in JupyterLab and not in nbval")
        for output in cell.outputs:
            if output.output_type == "error" and "raises-exception" not in notebooks.tags(cell):
                wrong.append(f"{what} shows an error; use expect_error")
            if output.get("name") == "stderr":
                wrong.append(f"{what} writes to stderr (a warning?): use expect_warning")
            if without_words(output):
                wrong.append(f"{what} shows a picture without words")
            wrong += [f"{what} shows {part}" for part in hidden(output)]
        for name, pattern in LEFTOVER.items():
            if found := pattern.search(DATA_URI.sub("", shown_text(cell))):
                wrong.append(f"{what} shows {name}: {found[0]!r}")
    return wrong


def without_words(output: NotebookNode) -> bool:
    """Whether an output is a picture that says nothing to those who do not see it."""
    data = output.get("data", {})
    plot = any(kind.startswith("image/") for kind in data)
    images = re.findall(r"<img\b[^>]*>", data.get("text/html", ""))
    return (plot and data.get("text/plain", "<")[:1] == "<") or not all(
        re.search(r"""\balt=["'][^"']""", image) for image in images
    )


def hidden(output: NotebookNode) -> list[str]:
    """What GitHub hides, and JupyterLab too where it does not trust a notebook.

    A picture stays as PNG, or as an `<img>` that holds it. A script may go if a picture beside it
    stays.
    """
    html = output.get("data", {}).get("text/html", "")
    without = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
    sources = re.findall(r"""<img\b[^>]*?\bsrc=["']([^"']*)""", without)
    found = re.findall(r"<(?:canvas|embed|iframe|object|style|svg|video)\b", without)
    if "image/svg+xml" in output.get("data", {}):
        found.append("an SVG that is no <img>")
    if "<script" in html and not sources:
        found.append("a script without a picture beside it")
    if not all(source.startswith(EMBEDDED) for source in sources):
        found.append("a picture that lies elsewhere")
    return found


def in_step(file: Path) -> list[str]:
    """The file is what sync would make of it: lib: cells, navigation, metadata, ids, layout."""
    notebook = notebooks.read(file)
    before = copy.deepcopy(notebook)
    try:
        notebooks.sync(notebook, file)
    except LookupError as error:
        return [str(error)]
    wrong = [
        f"cell {index} differs from what its tags ask for ({', '.join(notebooks.tags(old))})"
        for index, (old, new) in enumerate(zip(before.cells, notebook.cells, strict=True))
        if old.source != new.source
    ]
    notebooks.clean(notebook)
    if not wrong and notebooks.as_text(notebook) != file.read_text(encoding="utf-8"):
        wrong.append("metadata, ids or layout are not as `tools/notebooks.py run` leaves them")
    return wrong


# --- anatomy ------------------------------------------------------------------------------------


# The sections of a chapter, as patterns of their headings.
AFTERWARDS = ("common mistakes", "exercises", "what you can predict now", "next")
WORKSHOP = ("puzzle", "goals", "in pytorch", *AFTERWARDS[1:])  # it has no list of mistakes
PUZZLE_FIRST = ("puzzle", "goals", "in pytorch", *AFTERWARDS)  # the first screen shows the puzzle


@dataclass(frozen=True)
class Limits:
    """Between which bounds the measures of a chapter lie; the defaults are for most chapters."""

    cells: tuple[int, int] = (35, 60)
    prose_words: tuple[int, int] = (20, 50)  # in the median prose cell; 25 to 45 is the aim
    code_lines: tuple[int, int] = (2, 7)  # in the median code cell; 3 to 6 is the aim
    pictures: tuple[int, int] = (4, 99)
    exercises: tuple[int, int] = (4, 6)
    predictions: tuple[int, int] = (3, 5)
    lib_cells: tuple[int, int] = (1, 99)
    provoked: tuple[int, int] = (1, 99)  # errors and warnings shown on purpose
    longest: int = 25  # lines of a code cell, lib: cells aside
    sections: tuple[str, ...] = ("goals", "puzzle", "in (py)?torch", *AFTERWARDS)


OTHER_LIMITS = {
    # It builds nothing: it opens with the puzzle, which the first screen shows, and explains the
    # drawings.
    "00_start_here": Limits(
        cells=(12, 45),
        prose_words=(20, 60),  # it says how to read the drawings and how to work, in cells of text
        pictures=(2, 99),
        exercises=(0, 6),
        predictions=(1, 5),
        lib_cells=(0, 0),
        provoked=(0, 99),
        sections=("puzzle", "goals", "next"),
    ),
    # It ends with a draft of its own, in plain Python: there is no library yet. It opens with the
    # puzzle, which the first screen shows.
    "01_slopes": Limits(
        cells=(35, 65),
        prose_words=(20, 60),
        lib_cells=(0, 99),
        provoked=(0, 99),
        sections=PUZZLE_FIRST,
    ),
    # It opens with the puzzle, which the first screen shows.
    "02_tensors": Limits(
        sections=PUZZLE_FIRST,
    ),
    # It opens with the puzzle, which the first screen shows.
    "03_recording": Limits(sections=PUZZLE_FIRST),
    # Four drafts of an engine, each a function with its loop, come before the one that it builds.
    "04_backward": Limits(prose_words=(20, 55), code_lines=(2, 10)),
    # It opens with the five facts of Codes 4 and 5, which the first screen shows.
    "05_leaves": Limits(
        sections=PUZZLE_FIRST,
    ),
    # A second backward, two losses, a state carried on and a total: each is provoked, measured and
    # mended, with cells of its own.
    "06_lifetime": Limits(cells=(35, 62)),
    # A class with a forward and a backward is no shorter than eight lines, and it runs below them.
    # It opens with the puzzle, which the first screen shows. Its two classes beside PyTorch are
    # written out, one for each way to keep a tensor.
    "08_functions": Limits(cells=(35, 62), code_lines=(2, 13), longest=30, sections=PUZZLE_FIRST),
    # Two Jacobians, three wrong backwards and five kinks: each has its table or picture.
    "09_gradcheck": Limits(cells=(35, 62), prose_words=(20, 70), longest=40),
    # It opens with the puzzle, which the first screen shows.
    "10_switching_off": Limits(
        cells=(35, 62),
        prose_words=(20, 55),
        code_lines=(2, 9),
        sections=PUZZLE_FIRST,
    ),
    # Two drafts and how they fail, and each rule about writes with a program that would break it.
    "11_in_place": Limits(prose_words=(20, 60), code_lines=(2, 8), sections=PUZZLE_FIRST),
    # It opens with the puzzle, which the first screen shows.
    "12_broadcasting": Limits(sections=PUZZLE_FIRST),
    # It opens with the puzzle, which the first screen shows. What the checks of support are for is
    # said at once, above the pass that calls them.
    "13_jacobians": Limits(prose_words=(20, 60), code_lines=(1, 9), sections=PUZZLE_FIRST),
    # It opens with what double backward is for, in programs that the reader's library runs later.
    "14_double_backward": Limits(prose_words=(20, 80), code_lines=(2, 9), sections=PUZZLE_FIRST),
    # It opens with the puzzle, which the first screen shows.
    "15_hooks": Limits(sections=PUZZLE_FIRST),
    # It stands on the core and adds nothing to it. Layer, loss, optimizer and batches are written
    # by hand, each with a run; then three networks are built and trained, with their pictures. The
    # GPT stands once more as one program, to be run by PyTorch as well.
    # Its programs are long, and so are the paragraphs between them.
    "16_training": Limits(
        cells=(35, 62),
        prose_words=(20, 75),
        code_lines=(2, 14),
        lib_cells=(0, 0),
        longest=66,
        sections=PUZZLE_FIRST,
    ),
    # About PyTorch, not the core: it builds nothing of the library. Each place in PyTorch's files
    # has a cell that shows it and one that shows the reader's own. A program for PyTorch is written
    # out whole, with its imports and the call around it.
    # Its programs are long, and so are the paragraphs between them.
    "17_inside_pytorch": Limits(
        prose_words=(20, 75),
        code_lines=(2, 10),
        lib_cells=(0, 0),
        longest=37,
        sections=PUZZLE_FIRST,
    ),
    # A clinic: it builds nothing. Each message is provoked, mended, and its wrong cure run, so a
    # cell of prose often ends one cause and begins the next. It opens with the puzzle, which the
    # first screen shows.
    "18_error_clinic": Limits(
        cells=(35, 75),
        prose_words=(20, 55),
        lib_cells=(0, 0),
        sections=PUZZLE_FIRST,
    ),
    # An appendix about the accelerator, which is no part of the core: it builds nothing of the
    # library. It unrolls a row by hand and then looks at what the accelerator does. What its ratios
    # say beside PyTorch's is a matter of another page, so no exercise asks about that.
    "19_faster": Limits(prose_words=(20, 55), cells=(35, 48), exercises=(3, 3), lib_cells=(0, 0)),
    # A workshop: few questions, since its reader builds the whole library. Its program of nine
    # forwards is written out whole, for PyTorch.
    "20_functions_to_the_letter": Limits(
        exercises=(2, 2),
        predictions=(2, 2),
        longest=37,
        sections=WORKSHOP,
    ),
    # A workshop: fewer exercises. A description of memory needs its words, and each node its draft.
    "21_edited_views": Limits(cells=(30, 60), exercises=(2, 2), sections=PUZZLE_FIRST),
    # A workshop: few exercises, no list of mistakes. A view and what happens to it are a program
    # of several lines; the one for PyTorch is written out whole.
    "22_views_that_refuse": Limits(
        exercises=(2, 2),
        longest=32,
        pictures=(3, 99),
        sections=("puzzle", "goals", "in pytorch", *AFTERWARDS[1:]),
    ),
    # A workshop: what a reader of the main line never needs. Two exercises, and no mistakes that
    # are common.
    "23_passes_and_products": Limits(
        code_lines=(2, 11),
        pictures=(3, 99),
        exercises=(2, 2),
        sections=WORKSHOP,
    ),
}


def anatomy(notebook: NotebookNode, limits: Limits) -> list[str]:
    """The chapter has the size, the parts and the rhythm that design and README ask for."""
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    code = [cell.source for cell in code_cells(notebook) if not notebooks.lib_names(cell)]
    calls = "\n".join(code)
    measures = {
        "cells": len(notebook.cells),
        "prose_words": median(map(words, prose)) if prose else 0,
        "code_lines": median(len(source.split("\n")) for source in code) if code else 0,
        "pictures": sum(map(pictures, code_cells(notebook))),
        "exercises": len(exercise_ids(notebook)),
        "predictions": len(PREDICT_CALL.findall(calls)),
        "lib_cells": len(code_cells(notebook)) - len(code),
        "provoked": len(re.findall(r"\bexpect_(?:error|warning)\(", calls)),
    }
    wrong = []
    for name, value in measures.items():
        low, high = getattr(limits, name)
        if not low <= value <= high:
            wrong.append(f"{name}: {value}, not between {low} and {high}")
    wrong += [
        f"more than {limits.longest} lines in the cell {source[:40]!r}"
        for source in code
        if source.count("\n") >= limits.longest
    ]
    for place, cell in (("first", notebook.cells[0]), ("last", notebook.cells[-1])):
        if "nav" not in notebooks.tags(cell):
            wrong.append(f"the {place} cell is not tagged nav")
    if not re.search(r"\bminutes\b", notebook.cells[0].source):
        wrong.append("the first cell does not say how many minutes the chapter takes")
    return wrong + missing_sections(notebook, limits.sections)


def missing_sections(notebook: NotebookNode, sections: tuple[str, ...]) -> list[str]:
    """The headings contain each of `sections` (regular expressions), in this order."""
    remaining = iter(headings(notebook))
    wrong = []
    for section in sections:
        if not any(re.search(section, heading, re.IGNORECASE) for heading in remaining):
            wrong.append(f"no heading with {section!r} (in the order {', '.join(sections)})")
            remaining = iter(headings(notebook))
    return wrong


# --- exercises and predictions --------------------------------------------------------------------


def exercises(notebook: NotebookNode, chapter: str) -> list[str]:
    """Notebook and `course/exercises` agree; stubs are untouched; nbgrader's conventions hold."""
    load(chapter)
    declared = [id for id in EXERCISES if id[:2] == chapter]
    if exercise_ids(notebook) != declared:
        return [f"checks {exercise_ids(notebook)}, but declares {declared}"]
    wrong = []
    for cell in code_cells(notebook):
        id = notebooks.checked_exercise(cell)
        if id and f"{id} {EXERCISES[id].title}: not attempted yet" not in shown_text(cell):
            wrong.append(f"exercise {id}: its stub does not count as not attempted")
    return wrong + nbgrader(notebook)


def nbgrader(notebook: NotebookNode) -> list[str]:
    """The metadata keep nbgrader's schema 3 and its rules for a notebook."""
    wrong = []
    seen = set()
    kinds = {"schema_version": int, "grade": bool, "solution": bool, "locked": bool, "task": bool}
    for cell in notebook.cells:
        data = cell.metadata.get("nbgrader")
        if data is None:
            continue
        id = data.get("grade_id", "")
        if not re.fullmatch(r"[a-zA-Z0-9_-]+", id) or id in seen:
            wrong.append(f"grade_id {id!r} is empty, used twice, or has a forbidden character")
        seen.add(id)
        if data.get("schema_version") != 3 or any(
            type(data.get(name)) is not kind for name, kind in kinds.items()
        ):
            wrong.append(f"{id}: schema_version 3 and its flags are incomplete")
        if data.get("grade") != ("points" in data) or data.get("points", 0) < 0:
            wrong.append(f"{id}: points belong to graded cells, and only to them")
        if set(data) - {*kinds, "grade_id", "points"}:
            wrong.append(f"{id}: surplus keys {sorted(data)}")
        if (data.get("grade"), data.get("locked")) != (not data.get("solution"),) * 2:
            wrong.append(f"{id}: a cell is an answer, or it is graded and locked")
    return wrong


def predictions(notebook: NotebookNode, chapter: str) -> list[str]:
    """Notebook and `course/exercises` agree, and the run after each prediction shows the answer."""
    load(chapter)
    declared = [id for id in PREDICTIONS if id.startswith(f"{chapter}.")]
    asked: list[str] = []
    after: dict[str, str] = {}
    for cell in code_cells(notebook):
        if found := PREDICT_CALL.findall(cell.source):
            asked += found
        elif asked:
            after[asked[-1]] = after.get(asked[-1], "") + shown_text(cell) + "\n"
    if asked != declared:
        return [f"asks {asked}, but declares {declared}"]
    return [
        f"prediction {id}: {PREDICTIONS[id].shown!r} is nowhere in the outputs that follow it"
        for id in asked
        if PREDICTIONS[id].shown not in after.get(id, "")
    ]


# --- links ----------------------------------------------------------------------------------------


def links(file: Path) -> list[str]:
    """Every link within the project, in a Markdown file or a notebook, leads somewhere."""
    wrong = []
    for target in link_targets(prose_of(file)):
        if re.match(r"[a-z]+:", target):
            if not target.startswith(("https:", "mailto:")):
                wrong.append(f"{target}: neither a file nor https")
            continue
        path, _, fragment = unquote(target).partition("#")
        place = (file.parent / path) if path else file
        if file.suffix == ".ipynb" and not re.fullmatch(r"(\.\./.+|[^/]+\.ipynb)?", path):
            wrong.append(f"{target}: in the workbook there is only what is a notebook or above it")
        if not place.exists():
            wrong.append(f"{target}: no such file")
        elif fragment and fragment not in anchors(place):
            wrong.append(f"{target}: no such heading")
    return wrong


def link_targets(text: str) -> Iterator[str]:
    """Where the links and images of a Markdown text lead; those in code are none."""
    text = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.DOTALL | re.MULTILINE)
    text = re.sub(r"(`+).+?\1", "", text)
    yield from re.findall(r"\]\(\s*<?([^\s)>]+)", text)
    yield from re.findall(r"""\b(?:src|href)=["']([^"']+)""", text)
    yield from re.findall(r"^\[[^\]]+\]:\s*(\S+)", text, re.MULTILINE)


def anchors(file: Path) -> set[str]:
    """The headings of a file as JupyterLab (notebooks) or GitHub (Markdown) name them in links."""
    found = headings_of(prose_of(file)) if file.suffix in {".md", ".ipynb"} else []
    if file.suffix == ".ipynb":
        return {heading.replace("`", "").replace(" ", "-") for heading in found}
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in found}


# --- reading a notebook ---------------------------------------------------------------------------


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def exercise_ids(notebook: NotebookNode) -> list[str]:
    """The exercises that a notebook checks, in order."""
    return [id for cell in code_cells(notebook) if (id := notebooks.checked_exercise(cell))]


def shown_text(cell: NotebookNode) -> str:
    """What a cell shows as text, pictures and HTML as their text twins."""
    texts = [
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    ]
    return "\n".join(texts)


def pictures(cell: NotebookNode) -> int:
    """How many pictures a cell shows."""
    data = [output.get("data", {}) for output in cell.outputs]
    return sum(
        "image/png" in item or bool(PICTURE.search(item.get("text/html", ""))) for item in data
    )


def words(prose: str) -> int:
    """How many words a prose cell has, generated navigation and code blocks aside."""
    text = "\n".join(line for line in prose.split("\n") if notebooks.NAV_MARK not in line)
    return len(re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE).split())


def headings(notebook: NotebookNode) -> list[str]:
    """The headings of a notebook, in order."""
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    return headings_of("\n\n".join(prose))


def headings_of(prose: str) -> list[str]:
    """The headings of a Markdown text, in order."""
    prose = re.sub(r"^```.*?^```", "", prose, flags=re.DOTALL | re.MULTILINE)
    return [found.strip() for found in re.findall(r"^#+ +(.+)$", prose, re.MULTILINE)]


def prose_of(file: Path) -> str:
    """The Markdown of a file or of a notebook's cells."""
    text = file.read_text(encoding="utf-8")
    if file.suffix != ".ipynb":
        return text
    cells = json.loads(text)["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
