"""Whether a chapter's page is alive: what a `lib:` cell defines is what the cells below it run.

The cells run here in one plain namespace, without a kernel. Each function and method of a `lib:`
cell is made empty in turn, and what has grown is put back to what it was: some later cell has to
show something else then.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import io
import re
import signal
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from course import stages
from tests.course.load import plain
from tests.course.rules import code_cells
from tools import notebooks
from tools.lib_cells import Piece, join, piece

PATIENCE = 12  # seconds for a run; an engine that was broken on purpose may go round in circles
ADDRESS = re.compile(r"0x[0-9a-f]+")


@dataclass(frozen=True)
class Change:
    """A `lib:` cell with something wrong: which cell, what was done, and its source then."""

    cell: int
    what: str
    source: str


def dead(file: Path) -> list[str]:
    """The definitions of a notebook that no later cell notices, and classes with stale objects."""
    notebook = notebooks.read(file)
    if not notebooks.all_lib_names(notebook):
        return []
    with contextlib.chdir(file.parent):
        sources = [plain(cell.source) for cell in code_cells(notebook)]
        first, again = list(shown(sources)), list(shown(sources))
        steady = [one == other for one, other in zip(first, again, strict=True)]
        wrong = stale_objects(notebook)
        for change in changes(notebook, notebooks.number(file)):
            changed = sources.copy()
            changed[change.cell] = change.source
            if not noticed(changed, change.cell, first, steady):
                wrong.append(f"no later cell notices {change.what}")
    return wrong


def noticed(sources: list[str], cell: int, before: list[str], steady: list[bool]) -> bool:
    """Whether a cell below number `cell` shows something else than `before`."""
    try:
        with patience():
            for number, text in enumerate(shown(sources)):
                if number > cell and steady[number] and text != before[number]:
                    return True
    except TimeoutError:
        return True
    return False


def changes(notebook: NotebookNode, chapter: int) -> Iterator[Change]:
    """All that is to be broken in a notebook, one thing at a time."""
    names = notebooks.all_lib_names(notebook)
    for number, cell in enumerate(code_cells(notebook)):
        pieces = [piece(name, chapter, names) for name in notebooks.lib_names(cell)]
        for place, one in enumerate(pieces):
            for what, source in broken(one):
                changed = [*pieces]
                changed[place] = Piece(one.name, source, 0, one.node, None)
                yield Change(number, what, join(changed))


def broken(one: Piece) -> Iterator[tuple[str, str]]:
    """A piece broken in each way: its functions made empty, or put back to what it was."""
    tree = ast.parse(one.source)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    nested = {id(inner) for outer in functions for inner in ast.walk(outer) if inner is not outer}
    for function in functions:
        if id(function) not in nested:
            body = function.body
            function.body = [ast.Pass()]
            yield f"an empty {function.name} in {one.name}", ast.unparse(tree)
            function.body = body
    if one.before is not None and ast.dump(ast.parse(one.before)) != ast.dump(tree):
        yield f"{one.name} put back to the chapter before", one.before


# --- running --------------------------------------------------------------------------------------


def shown(
    sources: list[str], look: Callable[[int, dict[str, Any]], object] = lambda *_: None
) -> Iterator[str]:
    """Run cells in a namespace of their own; yield what each of them shows, errors too.

    After each cell `look` gets its number and the names that there are then.
    """
    for name in [name for name in stages.STAGES if name.startswith("course.")]:
        stages.forget(name)
    notebook: dict[str, Any] = {"__name__": "__main__"}
    flags = 0
    for number, source in enumerate(sources):
        if "from __future__ import annotations" in source:
            flags = __future__.annotations.compiler_flag
        output = io.StringIO()
        with (
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(output),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("default")
            warnings.showwarning = lambda message, kind, *_: print(f"{kind.__name__}: {message}")
            try:
                run(source, notebook, flags)
            except TimeoutError:
                raise
            except Exception as error:
                print(f"{type(error).__name__}: {error}")
        look(number, notebook)
        yield ADDRESS.sub("0x…", output.getvalue())


def run(source: str, notebook: dict[str, Any], flags: int) -> None:
    """Run a cell; print the value of the expression that it ends with."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec", flags, dont_inherit=True), notebook)
    if isinstance(last, ast.Expr):
        code = compile(ast.Expression(last.value), "<cell>", "eval", flags, dont_inherit=True)
        value = eval(code, notebook)
        if value is not None:
            print(repr(value))


def stale_objects(notebook: NotebookNode) -> list[str]:
    """Objects that a cell's growth does not reach: their class is an older one of that name."""
    wrong = []
    cells = code_cells(notebook)
    before: dict[str, Any] = {}

    def look(number: int, names: dict[str, Any]) -> None:
        for target in re.findall(r"^@method_of\((\w+)\)", cells[number].source, re.MULTILINE):
            for name, value in before.items():
                if type(value).__name__ == target and not isinstance(value, names[target]):
                    wrong.append(f"{name} is of an older class {target} than the one that grows")
        before.update(names)

    for _ in shown([plain(cell.source) for cell in cells], look):
        pass
    return wrong


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Raise TimeoutError in what takes too long."""

    def stop(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(PATIENCE)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
