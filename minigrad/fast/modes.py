"""Whether anybody has switched recording off: one number to read, in place of a look at the thread.

Almost every operation of almost every program finds recording on. So `Mode.enabled` becomes a
property that counts the threads in which it is off, and operations look at their thread only if
there are any.
"""

from __future__ import annotations

import threading
from typing import Any

from ..core.grad_mode import Mode, mode
from ..support import scalars, watching

_lock = threading.RLock()
switched_off = 0  # how many blocks of `fast.off()` are open
threads_off = 0  # how many threads have recording switched off
# An entry for each thread that runs rules of the table, where arithmetic with numbers is special; a
# list, because threads can change it at once without a lock.
in_rules: list[None] = []


class _Off:
    """Counts a thread for as long as its mode is off, and no longer than the thread lives."""

    def __init__(self) -> None:
        global threads_off
        with _lock:
            threads_off += 1

    def __del__(self) -> None:
        global threads_off
        with _lock:
            threads_off -= 1


def enabled(mode: Any) -> bool:
    return mode.off is None


def set_enabled(mode: Any, value: bool) -> None:
    if (mode.off is None) != value:
        mode.off = None if value else _Off()


def rules(running: Any) -> bool:
    return running.on  # type: ignore[no-any-return]


def set_rules(running: Any, value: bool) -> None:
    if running.on is not value:
        running.on = value
        if value:
            in_rules.append(None)
        else:
            in_rules.pop()


def switch_off(change: int) -> None:
    """Count a block of `fast.off()`, which is one more who watches, in all threads."""
    global switched_off
    with _lock:
        switched_off += change
    watching.all_threads(change)


def watched() -> bool:
    """Whether somebody wants to see what this thread records; then the plain code does it."""
    return switched_off > 0 or bool(watching.watchers())


def left_out(out: Any) -> bool:
    """Show a result to those who watch tensors, as inference mode does; whether that is all."""
    watching.made(out)
    return not mode.records()


def plug_in() -> None:
    """Let the modes be counted."""
    Mode.off = None  # type: ignore[attr-defined]
    Mode.enabled = property(enabled, set_enabled)  # type: ignore[assignment]
    running = type(scalars.running)
    running.on = False  # type: ignore[attr-defined]
    running.rules = property(rules, set_rules)  # type: ignore[assignment]
