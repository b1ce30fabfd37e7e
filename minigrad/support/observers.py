"""Callbacks for the rest of the library: a node is recorded, has a result, or runs in backward.

There are four events, and each costs next to nothing while nobody listens:

- A node was recorded: `watcher(node, outputs)`. Saved-tensor hooks replace what the node has saved,
  and anomaly mode notes where the operation was called. These watchers are in `active`.
- An operation has a result: `change(name, args, result)` returns the result to use. Inference mode
  marks it, and a subclass of Tensor converts it to that class. These callbacks are in `results`
  and see the results of all threads.
- A node runs: `around(run, node, grads)` calls `run(node, grads)` and returns its result. Anomaly
  mode reports errors this way. The callback that was added last is outermost.
- A tensor is edited in place: watchers of nodes can ask for it with `edited`.
"""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

Watcher = Callable[[Any, Sequence[Any]], None]  # (node, outputs)
Change = Callable[[str, Sequence[Any], Any], Any]  # (name, arguments, result) -> result
Run = Callable[[Any, Any], Any]  # (node, gradients of its outputs) -> gradients of its inputs
Around = Callable[[Run, Any, Any], Any]

active: list[Any] = []  # the watchers of nodes in all threads
results: list[Change] = []


class Watch:
    """Keeps a callback in one of these lists while its thread keeps this object, so at most until
    the thread ends.
    """

    def __init__(self, callback: Callable[..., Any], listed: list[Any]) -> None:
        self.callback, self.listed = callback, listed
        listed.append(callback)

    def __del__(self) -> None:
        self.listed.remove(self.callback)


class _Watchers(threading.local):
    def __init__(self) -> None:
        self.around_runs: list[Around] = []
        self.passes: list[weakref.ref[Any]] = []  # the running ones, innermost last
        self.of_nodes: list[Watch] = []
        self.of_results: list[Watch] = []
        self.edited: Any = None


_watchers = _Watchers()


def begin(backward_pass: Any) -> None:
    """Note that a pass begins, and wrap its `run_node` in the callbacks of this thread."""
    passes = _watchers.passes
    while passes and passes[-1]() is None:  # it has ended, because it was freed
        passes.pop()
    passes.append(weakref.ref(backward_pass))
    if _watchers.around_runs:
        # A strong reference would make a cycle of the pass and its own `run_node`.
        run = type(backward_pass).run_node.__get__(weakref.proxy(backward_pass))
        for around in _watchers.around_runs:
            run = functools.partial(around, run)
        backward_pass.run_node = run


def current_pass() -> Any:
    """The innermost backward pass that is running in this thread, or None."""
    running = [each() for each in _watchers.passes]
    return next((each for each in reversed(running) if each is not None), None)


def add_around(around: Around) -> None:
    """Wrap the runs of nodes in `around`, for passes that this thread begins from now on."""
    _watchers.around_runs.append(around)


def remove_around(around: Around) -> None:
    """Undo `add_around` for passes that begin from now on."""
    _watchers.around_runs.remove(around)


def recorded(node: Any, outputs: Sequence[Any] = ()) -> None:
    """Show a new node and its outputs to this thread's watchers, the latest one first."""
    if active:
        for watcher in reversed(watchers()):
            watcher(node, outputs)


def made(name: str, args: Sequence[Any], result: Any) -> Any:
    """Pass a result through the callbacks in `results`, and return the one to use."""
    for change in tuple(results):
        result = change(name, args, result)
    return result


def watchers() -> tuple[Watcher, ...]:
    """This thread's watchers of nodes, the latest one last."""
    return tuple(watch.callback for watch in _watchers.of_nodes)


def editing(method: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap an in-place method so that, while it runs, watchers can ask which tensor it changes."""

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
    """Show `watcher` every node that this thread records from now on."""
    _watchers.of_nodes.append(Watch(watcher, active))


def remove(watcher: Watcher) -> None:
    """Stop showing nodes to `watcher`."""
    end(_watchers.of_nodes, watcher)


def add_to_results(change: Change) -> None:
    """Pass results through `change` until `remove_from_results`, or until this thread ends."""
    _watchers.of_results.append(Watch(change, results))


def remove_from_results(change: Change) -> None:
    """Stop passing results through `change`."""
    end(_watchers.of_results, change)


def end(watches: list[Watch], callback: Callable[..., Any]) -> None:
    """Drop the first of `watches` with this callback."""
    del watches[[watch.callback for watch in watches].index(callback)]
