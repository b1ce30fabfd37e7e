"""Keep the notebooks in step with the library, run them, and store them in one exact form.

    python tools/notebooks.py run                        # all notebooks
    python tools/notebooks.py run notebooks/04_*.ipynb   # these
    python tools/notebooks.py sync                       # rewrite generated parts, run nothing

`sync` rewrites what the author does not write by hand:

- the source of each cell tagged `lib:module.qualname`, from the package. Several tags show several
  definitions. A method is shown as a function, unless the cell is tagged `in-class` as well: then
  all its members stand in a class statement with the package's header and docstring.
- the line of navigation in each Markdown cell tagged `nav`;
- nbgrader's metadata of the exercises: `check("04.2", …)` marks its cell as the graded one and the
  code cell above it as the answer.

`run` syncs, executes each notebook from its folder with the kernel `python3`, and writes it only
if every cell ran. What it writes depends on nothing but the sources: running twice gives the same
bytes. Cell ids stay as they are; a cell without one gets one. Metadata of editors and clocks goes.
Addresses of objects are renumbered in order of appearance, so two that differ still do.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import sys
from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError
from nbformat import NotebookNode

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = ROOT / "notebooks"
NAV_MARK = "<!-- nav -->"
CHECK_CALL = re.compile(r"""^check\(\s*["'](\d\d\.\d+)["']""", re.MULTILINE)
ADDRESS = re.compile(r"(?<![\w+/])0x[0-9a-f]{8,16}\b")

ASSIGNMENT = (ast.Assign, ast.AnnAssign)

# What a notebook keeps of its metadata. JupyterLab adds the version of Python when it saves.
NOTEBOOK_METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {
        "codemirror_mode": {"name": "ipython", "version": 3},
        "file_extension": ".py",
        "mimetype": "text/x-python",
        "name": "python",
        "nbconvert_exporter": "python",
        "pygments_lexer": "ipython3",
    },
}
CELL_METADATA = {"deletable", "editable", "jupyter", "nbgrader", "slideshow", "tags"}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status is 1 if a notebook failed."""
    parser = argparse.ArgumentParser(
        description="Keep notebooks in step with the library; run them."
    )
    parser.add_argument("command", choices=["sync", "run"])
    parser.add_argument("files", nargs="*", type=Path, help="notebooks (all, if none is named)")
    options = parser.parse_args(arguments)
    work = execute if options.command == "run" else sync
    failed = [file for file in options.files or chapters() if not update(file, work)]
    return 1 if failed else 0


def update(file: Path, work: Callable[[NotebookNode, Path], None]) -> bool:
    """Let `work` change the notebook in `file`; write it if that succeeds and changes something."""
    before = file.read_text(encoding="utf-8")
    notebook = read(file)
    try:
        work(notebook, file)
    except (CellExecutionError, LookupError) as error:
        print(f"{file.name}: left as it was\n{error}", file=sys.stderr)
        return False
    after = as_text(notebook)
    if after != before:
        file.write_text(after, encoding="utf-8", newline="\n")
    print(f"{file.name}: {'written' if after != before else 'unchanged'}")
    return True


def chapters(folder: Path = NOTEBOOKS) -> list[Path]:
    """The notebooks of the course in order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def read(file: Path) -> NotebookNode:
    """The notebook in `file`, each cell having an id."""
    raw = json.loads(file.read_text(encoding="utf-8"))
    raw["nbformat"], raw["nbformat_minor"] = 4, 5
    taken: set[str] = set()
    for index, cell in enumerate(raw["cells"]):
        if not cell.get("id") or cell["id"] in taken:
            text = f"{file.stem}:{index}:{''.join(cell['source'])}"
            cell["id"] = hashlib.sha1(text.encode()).hexdigest()[:12]
        taken.add(cell["id"])
    notebook: NotebookNode = nbformat.reads(  # type: ignore[no-untyped-call]
        json.dumps(raw), as_version=nbformat.NO_CONVERT
    )
    return notebook


def as_text(notebook: NotebookNode) -> str:
    """The notebook as JupyterLab writes it to a file."""
    nbformat.validate(notebook)
    text: str = nbformat.writes(  # type: ignore[no-untyped-call]
        notebook, version=nbformat.NO_CONVERT
    )
    return text.rstrip("\n") + "\n"


# --- sync ---------------------------------------------------------------------------------------


def sync(notebook: NotebookNode, file: Path) -> None:
    """Rewrite the generated parts of `notebook`, whose place is `file`.

    Raises:
        LookupError: a `lib:` tag names something that the package does not define.
    """
    answer = None
    for cell in notebook.cells:
        if lib_names(cell):
            cell.source = lib_source(cell)
        if "nav" in tags(cell):
            lines = [line for line in cell.source.split("\n") if NAV_MARK not in line]
            cell.source = "\n".join([navigation(file), *lines])
        if cell.cell_type == "code":
            if exercise := checked_exercise(cell):
                _mark_for_nbgrader(answer, cell, exercise)
            answer = cell


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", []))


def lib_names(cell: NotebookNode) -> list[str]:
    """The definitions that a cell shows: `minigrad.engine.run_backward` for its `lib:` tag."""
    return [tag.removeprefix("lib:") for tag in tags(cell) if tag.startswith("lib:")]


def lib_source(cell: NotebookNode) -> str:
    """What a cell with `lib:` tags must hold, taken from the package's source."""
    names = lib_names(cell)
    in_class = "in-class" in tags(cell)
    shown = [find_definition(name, "\n\n" if in_class else "\n\n\n") for name in names]
    if in_class:
        header = class_header(names[0].rpartition(".")[0])
        return "\n\n".join([header, *(source for source, _ in shown)])
    text = dedent(shown[0][0])
    for (_, before), (source, node) in pairwise(shown):
        rows = isinstance(before, ASSIGNMENT) and isinstance(node, ASSIGNMENT)
        text += ("\n" if rows else "\n\n\n") + dedent(source)
    return text


def find_definition(name: str, between: str = "\n\n") -> tuple[str, ast.stmt]:
    """The source of a definition, with the comment lines right above it, and its syntax tree.

    Args:
        name: `module.function`, `module.Class`, `module.Class.method` or `module.variable`. Where
            the package defines a name several times (a property and its setter), the source holds
            all of them.
        between: what stands between them.

    Raises:
        LookupError: the package has no such definition.
    """
    module, path = locate(name)
    text = module.read_text(encoding="utf-8")
    found = definitions(ast.parse(text)).get(path)
    if not found:
        raise LookupError(f"lib:{name}: {module.relative_to(ROOT)} defines no {path}")
    return between.join(_lines(text.split("\n"), node) for node in found), found[0]


def definitions(tree: ast.Module) -> dict[str, list[ast.stmt]]:
    """What a module defines: its functions, classes, members of classes, and variables by name.

    An assignment to an attribute of a class (`Tensor.__add__ = …`) is a member of that class.
    """
    found: dict[str, list[ast.stmt]] = {}
    for node in tree.body:
        for name in _names(node):
            found.setdefault(name, []).append(node)
        if isinstance(node, ast.ClassDef):
            for member in node.body:
                for name in _names(member):
                    found.setdefault(f"{node.name}.{name}", []).append(member)
    return found


def class_header(name: str) -> str:
    """The statement that opens a class, with its docstring."""
    source, node = find_definition(name)
    if not isinstance(node, ast.ClassDef) or ast.get_docstring(node) is None:
        raise LookupError(f"in-class: {name} is not a class with a docstring")
    (shown,) = ast.parse(source).body  # numbers the lines of `source` and not those of the file
    assert isinstance(shown, ast.ClassDef)
    return "\n".join(source.split("\n")[: shown.body[0].end_lineno])


def locate(name: str) -> tuple[Path, str]:
    """The file that holds definition `name`, and the rest of the name within that file."""
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        place = ROOT.joinpath(*parts[:cut])
        for file in (place.with_suffix(".py"), place / "__init__.py"):
            if file.is_file():
                return file, ".".join(parts[cut:])
    raise LookupError(f"lib:{name}: there is no such module")


@cache
def titles(folder: Path) -> dict[str, str]:
    """The first heading of each notebook, by file name."""
    found = {}
    for file in chapters(folder):
        cells = json.loads(file.read_text(encoding="utf-8"))["cells"]
        text = "\n".join(
            "".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"
        )
        heading = re.search(r"^# (.+)$", text, re.MULTILINE)
        found[file.name] = heading[1].strip() if heading else file.stem
    return found


def navigation(file: Path) -> str:
    """The line that links the notebook to its neighbours, as far as they are written."""
    names = sorted({*titles(file.parent), file.name})
    place = names.index(file.name)
    links = []
    if place > 0:
        links.append(f"[← {titles(file.parent)[names[place - 1]]}]({names[place - 1]})")
    if place > 1:
        links.append(f"[start]({names[0]})")
    if place + 1 < len(names):
        links.append(f"[{titles(file.parent)[names[place + 1]]} →]({names[place + 1]})")
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


def _names(node: ast.stmt) -> list[str]:
    """The names that a statement defines."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.Assign():
            targets = [
                part for target in node.targets for part in getattr(target, "elts", [target])
            ]
        case ast.AnnAssign():
            targets = [node.target]
        case _:
            return []
    return [ast.unparse(target) for target in targets]


def _lines(text: list[str], node: ast.stmt) -> str:
    """The lines of a definition, with its decorators and the comment right above it."""
    decorators = getattr(node, "decorator_list", [])
    start = min([node.lineno, *(item.lineno for item in decorators)])
    while start > 1 and text[start - 2].strip().startswith("#"):
        start -= 1
    return "\n".join(text[start - 1 : node.end_lineno])


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
    """What runs a notebook: kernel `python3`, started in `folder`."""
    return NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=120,
        coalesce_streams=True,  # how a stream is cut into pieces depends on the machine's load
        resources={"metadata": {"path": str(folder)}},
    )


def clean(notebook: NotebookNode) -> None:
    """Take away what differs from machine to machine, from editor to editor and from run to run."""
    notebook.metadata = nbformat.from_dict(NOTEBOOK_METADATA)  # type: ignore[no-untyped-call]
    addresses: dict[str, str] = {}
    for cell in notebook.cells:
        cell.metadata = nbformat.from_dict(  # type: ignore[no-untyped-call]
            {key: value for key, value in cell.metadata.items() if key in CELL_METADATA}
        )
        for output in cell.get("outputs", []):
            if output.output_type == "stream":
                output.text = _renumber(output.text, addresses)
            for kind, data in output.get("data", {}).items():
                if kind.startswith("text/"):
                    output.data[kind] = _renumber(data, addresses)


def _renumber(text: str, addresses: dict[str, str]) -> str:
    def new(match: re.Match[str]) -> str:
        return addresses.setdefault(match[0], f"0x{0x7F0000000000 + 16 * len(addresses):x}")

    return ADDRESS.sub(new, text)


if __name__ == "__main__":
    sys.exit(main())
