"""What modules say of the names that PyTorch's have and these have not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def missing_from(module: str) -> Callable[[str], Any]:
    """The `__getattr__` of `module`: AttributeError for every name that Python did not find."""

    def __getattr__(name: str) -> Any:  # noqa: N807 - that is what it becomes
        raise AttributeError(
            f"module '{module}' has no attribute '{name}': minigrad has what autograd programs need"
            " of torch, and README.md says what it leaves out"
        )

    return __getattr__
