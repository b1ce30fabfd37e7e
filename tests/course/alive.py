"""A chapter's page is alive if the cells below a `lib:` cell really run what it defines.

The cells run in one plain namespace, without a kernel. Each function and method of a `lib:` cell is
emptied in turn, and a definition that has grown is set back to its previous form, and then some
later cell has to show something else. That happens in copies of the process (`os.fork`, which Linux
and macOS have). Whatever a page switches in the process (the garbage collector, tracemalloc, open
figures) must not reach the next run, which would be slower because of it, or show something else
for no reason.
"""

from __future__ import annotations
import __future__

import ast
import contextlib
import gc
import io
import os
import re
import signal
import sys
import time
import traceback
import tracemalloc
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from minigrad_course.desk import ipynb
from minigrad_course.kernel import stages
from tests.course.rules import code_cells, plain
from tools import notebooks
from tools.cell_names import cell_names
from tools.lib_cells import Piece, join, piece

# An engine that was broken on purpose may loop forever. So a cell gets TIMES as much processor time
# as it needed unbroken, and SECONDS more. Wall-clock time would depend on what else is running.
TIMES, SECONDS = 5, 3.0
WAIT = 60.0  # seconds of wall-clock time, for a cell that waits forever
YES, NO = 10, 11  # what a copy of the process exits with
ADDRESS = re.compile(r"0x[0-9a-f]+")


@dataclass(frozen=True)
class Change:
    """A `lib:` cell with a mistake: the number of the cell, the mistake, and the source with it."""

    cell: int
    what: str
    source: str


@dataclass(frozen=True)
class Cell:
    """What a code cell of an unbroken page showed, and how long the processor took."""

    shown: str
    steady: bool  # the same in a second run
    seconds: float


def dead(file: Path) -> list[str]:
    """Definitions that no later cell depends on, and objects of a class that has grown since."""
    notebook = ipynb.read(file)
    if not notebooks.all_lib_names(notebook):
        return []
    with contextlib.chdir(file.parent):
        sources = [plain(cell.source) for cell in code_cells(notebook)]
        look = Look(sources)
        first, again = list(shown(sources, look)), list(shown(sources))
        page = [
            Cell(one, one == other, seconds)
            for one, other, seconds in zip(first, again, look.seconds, strict=True)
        ]
        wrong = look.stale
        at_cell: dict[int, list[Change]] = {}
        for change in changes(notebook, notebooks.number(file)):
            at_cell.setdefault(change.cell, []).append(change)

        def break_next(number: int, names: dict[str, Any]) -> None:
            for change in at_cell.get(number + 1, ()):
                rest = [change.source, *sources[number + 2 :]]
                if not in_a_copy(lambda: noticed(rest, names, page[number + 1 :])):  # noqa: B023
                    wrong.append(f"no later cell notices {change.what}")

        list(shown(sources, break_next))
    return wrong


