"""Whether operations are recorded: `no_grad`, `enable_grad`, `set_grad_enabled`.

Source:
https://docs.pytorch.org/docs/2.13/notes/autograd.html#locally-disabling-gradient-computation
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, TypeVar

from ..support.checks import check_mode
from ..support.decorators import decorated

F = TypeVar("F", bound=Callable[..., Any])


class Mode(threading.local):
    """Each thread has its own; operations ask for `recording`."""

    enabled = True  # what `is_grad_enabled` says
    recording = True  # whether operations are recorded: `enabled`, and not in inference mode
    inference = False


mode = Mode()


def is_grad_enabled() -> bool:
    """Whether operations in this thread are recorded at present."""
    return mode.enabled


def set_mode(enabled: bool) -> bool:
    """Set this thread's mode and return the one before."""
    before, mode.enabled = mode.enabled, enabled
    mode.recording = enabled and not mode.inference
    return before


class ModeManager:
    """A context manager that sets the mode and puts back what it was; a decorator, too."""

    enabled: bool

    def __enter__(self) -> None:
        self.before = set_mode(self.enabled)

    def __exit__(self, *error: object) -> None:
        set_mode(self.before)

    def __call__(self, function: F) -> F:
        wrapped: F = decorated(function, self.clone)
        return wrapped

    def clone(self) -> ModeManager:
        """A manager like this one, for each call of a decorated function."""
        return type(self)()


class FixedMode(ModeManager):
    """`no_grad` and `enable_grad`: as a decorator they work with parentheses and without."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        manager = object.__new__(cls)
        return manager if function is None else manager(function)


class no_grad(FixedMode):  # noqa: N801 - PyTorch's spelling
    """Switch recording off: results do not require grad, and nothing is saved for backward."""

    enabled = False


class enable_grad(FixedMode):  # noqa: N801 - PyTorch's spelling
    """Switch recording on inside a `no_grad` block."""

    enabled = True


class set_grad_enabled(ModeManager):  # noqa: N801 - PyTorch's spelling
    """Set the mode: at once when called, and until the end of the block as a context manager."""

    def __init__(self, mode: bool) -> None:
        check_mode(mode)
        self.mode = self.enabled = mode
        self.before = set_mode(mode)

    def __enter__(self) -> None:
        set_mode(self.enabled)  # again: what was before is known already

    def __call__(self, function: F) -> F:
        set_mode(self.before)  # as a decorator it acts on the function only, not at once
        return ModeManager.__call__(self, function)

    def clone(self) -> set_grad_enabled:
        return type(self)(self.enabled)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.enabled})"
