"""Whether there are observers, which threads do not record, whether the accelerator is off."""

from __future__ import annotations

import threading

from ..support import observers

_lock = threading.RLock()
switched_off = 0  # how many blocks of `fast.off()` are open
no_grad_threads: set[int] = set()  # while it is empty, no operation has to check its thread's mode
recorded_backward = False  # with create_graph; until then `rules` does not matter


def switch_off(change: int) -> None:
    """Enter (+1) or leave (-1) a block of `fast.off()`, an observer in every thread."""
    global switched_off
    with _lock:
        switched_off += change
    (observers.active.append if change > 0 else observers.active.remove)(switch_off)


def note_mode(recording: bool) -> None:
    """Note whether this thread records.

    If a thread ends while it does not, it stays in the set, and others check their mode ever after.
    """
    (no_grad_threads.discard if recording else no_grad_threads.add)(threading.get_ident())


def watched() -> bool:
    """Whether this thread has observers, so that the plain code has to run."""
    return switched_off > 0 or bool(observers.watchers())
