"""What a chapter must be like: each rule takes a notebook and returns what is wrong with it.

The rules are apart from the tests, so that test_rules.py can break a sample notebook on purpose
and see each of them notice.
"""

from __future__ import annotations

import ast
import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from minigrad_course.ask.declare import EXERCISES, PREDICTIONS, load
from minigrad_course.desk import ipynb
from minigrad_course.kernel.stages import MINIGRAD
from tools import notebooks
from tools.cell_names import cell_names
from tools.lib_cells import growth

PREDICT_CALL = re.compile(r"""^predict\(\s*["'](\d\d\.[a-z])["']""", re.MULTILINE)
LEFTOVER = {
    "an absolute path": re.compile(r"(?<![\w./:<])/[\w.-]+/[\w.-]|\b[A-Z]:\\\w"),
    "a time stamp": re.compile(r"\b20\d\d-\d\d-\d\d\b|\b\d{1,2}:\d\d:\d\d\b"),
}
EMBEDDED = ("data:image/png;base64,", "data:image/svg+xml;base64,")
FINISHED = r"minigrad(?!\w|\.viz\b)"  # but drawings work at every stage
DATA_URI = re.compile(r"data:[\w/+-]+;base64,[\w+/=]+")


# --- executed, in order, in one exact form --------------------------------------------------------


def executed(notebook: NotebookNode) -> list[str]:
    """Every cell was run from top to bottom, and another run would show the same."""
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
            if output.output_type == "error" and "raises-exception" not in ipynb.tags(cell):
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
    """Whether an output is a picture without a text version."""
    data = output.get("data", {})
    plot = any(kind.startswith("image/") for kind in data)
    images = re.findall(r"<img\b[^>]*>", data.get("text/html", ""))
    return (plot and data.get("text/plain", "<")[:1] == "<") or not all(
        re.search(r"""\balt=["'][^"']""", image) for image in images
    )


def hidden(output: NotebookNode) -> list[str]:
    """What GitHub hides, and JupyterLab too where it does not trust a notebook.

    A picture is kept as PNG, or as an `<img>` that contains it. A script may be dropped as long as
    there is a picture beside it.
    """
    html = output.get("data", {}).get("text/html", "")
    without = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
    sources = re.findall(r"""<img\b[^>]*?\bsrc=["']([^"']*)""", without)
    found = re.findall(r"<(?:canvas|embed|iframe|object|style|svg|video)\b", without)
    if "image/svg+xml" in output.get("data", {}):
        found.append("an SVG that is not an <img>")
    if "<script" in html and not sources:
        found.append("a script without a picture beside it")
    if not all(source.startswith(EMBEDDED) for source in sources):
        found.append("a picture from another place")
    return found


def in_step(file: Path) -> list[str]:
    """The file is what sync would write: lib: cells, navigation, metadata, ids, layout."""
    notebook = ipynb.read(file)
    before = copy.deepcopy(notebook)
    try:
        notebooks.sync(notebook, file)
    except LookupError as error:
        return [str(error)]
    wrong = [
        f"cell {index} differs from what its tags ask for ({', '.join(ipynb.tags(old))})"
        for index, (old, new) in enumerate(zip(before.cells, notebook.cells, strict=True))
        if old.source != new.source
    ]
    notebooks.clean(notebook)
    if not wrong and ipynb.as_text(notebook) != file.read_text(encoding="utf-8"):
        wrong.append("metadata, ids or layout are not as `tools/notebooks.py run` leaves them")
    return wrong


def navigation(notebook: NotebookNode) -> list[str]:
    """The first and the last cell are tagged `nav`, so sync writes the links into them."""
    ends = {"first": notebook.cells[0], "last": notebook.cells[-1]}
    return [
        f"the {place} cell is not tagged nav"
        for place, cell in ends.items()
        if "nav" not in ipynb.tags(cell)
    ]


# --- exercises and predictions --------------------------------------------------------------------


def exercises(notebook: NotebookNode, chapter: str) -> list[str]:
    """The notebook agrees with `minigrad_course/exercises`, with untouched stubs."""
    load(chapter)
    declared = [id for id in EXERCISES if id[:2] == chapter]
    if exercise_ids(notebook) != declared:
        return [f"checks {exercise_ids(notebook)}, but declares {declared}"]
    wrong = []
    for cell in code_cells(notebook):
        id = notebooks.checked_exercise(cell)
        if id and f"{id} {EXERCISES[id].title}: not attempted yet" not in shown_text(cell):
            wrong.append(f"exercise {id}: its stub does not count as not attempted")
    return wrong


