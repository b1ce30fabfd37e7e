"""Silence NumPy's warnings about inf and nan, because PyTorch computes them silently.

The user's own settings (`np.seterr`, warning filters) are meant for the user's code, so we must not
change them. The library therefore computes inside short blocks that silence NumPy in this thread
only, and no user code runs inside such a block. `minigrad.fast` skips the block where it calls
nothing but NumPy, see `fast.operations`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import copy_context
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


class Errstate:
    """`np.errstate(all="ignore")` with the two methods of a context variable that we use."""

    def set(self, _: Any) -> Any:
        """Ignore inf and nan from now on. Returns what `reset` needs."""
        state = np.errstate(all="ignore")
        state.__enter__()
        return state

    def reset(self, state: Any) -> None:
        """Restore the previous settings."""
        state.__exit__(None, None, None)


def numpys_settings() -> tuple[Any, Any]:
    """The context variable with NumPy's settings, and the value of it that ignores everything.

    NumPy does not document the variable, so we look for the one that `np.errstate` changes. If this
    NumPy keeps its settings elsewhere, we fall back to `np.errstate` itself, which makes `x * w`
    with its backward 16 % slower.
    """
    before = dict(copy_context().items())
    with np.errstate(all="ignore"):
        now = copy_context().items()
    changed = [(each, value) for each, value in now if before.get(each) is not value]
    return changed[0] if len(changed) == 1 else (Errstate(), None)


SETTINGS, IGNORE = numpys_settings()


class silence:  # noqa: N801 - a context manager, named like `no_grad`
    """`np.errstate(all="ignore")`, but entering and leaving it takes a fifth of the time."""

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before: Any = SETTINGS.set(IGNORE)

    def __exit__(self, *error: object) -> None:
        SETTINGS.reset(self.before)


def silent(function: F) -> F:
    """Decorate a function of the library that computes on arrays, to silence NumPy's warnings."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with silence():
            return function(*args, **kwargs)

    return call  # type: ignore[return-value]
