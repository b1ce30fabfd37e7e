"""Inf and nan without a word: PyTorch computes them in silence, where NumPy warns.

What a user has told NumPy and Python to do about them (`np.seterr`, warning filters) is meant for
the user's own code, and stays as it is. So the library computes in blocks of its own, in which
NumPy ignores them: for this thread only, and no user's code runs within. `minigrad.fast`
spares itself the block where it computes with NumPy alone, see `fast.operations`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextvars import ContextVar, Token, copy_context
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


def what_errstate_sets() -> tuple[ContextVar[Any], Any]:
    """The context variable in which NumPy keeps it, and its value where everything is ignored."""
    before = dict(copy_context().items())
    with np.errstate(all="ignore"):
        now = copy_context().items()
    (changed,) = [(each, value) for each, value in now if before.get(each) is not value]
    return changed


SETTINGS, IGNORE = what_errstate_sets()


class silence:  # noqa: N801 - a block, as `no_grad` is
    """A block in which NumPy ignores inf and nan.

    It is `np.errstate(all="ignore")`, entered and left in a fifth of the time.
    """

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before: Token[Any] = SETTINGS.set(IGNORE)

    def __exit__(self, *error: object) -> None:
        SETTINGS.reset(self.before)


def silent(function: F) -> F:
    """A function of the library whose arithmetic with arrays is done in silence."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        with silence():
            return function(*args, **kwargs)

    return call  # type: ignore[return-value]
