"""Threads that share a leaf take turns adding to its gradient, as in PyTorch.

Without that, two of them could read the old sum before either has written the new one, and one
gradient would be lost.

Source: the mutex of torch/csrc/autograd/functions/accumulate_grad.h
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

one_at_a_time = threading.RLock()  # hooks on what a sum saves may run a pass of their own


def in_turn(function: F) -> F:
    """Let one thread at a time be in `function`."""

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        with one_at_a_time:
            return function(*args)

    return call  # type: ignore[return-value]
