"""Keep the notebooks in step with the library, run them, and store them in one exact form.

    python tools/notebooks.py run                        # all notebooks
    python tools/notebooks.py run notebooks/04_*.ipynb   # these
    python tools/notebooks.py sync                       # rewrite generated parts, run nothing

`sync` rewrites what the author does not write by hand:

- the source of each cell tagged `lib:module.qualname`: that definition of the library as it is
  at the notebook's chapter (`tools/lib_cells.py`). Several tags show several definitions. If it is
  tagged `folded` too, its first line is a title and its code is hidden until the reader opens it;
- the line of navigation in each Markdown cell tagged `nav`;
- the first code cell, tagged `install` and collapsed: where the course is missing, it installs the
  course, or says how to do that as long as the course is published nowhere (`tools/publish.py`);
- nbgrader's metadata of the exercises: `check("04.2", …)` marks its cell as the graded one and the
  code cell above it as the answer.

`run` syncs, executes each notebook from its folder with the kernel `python3`, and writes it only if
every cell ran. What it writes depends only on the sources, so running twice gives the same bytes,
except for the times that chapter 21 measures. Cell ids are kept, and cells without one get one.
Metadata from editors and timestamps are removed. Addresses of objects are renumbered in order of
appearance, so different objects still have different addresses.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode
from traitlets.config import Config

from minigrad_course.desk import ipynb, pages
from minigrad_course.kernel.page import path_of
from minigrad_course.kernel.places import ROOT
from tools import lib_cells, publish

NOTEBOOKS = ROOT / "notebooks"
NAV_MARK = "<!-- nav -->"
MINUTES = re.compile(r"About (\d+) minutes to read,? and (\d+)(?: more)? for the exercises\.")
CHECK_CALL = re.compile(r"""^check\(\s*["'](\d\d\.\d+)["']""", re.MULTILINE)
ADDRESS = re.compile(r"(?<![\w+/])0x[0-9a-f]{8,16}\b")

# A notebook's metadata: everything that JupyterLab stores. If something were missing or different
# from the kernel's, opening a notebook would change it, and closing it would ask whether to save.
# The version is always this one, so that files do not depend on the Python that ran them;
# a copy in the workbook has the version of the Python that will run it.
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
        "version": "3.11.7",
    },
}
CELL_METADATA = {
    "adds",
    "cellView",
    "deletable",
    "editable",
    "jupyter",
    "nbgrader",
    "slideshow",
    "tags",
    "without_folded",
}

FOLDED = "folded"  # the tag of a lib: cell whose code is hidden until the reader opens it
MOST_NAMED = 3  # so many definitions are named in a title, and the rest is only counted


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 1 if a notebook failed."""
    parser = argparse.ArgumentParser(
        description="Keep notebooks in step with the library; run them."
    )
    parser.add_argument("command", choices=["sync", "run"])
    parser.add_argument("files", nargs="*", type=Path, help="notebooks (all, if none is named)")
    options = parser.parse_args(arguments)
    work = execute if options.command == "run" else sync
    failed = [file for file in options.files or ipynb.chapters() if not update(file, work)]
    return 1 if failed else 0


def update(file: Path, work: Callable[[NotebookNode, Path], None]) -> bool:
    """Apply `work` to the notebook in `file`; write it if that succeeds and changes something."""
    before = file.read_text(encoding="utf-8")
    notebook = ipynb.read(file)
    try:
        work(notebook, file)
    except (CellExecutionError, LookupError) as error:
        print(f"{file.name}: left as it was\n{error}", file=sys.stderr)
        return False
    after = ipynb.as_text(notebook)
    if after != before:
        file.write_text(after, encoding="utf-8", newline="\n")
    print(f"{file.name}: {'written' if after != before else 'unchanged'}")
    return True


# --- sync ---------------------------------------------------------------------------------------


def sync(notebook: NotebookNode, file: Path) -> None:
    """Rewrite the generated parts of `notebook`, which is stored in `file`.

    Raises:
        LookupError: a `lib:` tag names something that the package does not define.
    """
    if any("nav" in ipynb.tags(cell) for cell in notebook.cells):  # a chapter
        place_install_cell(notebook)
    answer = None
    for cell in notebook.cells:
        if names := lib_names(cell):
            cell.source = lib_cells.lib_source(names, number(file), all_lib_names(notebook))
            fold(cell)
        if "nav" in ipynb.tags(cell):
            lines = [line for line in cell.source.split("\n") if NAV_MARK not in line]
            cell.source = "\n".join([navigation(file), *lines])
        if cell.cell_type == "code":
            if exercise := checked_exercise(cell):
                _mark_for_nbgrader(answer, cell, exercise)
            answer = cell


INSTALL_METADATA = {  # a form in Colab
    "cellView": "form",
    "jupyter": {"source_hidden": True},
    "slideshow": {"slide_type": "skip"},
    "tags": [pages.INSTALL],
}
MISSING = """\
# @title Run this first, then every cell from the top
import sys
from importlib.util import find_spec

