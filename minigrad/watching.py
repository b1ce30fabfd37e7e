"""Watchers: what wants to see every node at the moment it is recorded.

Two things do: saved-tensor hooks (`autograd.graph.saved_tensors_hooks`), which replace what a node
has saved, and anomaly mode, which notes where the operation was called. An operation reads one
number, `active`, and calls `recorded` only if some thread has a watcher.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .node import Node

Watcher = Callable[[Any], None]


class _Watchers(threading.local):
    def __init__(self) -> None:
        self.stack: list[Watcher] = []


_watchers = _Watchers()
_lock = threading.Lock()
active = 0


def recorded(node: Node) -> None:
    """Show a node that has just been recorded to this thread's watchers, the latest first."""
    for watcher in reversed(watchers()):
        watcher(node)


def watchers() -> tuple[Watcher, ...]:
    """This thread's watchers, the latest last."""
    return tuple(_watchers.stack)


def add(watcher: Watcher) -> None:
    """Let `watcher` see what this thread records from now on."""
    global active
    with _lock:
        active += 1
    _watchers.stack.append(watcher)


def remove(watcher: Watcher) -> None:
    """Stop showing nodes to `watcher`."""
    global active
    _watchers.stack.remove(watcher)
    with _lock:
        active -= 1
