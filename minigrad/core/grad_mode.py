"""Whether operations are recorded: `no_grad` and `enable_grad`.

Source:
https://docs.pytorch.org/docs/2.13/notes/autograd.html#locally-disabling-gradient-computation
"""

from __future__ import annotations

import threading

from ..support import extension_points
from ..support.decorators import ParameterlessDecorator


class Mode(threading.local):
    """The mode of a thread; operations check `recording`."""

    enabled = True  # what `is_grad_enabled` returns
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
    if extension_points.mode:  #@fast
        extension_points.mode(mode.recording)
    return before


class no_grad(ParameterlessDecorator):  # noqa: N801 - PyTorch's spelling
    """Switch recording off: results do not require grad, and nothing is saved for backward."""

    enabled = False

    def __enter__(self) -> None:
        self.before = set_mode(self.enabled)

    def __exit__(self, *error: object) -> None:
        set_mode(self.before)


class enable_grad(no_grad):  # noqa: N801 - PyTorch's spelling
    """Switch recording on inside a `no_grad` block."""

    enabled = True
