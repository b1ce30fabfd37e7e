"""Inf and nan without warnings: PyTorch computes them silently, where NumPy warns.

What users have told NumPy and Python to do about them (`np.seterr`, warning filters) is meant for
their own code and stays as it is. So the library computes in blocks of its own, in which NumPy
ignores them in this thread only, and no code of the user's runs inside such a block.
`minigrad.fast` skips the block where it computes with NumPy alone, see `fast.operations`.
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
        """Ignore inf and nan from now on; returns what `reset` needs."""
        state = np.errstate(all="ignore")
        state.__enter__()
        return state

    def reset(self, state: Any) -> None:
        """Restore the settings from before."""
        state.__exit__(None, None, None)


def numpys_settings() -> tuple[Any, Any]:
    """The context variable with NumPy's settings, and the value of it that ignores everything.

    NumPy does not document the variable, so we look for what `np.errstate` changes. Entering
    `np.errstate` itself for every operation would make `x * w` and its backward 16 % slower, which
    is what happens with a NumPy that keeps its settings somewhere else.
    """
    before = dict(copy_context().items())
    with np.errstate(all="ignore"):
        now = copy_context().items()
    changed = [(each, value) for each, value in now if before.get(each) is not value]
    return changed[0] if len(changed) == 1 else (Errstate(), None)


SETTINGS, IGNORE = numpys_settings()


class silence:  # noqa: N801 - a block, as `no_grad` is
    """`np.errstate(all="ignore")`, entered and left in a fifth of the time."""

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before: Any = SETTINGS.set(IGNORE)

    def __exit__(self, *error: object) -> None:
        SETTINGS.reset(self.before)


def silent(function: F) -> F:
    """Let a function of the library compute with arrays without warnings."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with silence():
            return function(*args, **kwargs)

    return call  # type: ignore[return-value]
