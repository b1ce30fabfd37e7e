"""What stands in the place of a version counter where versions are not counted."""

from __future__ import annotations

from typing import Any

from . import errors


class Untracked(list[Any]):
    """Stands where a version counter would be; asking it for the version raises RuntimeError."""

    def __getitem__(self, index: Any) -> Any:
        raise errors.saved_inference_tensor()


UNTRACKED = Untracked()


def counts_no_versions(tensor: Any) -> bool:
    """Whether the tensor was made in inference mode."""
    return getattr(tensor, "_counter", None) is UNTRACKED  # chapter 02 has no counters yet
