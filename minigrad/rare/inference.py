"""`inference_mode`: `no_grad` for good.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.autograd.grad_mode.inference_mode.html
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core.grad_mode import mode, no_grad
from ..core.tensor import Tensor
from ..support import observers
from ..support.version_counters import UNTRACKED, counts_no_versions
from ..support.methods import method_of, property_of


def mark(name: str, args: Sequence[Any], made: Tensor) -> Tensor:
    """Let a tensor that was made in inference mode count no versions. A view is an inference tensor
    if its base is.
    """
    if mode.inference and made._view is None and name not in ("data", "detach"):
        made._counter = UNTRACKED
    return made


class inference_mode(no_grad):  # noqa: N801 - PyTorch's spelling
    """`no_grad` for good: what is made in the block counts no versions and joins no graph later.

    `inference_mode(False)` inside the block leaves the mode again.
    """

    def __new__(cls, mode: Callable[..., Any] | bool = True) -> Any:
        manager = super().__new__(cls, None if isinstance(mode, bool) else mode)
        if isinstance(mode, bool):
            manager.enabled = not mode
        return manager

    enabled = False

    def clone(self) -> Any:
        return type(self)(not self.enabled)

    def __enter__(self) -> None:
        self.inference_before, mode.inference = mode.inference, not self.enabled
        super().__enter__()
        observers.add_to_results(mark)

    def __exit__(self, *error: object) -> None:
        observers.remove_from_results(mark)
        mode.inference = self.inference_before
        super().__exit__(*error)


def is_inference_mode_enabled() -> bool:
    """Whether what this thread makes is left out of every graph, now and later."""
    return mode.inference


@method_of(Tensor)
def is_inference(self: Tensor) -> bool:
    """Whether it was made in inference mode."""
    return counts_no_versions(self)


@property_of(Tensor)
def _version(self: Tensor) -> int:
    """How often this tensor's memory has been changed in place."""
    if counts_no_versions(self):
        raise RuntimeError("Inference tensors do not track version counter.")
    return 0 if self._counter is None else self._counter[0]
