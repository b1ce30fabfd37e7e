"""Arithmetic with numbers while rules run: PyTorch's functions of a tensor and a number.

`x * 2` in a program is `mul(x, 2)`, a product of two tensors of which one is a number: its node has
two edges. The rules of the table are C++ in PyTorch, and there `grad * 2` is another overload, with
a node of its own (`MulBackward1`) that has one edge. Second derivatives show it.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from .operands import NUMBERS
from .subclasses import of_no_class

F = TypeVar("F", bound=Callable[..., Any])


class _Running(threading.local):
    rules = False


running = _Running()


def in_rules(backward: F) -> F:
    """Let what `backward` computes be what the rules of the table compute."""

    @functools.wraps(backward)
    def wrapper(*args: Any) -> Any:
        before, running.rules = running.rules, True
        try:
            return [of_no_class(grad) for grad in backward(*args)]
        finally:
            running.rules = before

    return wrapper  # type: ignore[return-value]


def wrapped(value: Any, stands_for_tensor: bool) -> Any:
    """A number that a node keeps in the place of a tensor: one of NumPy's, to tell it from the
    numbers that rules have of their own. PyTorch keeps a tensor that is a "wrapped number".
    """
    return np.asarray(value)[()] if stands_for_tensor and isinstance(value, NUMBERS) else value


def overload(row: Any, args: tuple[Any, ...]) -> Callable[..., Any] | None:
    """What to call instead of the row `row`: its overload for a number, if a rule gives it one."""
    if not running.rules or len(args) != 2 or args[1].__class__ not in (int, float, bool):
        return None
    scalar: Callable[..., Any] | None = getattr(row, "scalar", None)
    return scalar
