"""Which line of the caller's code made a tensor or an operation: the one that gave it its name.

The graph does not know lines. They are read from the text of the cell or the file that draws, and
from the cells that ran before, because the last line that assigned to a variable, or wrote to it,
made what the variable holds. An operation without a name has the line of the next one with a name.
"""

import ast
import linecache
import sys
from collections.abc import Iterator
from types import FrameType

from minigrad.viz.recording import Recording


def lines_of(frame: FrameType, recording: Recording) -> dict[int, str]:
    """Return the lines of those tensors and operations whose line can be found, by their ids."""
    here = "".join(linecache.getlines(frame.f_code.co_filename))
    first, last = frame.f_code.co_firstlineno, frame.f_lineno
    written: dict[str, str] = {}
    for cell in list(frame.f_globals.get("In", ()))[:-1]:
        written.update(_written(str(cell), 0, sys.maxsize))
    written.update(_written(here, first, last))
    found: dict[int, str] = {}
    for tensor in (*recording.variables, *recording.all_leaves):
        name = recording.names.get(id(tensor), "").partition("[")[0].partition(".")[0]
        if name in written:
            found.setdefault(id(tensor), written[name])
    for (owner, _), tensor in recording.results.items():
        if id(tensor) in found:
            found.setdefault(owner, found[id(tensor)])
    this = linecache.getline(frame.f_code.co_filename, last).strip()
    for node in reversed(recording.operations):  # results before inputs
        line = found.setdefault(id(node), this)
        for following, _ in node.next_functions:
            found.setdefault(id(following), line)
    return found


def _written(source: str, first: int, last: int) -> Iterator[tuple[str, str]]:
    """Yield each variable that a statement of these lines writes to, with its first line."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a cell with magics
        return
    lines = source.splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt) and first <= node.lineno <= last:
            if isinstance(node, ast.Assign) and (node.end_lineno or 0) >= last:
                continue  # it is still being evaluated
            for name in _targets(node):
                yield name, lines[node.lineno - 1].strip()


def _targets(statement: ast.stmt) -> Iterator[str]:
    """Yield the variables that a statement assigns to, or edits: `x.mul_(2)`, `x[0] = 1`."""
    parts: list[ast.expr] = list(getattr(statement, "targets", ()))
    if isinstance(statement, ast.AugAssign | ast.AnnAssign | ast.For):
        parts = [statement.target]
    elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        called = statement.value.func
        if isinstance(called, ast.Attribute) and called.attr.endswith("_"):
            parts = [called.value]
    for part in parts:
        yield from (node.id for node in ast.walk(part) if isinstance(node, ast.Name))
