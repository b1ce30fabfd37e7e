"""Whether somebody watches, records nothing, or has switched the accelerator off."""

from __future__ import annotations

import threading

from ..support import observers

_lock = threading.RLock()
switched_off = 0  # how many blocks of `fast.off()` are open
unrecorded: set[int] = set()  # threads that record nothing; while it is empty, none need be asked
graphs = False  # whether a backward has ever been recorded; before, no rule runs that matters


def switch_off(change: int) -> None:
    """Count a block of `fast.off()`, which is one more who watches, in all threads."""
    global switched_off
    with _lock:
        switched_off += change
    observers.change_active(change)


def note_mode(recording: bool) -> None:
    """Note whether this thread records. If it ends where it does not, others ask from then on."""
    (unrecorded.discard if recording else unrecorded.add)(threading.get_ident())


def watched() -> bool:
    """Whether somebody wants to see what this thread records; then the plain code does it."""
    return switched_off > 0 or bool(observers.watchers())
