"""Names that a module finds when somebody asks for them, and the errors for those nobody finds.

Whether PyTorch has a name that is not there, nobody looks up: the sentence is Python's and
PyTorch's own, and a note below it says where to read what this package leaves out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any, TypeVar

E = TypeVar("E", bound=Exception)
PACKAGE = __name__.partition(".")[0] + "."
ADVICE = "minigrad has a part of PyTorch; docs/differences.md says what it leaves out"


def missing_from(module: str, later: Mapping[str, str] | None = None) -> Callable[[str], Any]:
    """The `__getattr__` of `module`, which Python asks for names that are not there.

    Args:
        module: its `__name__`.
        later: name → the submodule that has it, or that it is itself. These are imported when they
            are asked for, so that programs that never do need not wait for them.

    AttributeError for every other name.
    """
    found_in = later or {}

    def __getattr__(name: str) -> Any:  # noqa: N807 - that is what it becomes
        if name not in found_in:
            raise no_attribute(f"module '{module}'", sys.modules[module], name)
        value: Any = import_module(f".{found_in[name]}", module)
        if found_in[name] != name:
            value = getattr(value, name)
            setattr(sys.modules[module], name, value)
        return value

    return __getattr__


def no_attribute(described: str, owner: Any, name: str) -> AttributeError:
    """The error for a name that `owner` has not.

    Args:
        described: what Python's own error would call the owner.
        owner: Python looks through its names for one that the user may have meant. What is missing
            in a class of the user's own is mostly the user's, and has no note.
    """
    error = AttributeError(f"{described} has no attribute '{name}'", name=name, obj=owner)
    users_own = not isinstance(owner, ModuleType) and not type(owner).__module__.startswith(PACKAGE)
    return error if users_own else with_advice(error)


def with_advice(error: E) -> E:
    """`error`, with a note on where to read what this package leaves out."""
    error.add_note(ADVICE)
    return error
