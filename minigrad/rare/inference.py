"""`inference_mode`: like `no_grad`, but its results can never join a graph.

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

UNTRACKED.mode = mode


def mark(name: str, args: Sequence[Any], made: Tensor) -> Tensor:
    """Turn the result of an operation in inference mode into an inference tensor, which counts no
    versions. A view is left alone, because it is an inference tensor if its base is.
    """
    if mode.inference and made._view is None and name not in ("data", "detach"):
        made._counter = UNTRACKED
    return made


class inference_mode(no_grad):  # noqa: N801 - PyTorch's spelling
    """Like `no_grad`, but tensors created in the block count no versions and cannot join a graph.

    `inference_mode(False)` inside the block turns the mode off again.
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
    """Whether inference mode is on in this thread."""
    return mode.inference


@method_of(Tensor)
def is_inference(self: Tensor) -> bool:
    """Whether the tensor was created in inference mode."""
    return counts_no_versions(self)


@property_of(Tensor)
def _version(self: Tensor) -> int:
    """How often this tensor's memory has been changed in place. RuntimeError in inference mode."""
    if counts_no_versions(self):
        raise RuntimeError("Inference tensors do not track version counter.")
    return 0 if self._counter is None else self._counter[0]
