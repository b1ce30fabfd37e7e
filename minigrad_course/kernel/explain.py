"""Help below an error: which cells have not run in this kernel, and the notebook's own lines.

The error itself stays as it is. Notes below its message say which build cells above have not run,
where a missing name is defined, or which later chapter builds it. The traceback shows only lines of
the notebook, including the parts of the library that its cells define; `%tb` shows all of them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from traceback import walk_tb
from types import ModuleType, TracebackType
from typing import Any

from minigrad_course.kernel.cell_order import ORDER, Order
from minigrad_course.kernel.changed import in_words, is_or_are
from minigrad_course.kernel.page import Page, PageCell, page_of
from minigrad_course.kernel.stages import MINIGRAD

RUN_ABOVE = "To fix this, choose Run > Run All Above Selected Cell."
MOST_NAMED = 3  # cells; the rest are only counted
HIDDEN = ("minigrad_course", "minigrad")  # packages whose lines are left out


def reasons(error: BaseException | None = None, order: Order = ORDER) -> list[str]:
    """Sentences that say which cells have to run first; often there are none.

    Args:
        error: the exception; None if the code ran but gave an unexpected result.
        order: the cells that have run.
    """
    page = page_of(order) if order.running is not None else None
    if page is None:
        return []
    names = [name for each in chain(error) for name in missing_names(each)]
    skipped = page.skipped(order)
    skipped.sort(key=lambda cell: not set(names) & set(cell.builds))
    outdated = [page.cells[place] for place in page.outdated(order)]
    found = [not_built(cell, names, cell in outdated) for cell in skipped[:MOST_NAMED]]
    above = bool(skipped)
    if len(skipped) > MOST_NAMED:
        found.append(f"Build cells above that have not run either: {len(skipped) - MOST_NAMED}.")
    if not any(name in cell.builds for name in names for cell in skipped):
        for note, is_above in filter(None, (where_defined(name, page, order) for name in names)):
            found, above = [note, *found], above or is_above
            break
    return [*found, *([RUN_ABOVE] if above else [])]


def not_built(cell: PageCell, names: Sequence[str], outdated: bool) -> str:
    """Say that a build cell has not run, or must run again, and which of `names` it builds."""
    whole = [name for name in cell.builds if name.rpartition(".")[0] not in cell.builds]
    shown = [name for name in cell.builds if name in names] or whole[:MOST_NAMED]
    place = f"the folded cell of *{cell.heading}*" if cell.folded else f"*{cell.heading}*"
    where = f"{in_words(shown)} {is_or_are(shown)} built in {place}"
    if outdated:
        return f"{where}. Run that cell again, because its class has been rebuilt since."
    return f"{where}, but that cell has not run yet."


def where_defined(name: str, page: Page, order: Order) -> tuple[str, bool] | None:
    """Say where a missing name is defined, and whether that is in a cell above this one."""
    ran, here = page.ran(order), page.here(order)
    places = [place for place, cell in enumerate(page.cells) if name in cell.defines]
    if any(place in ran and place != here for place in places):
        return None  # it was defined and then deleted
    for place in places:
        heading = page.cells[place].heading
        if place < here:
            return f"`{name}` is defined in *{heading}*, but that cell has not run yet.", True
        if place > here:
            return f"`{name}` is defined further down, in *{heading}*.", False
    chapter = MINIGRAD.chapter_of(name)
    if chapter is not None and chapter > page.chapter:
        note = f"`{name}` is built in chapter {chapter:02}; this is chapter {page.chapter:02}."
        return note, False
    return None


def chain(error: BaseException | None) -> Iterator[BaseException]:
    """An error and its causes, in the order in which a traceback follows them."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def missing_names(error: BaseException) -> list[str]:
    """The names that an error says do not exist: `follow`, or `Tensor.backward`."""
    if isinstance(error, ImportError):
        found = re.match(r"cannot import name '(\w+)'", str(error))
        return [found[1]] if found else []
    if not isinstance(error, NameError | AttributeError) or not error.name:
        return []
    if isinstance(error, NameError):
        return [error.name]
    owner = error.obj if isinstance(error.obj, type) else type(error.obj)
    of_kinds = [f"{kind.__name__}.{error.name}" for kind in owner.__mro__ if kind is not object]
    return [*of_kinds, error.name] if isinstance(error.obj, ModuleType) else of_kinds


# --- tracebacks -----------------------------------------------------------------------------------


def explain_errors() -> None:
    """Make this kernel show the course's notes below errors."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    if shell is not None and getattr(shell, "kernel", None) is not None:
        shell.set_custom_exc((Exception, KeyboardInterrupt), show_error)


def show_error(
    shell: Any, kind: type[BaseException], error: BaseException, tb: Any, tb_offset: Any = None
) -> None:
    """Show a cell's error: the notebook's lines, the message, and the notes below it."""
    if isinstance(error, SyntaxError) and not of_running_code(tb):
        shell.showsyntaxerror()
        return
    for note in reasons(error):
        if note not in getattr(error, "__notes__", []):
            error.add_note(note)
    whole = {id(each): each.__traceback__ for each in chain(error)}
    kept, left_out = without_library_calls(tb)
    for each in chain(error):
        if each is not error and each.__traceback__ is not None:
            each.__traceback__, more = without_library_calls(each.__traceback__, offset=0)
            left_out += more
    notes = [*getattr(error, "__notes__", [])]
    if left_out:
        calls = "1 call" if left_out == 1 else f"{left_out} calls"
        error.add_note(f"({calls} inside the library or the course left out; %tb shows them.)")
    try:
        shell.showtraceback((kind, error, kept), tb_offset=tb_offset, running_compiled_code=True)
    finally:
        if left_out:
            error.__notes__ = notes
        for each in chain(error):
            each.__traceback__ = whole[id(each)]
        sys.last_traceback = tb


def of_running_code(tb: TracebackType | None) -> bool:
    """Whether a cell was already running, so the error is not one from parsing the cell itself."""
    return any(frame.f_globals.get("__name__") == "__main__" for frame, _ in walk_tb(tb))


def without_library_calls(tb: TracebackType, offset: int = 1) -> tuple[TracebackType, int]:
    """A traceback without the calls inside the library, and the number of calls left out.

    Args:
        tb: its first entry.
        offset: how many of the first calls belong to IPython, which drops them itself.
    """
    steps: list[TracebackType] = []
    step: TracebackType | None = tb
    while step is not None:
        steps.append(step)
        step = step.tb_next
    kept, inside = steps[:offset], False
    for each in steps[offset:]:
        module = str(each.tb_frame.f_globals.get("__name__", ""))
        inside = module != "__main__" and (inside or module.partition(".")[0] in HIDDEN)
        if not inside:
            kept.append(each)
    if len(kept) == offset:  # nothing but the library's own lines
        return tb, 0
    shown: TracebackType | None = None
    for each in reversed(kept):
        shown = TracebackType(shown, each.tb_frame, each.tb_lasti, each.tb_lineno)
    assert shown is not None
    return shown, len(steps) - len(kept)
