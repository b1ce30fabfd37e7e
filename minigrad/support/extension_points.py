"""Where the accelerator plugs in: all the slots that the plain library has for `minigrad.fast`.

`minigrad.fast` puts its own in their place before the table of operations is made; each then gives
something faster that does the same. Nothing else of the library is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Function = Callable[..., Any]


def _plain_operation(row: Any, function: Function) -> Function:
    return function


def _plain_in_place(name: str, method: Function) -> Function:
    return method


operation: Callable[[Any, Function], Function] = _plain_operation  # of a row of the table
in_place: Callable[[str, Function], Function] = _plain_in_place  # of a method like `add_`
# of an AccumulateGrad that has just been made: what the leaf has in its place
leaf: Callable[[Any], Any] | None = None
# of whether this thread records from now on: for who keeps account of the threads
mode: Callable[[bool], None] | None = None
# of a pass, and the edges and gradients with which it begins: it is run as far as it is usual;
# the edges and gradients that are left
run: Callable[[Any, Sequence[Any], Sequence[Any]], tuple[Sequence[Any], Sequence[Any]]] | None
run = None
