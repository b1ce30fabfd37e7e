"""Where the accelerator plugs in: the seam between the plain library and `minigrad.fast`.

Both functions give back what they are given. `minigrad.fast` puts its own in their place, before
the table of operations is made; each then gives back something faster that does the same. Whatever
else it replaces are methods of the core's classes and functions of its modules, which it puts there
from outside: nothing in the plain library knows of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]


def _plain_operation(row: Any, function: Function) -> Function:
    return function


def _plain_in_place(name: str, method: Function) -> Function:
    return method


operation: Callable[[Any, Function], Function] = _plain_operation  # of a row of the table
in_place: Callable[[str, Function], Function] = _plain_in_place  # of a method like `add_`
