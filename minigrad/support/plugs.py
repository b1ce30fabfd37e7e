"""Where the accelerator plugs in: all the slots that the plain library has for `minigrad.fast`.

Each gives back what it is given, or nothing. `minigrad.fast` puts its own in their place before the
table of operations is made; each then gives something faster that does the same. Nothing else of
the library is replaced.
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


def _plain_leaf(node: Any) -> Any:
    return node


def _no_short_way(roots: Sequence[Any], grads: Sequence[Any]) -> Roots | None:
    return None


def _nothing_done(walk: Any, roots: Roots) -> Roots:
    return roots


operation: Callable[[Any, Function], Function] = _plain_operation  # of a row of the table
in_place: Callable[[str, Function], Function] = _plain_in_place  # of a method like `add_`
leaf: Callable[[Any], Any] = _plain_leaf  # of an AccumulateGrad that has just been made
start: Callable[[Sequence[Any], Sequence[Any]], Roots | None] = _no_short_way  # what a pass starts
# with, if that needs no check
run: Callable[[Any, Roots], Roots] = _nothing_done  # what is left of a pass, after its usual part