if find_spec("minigrad_course") is None:
    raise ModuleNotFoundError(
        "This notebook needs the course, which is not installed in its Python. In a terminal, go to"
        f' the folder of the course and run:  {sys.executable} -m pip install ".[kernel]"\\n'
        "Then restart the kernel and run this notebook from the top."
    )"""
INSTALLS = """\
# @title Run this first, then every cell from the top
from importlib.util import find_spec

if find_spec("minigrad_course") is None:
    %pip install --quiet "minigrad-course[kernel] @ {archive}"
    if find_spec("minigrad_course") is None:
        raise ModuleNotFoundError(
            "The course could not be installed; the lines above say why. In Kaggle, switch on"
            " Internet in the notebook's settings. Without a network, download"
            " {archive} elsewhere, and run here:"
            '  %pip install "FILE.zip[kernel]"'
        )"""


def place_install_cell(notebook: NotebookNode) -> None:
    """Write the cell that installs the course in front of the first code cell of a chapter."""
    own = [cell for cell in notebook.cells if pages.INSTALL in ipynb.tags(cell)]
    cell = own[0] if own else nbformat.v4.new_code_cell(id=pages.INSTALL)
    cell.source = INSTALLS.format(archive=publish.archive()) if publish.place() else MISSING
    cell.metadata = nbformat.from_dict(INSTALL_METADATA)  # type: ignore[no-untyped-call]
    others = [each for each in notebook.cells if each not in own]
    place = next(n for n, each in enumerate(others) if each.cell_type == "code")
    notebook.cells = [*others[:place], cell, *others[place:]]


def fold(cell: NotebookNode) -> None:
    """Hide the code of a `lib:` cell that is tagged `folded`, and show that of any other.

    JupyterLab shows the first line of hidden code, and Colab shows a title.
    """
    jupyter = {key: on for key, on in cell.metadata.pop("jupyter", {}).items() if on}
    jupyter.pop("source_hidden", None)
    cell.metadata.pop("cellView", None)
    if FOLDED in ipynb.tags(cell):
        cell.source = f"# @title {title(cell)}\n{cell.source}"
        jupyter["source_hidden"] = True
        cell.metadata["cellView"] = "form"
    if jupyter:
        cell.metadata["jupyter"] = jupyter


def title(cell: NotebookNode) -> str:
    """What a folded cell shows: its definitions, its number of lines, and what they add.

    The chapter's author writes the latter into the metadata: `"adds": "PyTorch's full message"`.
    """
    names = [path_of(name.removeprefix("minigrad.")) for name in lib_names(cell)]
    if len(names) > MOST_NAMED:
        names[MOST_NAMED - 1 :] = [f"{len(names) - MOST_NAMED + 1} more"]
    *first, last = names
    listed = f"{', '.join(first)} and {last}" if first else last
    count = len(cell.source.splitlines())
    lines = "1 line" if count == 1 else f"{count} lines"
    adds = f", with {cell.metadata.adds}" if "adds" in cell.metadata else ""
    return f"Run the library's {listed} ({lines}){adds}"


def lib_names(cell: NotebookNode) -> list[str]:
    """The definitions that a cell shows: `minigrad.core.engine.BackwardPass` for its `lib:` tag."""
    return [tag.removeprefix("lib:") for tag in ipynb.tags(cell) if tag.startswith("lib:")]


def all_lib_names(notebook: NotebookNode) -> list[str]:
    """The definitions that a notebook shows, in order."""
    return [name for cell in notebook.cells for name in lib_names(cell)]


def number(file: Path) -> int:
    """The number of a notebook's chapter."""
    return int(file.name[:2])


