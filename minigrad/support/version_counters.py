"""The version counter of inference tensors, which do not count versions."""

from __future__ import annotations

from typing import Any


class Untracked(list[Any]):
    """Used instead of a version counter; reading the version raises RuntimeError."""

    mode: Any  # the grad mode of the running thread, from `minigrad.rare.inference`

    def __getitem__(self, index: Any) -> Any:
        raise RuntimeError(
            "Inference tensors cannot be saved for backward. Please do not use Tensors created in"
            " inference mode in computation tracked by autograd. To work around this, you can make"
            " a clone to get a normal tensor and use it in autograd, or use `torch.no_grad()`"
            " instead of `torch.inference_mode()`."
        )


UNTRACKED = Untracked()


def counts_no_versions(tensor: Any) -> bool:
    """Whether the tensor was made in inference mode."""
    return getattr(tensor, "_counter", None) is UNTRACKED  # chapter 02 has no counters yet


def is_closed(tensor: Any) -> bool:
    """Whether the tensor was made in inference mode, and that mode is off now."""
    return counts_no_versions(tensor) and not UNTRACKED.mode.inference
