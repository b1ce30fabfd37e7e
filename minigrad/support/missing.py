"""Names that a module finds when somebody asks for them, or not at all."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def missing_from(module: str, later: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of `module`, which Python asks for names that are not there.

    Args:
        module: its `__name__`.
        later: name → the submodule that has it, or that it is itself. These are imported when they
            are asked for, so that programs that never do need not wait for them.

    AttributeError for every other name, which PyTorch may have and this package has not.
    """
    found_in = later or {}

    def __getattr__(name: str) -> Any:  # noqa: N807 - that is what it becomes
        if name not in found_in:
            raise AttributeError(
                f"module '{module}' has no attribute '{name}': minigrad has what autograd programs"
                " need of torch, and README.md says what it leaves out"
            )
        value: Any = import_module(f".{found_in[name]}", module)
        if found_in[name] != name:
            value = getattr(value, name)
            setattr(sys.modules[module], name, value)
        return value

    return __getattr__
