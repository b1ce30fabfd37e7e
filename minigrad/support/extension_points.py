"""The slots where the accelerator, `minigrad.fast`, plugs into the plain library.

`minigrad.fast` fills them before the operation table is built, each with something faster that does
the same. It replaces nothing else in the library.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Function = Callable[..., Any]


def _plain_operation(row: Any, function: Function) -> Function:
    return function


def _plain_in_place(name: str, method: Function) -> Function:
    return method


# Takes a row of the table and its function; returns the function to use.
operation: Callable[[Any, Function], Function] = _plain_operation
# Takes the name of a method like `add_` and its function; returns the function to use.
in_place: Callable[[str, Function], Function] = _plain_in_place
# Takes a new AccumulateGrad; returns the one to use.
leaf: Callable[[Any], Any] | None = None
# Called with the new grad mode whenever it changes in this thread.
mode: Callable[[bool], None] | None = None
# Takes a backward pass with its initial edges and gradients and runs as much of it as it can;
# returns the remaining edges and gradients.
run: Callable[[Any, Sequence[Any], Sequence[Any]], tuple[Sequence[Any], Sequence[Any]]] | None
run = None
