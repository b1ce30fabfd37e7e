"""`set_grad_enabled`, and the other grad modes under PyTorch's module name.

Source:
https://docs.pytorch.org/docs/2.13/notes/autograd.html#locally-disabling-gradient-computation
"""

from __future__ import annotations

from ..core.grad_mode import enable_grad as enable_grad
from ..core.grad_mode import no_grad as no_grad
from ..core.grad_mode import set_mode
from ..rare.inference import inference_mode as inference_mode
from ..support.checks import check_mode
from ..support.decorators import Decorator, F


class set_grad_enabled(Decorator):  # noqa: N801 - PyTorch's spelling
    """Set the grad mode immediately; as a context manager or decorator, restore it afterwards."""

    def __init__(self, mode: bool) -> None:
        check_mode(mode)
        self.mode = mode
        self.before = set_mode(mode)

    def __enter__(self) -> None:
        set_mode(self.mode)  # it may be entered later, or more than once

    def __exit__(self, *error: object) -> None:
        set_mode(self.before)

    def __call__(self, function: F) -> F:
        set_mode(self.before)  # a decorator acts only while the function runs
        return super().__call__(function)

    def clone(self) -> set_grad_enabled:
        return type(self)(self.mode)

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.mode})"