@cache
def titles(folder: Path) -> dict[str, str]:
    """The first heading of each notebook, by file name."""
    found = {}
    for file in ipynb.chapters(folder):
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        text = "\n".join(
            "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
        )
        heading = re.search(r"^# (.+)$", text, re.MULTILINE)
        found[file.name] = heading[1].strip() if heading else file.stem
    return found


def minutes(file: Path) -> tuple[int, int]:
    """The minutes for reading and for the exercises in a chapter's first cell; 0 if it has none."""
    told = MINUTES.search(ipynb.read(file).cells[0].source)
    return (int(told[1]), int(told[2])) if told else (0, 0)


def navigation(file: Path) -> str:
    """The line that links the notebook to its neighbors."""
    names = {int(name[:2]): name for name in titles(file.parent)}
    place = number(file)
    links = []
    if before := names.get(place - 1):
        links.append(f"[← {titles(file.parent)[before]}]({before})")
    if place > 1 and 0 in names:
        links.append(f"[start]({names[0]})")
    if after := names.get(place + 1):
        links.append(f"[{titles(file.parent)[after]} →]({after})")
    links += [f"[{name}]({address})" for name, address in publish.runs(file.name).items()]
    return f"{' · '.join(links)} {NAV_MARK}".lstrip()


def checked_exercise(cell: NotebookNode) -> str:
    """The id of the exercise whose answer a cell checks, or an empty string."""
    found = CHECK_CALL.search(cell.source) if cell.cell_type == "code" else None
    return found[1] if found else ""


def nbgrader_metadata(exercise: str, graded: bool) -> dict[str, Any]:
    """nbgrader's metadata (schema 3) of the answer cell, or of the check cell if `graded`."""
    role = "check" if graded else "answer"
    data = {
        "grade": graded,
        # The schema allows letters, digits, - and _ only.
        "grade_id": f"ex-{exercise.replace('.', '-')}-{role}",
        "locked": graded,
        "schema_version": 3,
        "solution": not graded,
        "task": False,
    }
    return {**data, "points": 1} if graded else data


def _mark_for_nbgrader(answer: NotebookNode | None, check: NotebookNode, exercise: str) -> None:
    if answer is None:
        raise LookupError(f'check("{exercise}"): there is no code cell above it to hold the answer')
    for cell, graded in ((answer, False), (check, True)):
        cell.metadata["nbgrader"] = nbgrader_metadata(exercise, graded)


# --- run ----------------------------------------------------------------------------------------


def execute(notebook: NotebookNode, file: Path) -> None:
    """Sync `notebook`, run all its cells from the folder of `file`, and clean what that leaves.

    Raises:
        CellExecutionError: a cell failed that is not tagged `raises-exception`.
        LookupError: a `lib:` tag names nothing in the package.
    """
    sync(notebook, file)
    client(notebook, file.parent).execute()
    clean(notebook)


def client(notebook: NotebookNode, folder: Path) -> NotebookClient:
    """The client that runs a notebook, with the kernel `python3` started in `folder`."""
    return NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=120,
        resources={"metadata": {"path": str(folder)}},
        config=Config(KernelManager=ipynb.KERNELS),
    )


def clean(notebook: NotebookNode) -> None:
    """Remove whatever depends on the machine, the editor or the run."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)  # type: ignore[no-untyped-call]
    addresses: dict[str, str] = {}
    for cell in notebook.cells:
        if "outputs" in cell:
            cell.outputs = joined(cell.outputs)
        cell.metadata = nbformat.from_dict(  # type: ignore[no-untyped-call]
            {key: value for key, value in cell.metadata.items() if key in CELL_METADATA}
        )
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = _renumber(output.text, addresses)
            for kind, data in output.get("data", {}).items():
                if kind.startswith("text/"):
                    output.data[kind] = _renumber(data, addresses)


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs, where a stream is no longer cut into pieces, which depend on the machine's load.

    What was shown in between stays in between, so a page has the order of the program.
    """
    found: list[NotebookNode] = []
    for output in outputs:
        last = found[-1] if found else None
        if last and output.output_type == "stream" and last.get("name") == output.name:
            last.text += output.text
        else:
            found.append(output)
    return found


def _renumber(text: str, addresses: dict[str, str]) -> str:
    def new(match: re.Match[str]) -> str:
        return addresses.setdefault(match[0], f"0x{0x7F0000000000 + 16 * len(addresses):x}")

    return ADDRESS.sub(new, text)


if __name__ == "__main__":
    sys.exit(main())
