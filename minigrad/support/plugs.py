"""Where the accelerator plugs in: all the slots that the plain library has for `minigrad.fast`.

`minigrad.fast` puts its own in their place before the table of operations is made; each then gives
something faster that does the same. Nothing else of the library is replaced.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

Function = Callable[..., Any]
Roots = Sequence[Any]  # of a backward pass: pairs of an edge and the gradient that goes along it


def _plain_operation(row: Any, function: Function) -> Function:
    return function


def _plain_in_place(name: str, method: Function) -> Function:
    return method


operation: Callable[[Any, Function], Function] = _plain_operation  # of a row of the table
in_place: Callable[[str, Function], Function] = _plain_in_place  # of a method like `add_`
# of an AccumulateGrad that has just been made: what the leaf has in its place
leaf: Callable[[Any], Any] | None = None
# what a pass starts with, of the results and their gradients; None if that needs checks
start: Callable[[Sequence[Any], Any], Roots | None] | None = None
# of a pass and what it starts with: the pass is run as far as it is usual; what is left of it
run: Callable[[Any, Roots], Roots] | None = None
