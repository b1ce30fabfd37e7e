"""Watchers: what wants to see every node, or every tensor, at the moment it is made.

Saved-tensor hooks (`autograd.graph.saved_tensors_hooks`) replace what a new node has saved, anomaly
mode notes where the operation was called, inference mode marks the tensors. All are off in most
programs: then `active` is 0, and nothing else is asked.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from typing import Any

Watcher = Callable[..., None]  # of a node and its outputs, or of a tensor

_lock = threading.RLock()
active = 0  # how many watchers all threads have


class Watch:
    """Counts a watcher as long as its thread holds this, and no longer than the thread lives."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        all_threads(+1)

    def __del__(self) -> None:
        all_threads(-1)


class _Watchers(threading.local):
    def __init__(self) -> None:
        self.of_nodes: list[Watch] = []
        self.of_tensors: list[Watch] = []
        self.edited: Any = None


_watchers = _Watchers()


def recorded(node: Any, outputs: Sequence[Any] = ()) -> None:
    """Show a node that has just been recorded, and what it made, to this thread's watchers, the
    latest first.
    """
    if active:
        for watcher in reversed(watchers()):
            watcher(node, outputs)


def made(tensor: Any) -> None:
    """Show a tensor that has just been made to this thread's watchers of tensors."""
    if active:
        for watch in _watchers.of_tensors:
            watch.watcher(tensor)


def watchers() -> tuple[Watcher, ...]:
    """This thread's watchers of nodes, the latest last."""
    return tuple(watch.watcher for watch in _watchers.of_nodes)


def editing(method: Callable[..., Any]) -> Callable[..., Any]:
    """`method`, while which watchers can ask for its `self`: the tensor that it changes."""

    @functools.wraps(method)
    def watched(self: Any, *args: Any, **kwargs: Any) -> Any:
        if not active:
            return method(self, *args, **kwargs)
        before, _watchers.edited = _watchers.edited, self
        try:
            return method(self, *args, **kwargs)
        finally:
            _watchers.edited = before

    return watched


def edited() -> Any:
    """The tensor that this thread is changing in place, or None."""
    return _watchers.edited


def add(watcher: Watcher, of_tensors: bool = False) -> None:
    """Let `watcher` see what this thread records, or makes, from now on."""
    (_watchers.of_tensors if of_tensors else _watchers.of_nodes).append(Watch(watcher))


def remove(watcher: Watcher, of_tensors: bool = False) -> None:
    """Show nothing to `watcher` any more."""
    watches = _watchers.of_tensors if of_tensors else _watchers.of_nodes
    del watches[[watch.watcher for watch in watches].index(watcher)]


def all_threads(change: int) -> None:
    """Let all threads behave as if they had one watcher more, or one less."""
    global active
    with _lock:
        active += change
