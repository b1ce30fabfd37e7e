"""Names that a module finds when somebody asks for them, and the errors for those nobody finds.

What PyTorch has and this package has not fails with a message that says so. Whether PyTorch has a
name is looked up in `torch_names`, when the error is made.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

ADVICE = (
    "minigrad has what autograd programs need of torch; docs/differences.md says what it leaves out"
)


def missing_from(module: str, later: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of `module`, which Python asks for names that are not there.

    Args:
        module: its `__name__`.
        later: name → the submodule that has it, or that it is itself. These are imported when they
            are asked for, so that programs that never do need not wait for them.

    AttributeError for every other name; it says so if PyTorch has it.
    """
    found_in = later or {}
    place = "torch" + module[len(module.partition(".")[0]) :]

    def __getattr__(name: str) -> Any:  # noqa: N807 - that is what it becomes
        if name not in found_in:
            raise no_attribute(f"module '{module}'", place, sys.modules[module], name)
        value: Any = import_module(f".{found_in[name]}", module)
        if found_in[name] != name:
            value = getattr(value, name)
            setattr(sys.modules[module], name, value)
        return value

    return __getattr__


def no_attribute(described: str, place: str, owner: Any, name: str) -> AttributeError:
    """The error for a name that `owner` has not.

    Args:
        described: what Python's own error would call the owner.
        place: where it is in PyTorch: `torch.nn`, `torch.Tensor`.
        owner: Python looks through its names for one that the user may have meant.
    """
    text = f"{described} has no attribute '{name}'"
    if not name.startswith("_") and name in names("NAMES", place):
        text += f": {ADVICE}"
    return AttributeError(text, name=name, obj=owner)


def is_argument_of(function: str, keyword: str) -> bool:
    """Whether PyTorch's function or method of this name has an optional argument `keyword`."""
    return function in names("KEYWORDS", keyword)


def names(table: str, key: str) -> list[str]:
    """The names that stand under `key` in a table of `torch_names`."""
    from . import torch_names  # late: most stages of the course have no use for it

    found: dict[str, str] = getattr(torch_names, table)
    return found.get(key, "").split()