def in_a_copy(question: Callable[[], bool]) -> bool:
    """The answer to a question that is asked in a copy of this process, which then ends.

    So a page that is broken in a hundred places runs once up to each of them, not a hundred times.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # pytest's other threads are not needed
        copy = os.fork()
    if copy == 0:
        try:
            os._exit(YES if question() else NO)
        except BaseException:
            traceback.print_exc(file=sys.__stderr__)
        finally:
            os._exit(1)
    answer = os.waitstatus_to_exitcode(os.waitpid(copy, 0)[1])
    assert answer in (YES, NO), answer
    return answer == YES


def noticed(sources: list[str], names: dict[str, Any], page: list[Cell]) -> bool:
    """Whether a cell below the first shows something else than on `page`, or one never ends."""
    with time_limit() as set_limit:
        for number, (source, before) in enumerate(zip(sources, page, strict=True)):
            set_limit(SECONDS + TIMES * before.seconds)
            try:
                text = shown_by(source, names)
            except TimeoutError:
                return True
            if number and before.steady and text != before.shown:
                return True
    return False


def changes(notebook: NotebookNode, chapter: int) -> Iterator[Change]:
    """Everything that can be broken in a notebook, one change at a time."""
    names = notebooks.all_lib_names(notebook)
    for number, cell in enumerate(code_cells(notebook)):
        pieces = [piece(name, chapter, names) for name in notebooks.lib_names(cell)]
        for place, one in enumerate(pieces):
            for what, source in broken(one):
                changed = [*pieces]
                changed[place] = Piece(one.name, source, one.node, None)
                yield Change(number, what, join(changed))


def broken(one: Piece) -> Iterator[tuple[str, str]]:
    """A piece broken in every way: with an empty function, or in its previous form."""
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
    """Run cells in a new namespace; yield what each of them shows, errors included.

    After each cell, `look` is called with its number and the names in the namespace.
    """
    for name in [name for name in stages.STAGES if name.startswith("minigrad_course.")]:
        stages.forget(name)
    notebook: dict[str, Any] = {"__name__": "__main__"}
    with process_as_it_was():
        for number, source in enumerate(sources):
            text = shown_by(source, notebook)
            look(number, notebook)
            yield text


def shown_by(source: str, notebook: dict[str, Any]) -> str:
    """Run a cell; return what it shows, errors included."""
    output = io.StringIO()
    with (
        contextlib.redirect_stdout(output),
        contextlib.redirect_stderr(output),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("default")
        warnings.showwarning = lambda message, kind, *_: print(f"{kind.__name__}: {message}")
        try:
            run(source, notebook)
        except TimeoutError:
            raise
        except Exception as error:
            print(f"{type(error).__name__}: {error}")
    return ADDRESS.sub("0x…", output.getvalue())


@contextlib.contextmanager
def process_as_it_was() -> Iterator[None]:
    """Restore the collector and tracemalloc after a page, and close its figures.

    Meanwhile the collector ignores earlier objects. Pages call it often, and each call would take
    half a second if it had to go through the objects of twenty thousand tests.
    """
    collects, traces = gc.isenabled(), tracemalloc.is_tracing()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
        (gc.enable if collects else gc.disable)()
        if not traces:
            tracemalloc.stop()
        if "matplotlib.pyplot" in sys.modules:  # warns at more than twenty open figures
            sys.modules["matplotlib.pyplot"].close("all")


def run(source: str, notebook: dict[str, Any]) -> None:
    """Run a cell; print the value of the expression that it ends with."""
    tree = ast.parse(source)
    # A page's first cell has this import, and in IPython that counts for all of them.
    flags = __future__.annotations.compiler_flag
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec", flags, dont_inherit=True), notebook)
    if isinstance(last, ast.Expr):
        code = compile(ast.Expression(last.value), "<cell>", "eval", flags, dont_inherit=True)
        value = eval(code, notebook)
        if value is not None:
            print(repr(value))


class Look:
    """Watches an unbroken page while it runs."""

    def __init__(self, sources: list[str]) -> None:
        self.sources = sources
        self.seconds: list[float] = []  # of processor time, for each cell
        self.stale: list[str] = []  # objects whose class has grown since they were made
        self.before: dict[str, Any] = {}
        self.started = time.process_time()

    def __call__(self, number: int, names: dict[str, Any]) -> None:
        """After cell `number`, look in `names` for objects of an older class of the same name.

        They matter if a later cell reads them before it makes new ones.
        """
        self.seconds.append(time.process_time() - self.started)
        for target in re.findall(r"^@method_of\((\w+)\)", self.sources[number], re.MULTILINE):
            for name, value in self.before.items():
                older = type(value).__name__ == target and not isinstance(value, names[target])
                if older and is_read(name, self.sources[number + 1 :]):
                    self.stale.append(
                        f"{name} is of an older class {target} than the one that grows"
                    )
        self.before.update(names)
        self.started = time.process_time()


def is_read(name: str, sources: list[str]) -> bool:
    """Whether one of these cells reads `name`, before any of them binds it."""
    for source in sources:
        names = cell_names(source)
        if name in names.read | names.later:
            return True
        if name in names.bound:
            return False
    return False


@contextlib.contextmanager
def time_limit() -> Iterator[Callable[[float], None]]:
    """A function that sets how much processor time is left before a TimeoutError, in seconds."""

    def stop(*_: object) -> None:
        raise TimeoutError

    def set_limit(seconds: float) -> None:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, WAIT if seconds else 0)

    kinds = (signal.SIGPROF, signal.SIGALRM)
    before = [signal.signal(kind, stop) for kind in kinds]
    try:
        yield set_limit
    finally:
        set_limit(0)
        for kind, handler in zip(kinds, before, strict=True):
            signal.signal(kind, handler)