def predictions(notebook: NotebookNode, chapter: str) -> list[str]:
    """The notebook agrees with `minigrad_course/exercises`, and the next run shows the answer."""
    load(chapter)
    declared = [id for id in PREDICTIONS if id.startswith(f"{chapter}.")]
    asked: list[str] = []
    after: dict[str, str] = {}
    for cell in code_cells(notebook):
        if found := PREDICT_CALL.findall(cell.source):
            asked += found
        elif asked:
            after[asked[-1]] = after.get(asked[-1], "") + shown_text(cell) + "\n"
    if asked != sorted(asked):
        return [f"asks {asked}, whose ids are not in the order of the page"]
    if asked != declared:
        return [f"asks {asked}, but declares {declared}"]
    return [
        f"prediction {id}: {PREDICTIONS[id].shown!r} is nowhere in the outputs that follow it"
        for id in asked
        if PREDICTIONS[id].shown not in after.get(id, "")
    ]


# --- the library ----------------------------------------------------------------------------------


def gaps(notebook: NotebookNode, chapter: int) -> list[str]:
    """The notebook shows everything that the chapter adds to the core, each definition once."""
    names = notebooks.all_lib_names(notebook)
    twice = sorted({name for name in names if names.count(name) > 1})
    missing = [name for name in growth(MINIGRAD, chapter) if f"minigrad.{name}" not in names]
    return [f"{name} is shown twice" for name in twice] + [
        f"the chapter builds {name}, and no lib: cell shows it" for name in missing
    ]


def imports(notebook: NotebookNode, chapter: int) -> list[str]:
    """A chapter builds on the library of the one before; what uses the finished one is tagged.

    It may import an earlier stage as a whole, which it then only inspects.
    """
    wrong = []
    whole: set[str] = set()
    for cell in code_cells(notebook):
        what = f"cell {cell.execution_count}"
        found = list(imported(cell))
        for module, item in found:
            stage = re.match(r"minigrad_course\.after_(\d\d)", module)
            inspected = item == "minigrad_course" and stage and int(stage[1]) < chapter
            if stage and int(stage[1]) != chapter - 1 and not inspected:
                wrong.append(f"{what}: {module} is not the library before this chapter")
        finished = {item for module, item in found if re.match(FINISHED, module)}
        whole |= finished
        names = cell_names(plain(cell.source))
        used = finished or whole & (names.read | names.later)
        if used and "finished" not in ipynb.tags(cell):
            wrong.append(f"{what}: uses the whole library; tag it finished")
    return wrong


def imported(cell: NotebookNode) -> Iterator[tuple[str, str]]:
    """What a cell imports, as pairs of a module and the name that is imported or bound."""
    for node in ast.walk(ast.parse(plain(cell.source))):
        if isinstance(node, ast.Import):
            for item in node.names:
                yield item.name, item.asname or item.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom):
            for item in node.names:
                yield node.module or "", item.asname or item.name


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
            wrong.append(f"{target}: the workbook has only notebooks, and what is above it")
        if not place.exists():
            wrong.append(f"{target}: no such file")
        elif fragment and fragment not in anchors(place):
            wrong.append(f"{target}: no such heading")
    return wrong


def link_targets(text: str) -> Iterator[str]:
    """The targets of links and images in a Markdown text, except in code."""
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


def is_folded(cell: NotebookNode) -> bool:
    """Whether the code of a `lib:` cell is hidden until the reader opens it."""
    return notebooks.FOLDED in ipynb.tags(cell)


def plain(source: str) -> str:
    """A cell's source as plain Python."""
    transformed: str = TransformerManager().transform_cell(source)
    return transformed


def exercise_ids(notebook: NotebookNode) -> list[str]:
    """The exercises that a notebook checks, in order."""
    return [id for cell in code_cells(notebook) if (id := notebooks.checked_exercise(cell))]


def shown_text(cell: NotebookNode) -> str:
    """What a cell shows as text, with the text versions of pictures and HTML."""
    texts = [
        output.get("text") or output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    ]
    return "\n".join(texts)


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
