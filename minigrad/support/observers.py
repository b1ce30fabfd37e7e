"""Events: what wants to see a node, a result or a run at the moment it is there.

There are four, and all cost next to nothing while nobody listens:

- a node has been recorded: `watcher(node, outputs)`. Saved-tensor hooks replace what it has saved,
  anomaly mode notes where the operation was called. `active` says whether anybody listens.
- an operation has made a result: `change(name, args, result)` returns the result, or what stands
  for it. Inference mode marks it, and subclasses of Tensor make it one of theirs. These stand in
  `results`, and see those of all threads.
- a node runs: `around(run, node, grads)` calls `run(node, grads)` and returns what that does.
  Anomaly mode reports what fails. The latest that was added is outermost.
- a tensor is edited in place: watchers of nodes can ask for it by `edited`.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

Watcher = Callable[[Any, Sequence[Any]], None]  # of a node and its outputs
Change = Callable[[str, Sequence[Any], Any], Any]  # of an operation's name, arguments and result
Run = Callable[[Any, Any], Any]  # from a node and the gradients that have arrived to what it sends
Around = Callable[[Run, Any, Any], Any]

_lock = threading.RLock()
active = 0  # how many watchers of nodes all threads have
results: list[Change] = []


class Watch:
    """Counts a watcher as long as its thread holds this, and no longer than the thread lives."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        all_threads(+1)

    def __del__(self) -> None:
        all_threads(-1)


class WatchOfResults:
    """The same for what changes results."""

    def __init__(self, change: Change) -> None:
        self.change = change
        results.append(change)

    def __del__(self) -> None:
        results.remove(self.change)


class _Watchers(threading.local):
    def __init__(self) -> None:
        self.around_runs: list[Around] = []
        self.passes: list[weakref.ref[Any]] = []  # that have begun, the innermost last
        self.of_nodes: list[Watch] = []
        self.of_results: list[WatchOfResults] = []
        self.edited: Any = None


_watchers = _Watchers()


def begin(backward_pass: Any) -> None:
    """Note that a pass begins in this thread; who wants to stands around its `run_node`."""
    passes = _watchers.passes
    while passes and passes[-1]() is None:  # ended: nobody holds it any more
        passes.pop()
    passes.append(weakref.ref(backward_pass))
    if _watchers.around_runs:
        run = type(backward_pass).run_node.__get__(weakref.proxy(backward_pass))  # no cycle
        for around in _watchers.around_runs:
            run = functools.partial(around, run)
        backward_pass.run_node = run


def current_pass() -> Any:
    """The innermost backward pass of this thread; None outside of all."""
    running = [each() for each in _watchers.passes]
    return next((each for each in reversed(running) if each is not None), None)


def add_around(around: Around) -> None:
    """Let `around` stand around the runs of nodes, in passes that begin in this thread."""
    _watchers.around_runs.append(around)


def remove_around(around: Around) -> None:
    """Take it away again."""
    _watchers.around_runs.remove(around)


def recorded(node: Any, outputs: Sequence[Any] = ()) -> None:
    """Show a node that has just been recorded, and what it made, to this thread's watchers, the
    latest first.
    """
    if active:
        for watcher in reversed(watchers()):
            watcher(node, outputs)


def made(name: str, args: Sequence[Any], result: Any) -> Any:
    """Show a result to those who want to see results; what stands for it then."""
    for change in tuple(results):
        result = change(name, args, result)
    return result


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


def add(watcher: Watcher) -> None:
    """Let `watcher` see what this thread records from now on."""
    _watchers.of_nodes.append(Watch(watcher))


def remove(watcher: Watcher) -> None:
    """Show nothing to `watcher` any more."""
    watches = _watchers.of_nodes
    del watches[[watch.watcher for watch in watches].index(watcher)]


def add_to_results(change: Change) -> None:
    """Let `change` see results until `remove_from_results`, or this thread's end."""
    _watchers.of_results.append(WatchOfResults(change))


def remove_from_results(change: Change) -> None:
    """Show no results to `change` any more."""
    watches = _watchers.of_results
    del watches[[watch.change for watch in watches].index(change)]


def all_threads(change: int) -> None:
    """Let all threads behave as if they had one watcher more, or one less."""
    global active
    with _lock:
        active += change
