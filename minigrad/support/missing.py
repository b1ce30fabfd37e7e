"""A module's public names: which ones it imports on first use, and the error for missing ones.

The error does not say whether PyTorch has the missing name. Its message is Python's own, and a note
below says where to read which parts of PyTorch minigrad leaves out.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from inspect import CO_VARKEYWORDS
from opcode import opmap
from types import ModuleType
from typing import Any, TypeVar

E = TypeVar("E", bound=Exception)
PACKAGE = __name__.partition(".")[0] + "."
ADVICE = "minigrad covers a part of PyTorch; docs/differences.md lists what it leaves out"


def public_names(
    module: str, names: Sequence[str], later: Mapping[str, str] | None = None
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """The `__getattr__` and `__dir__` of a module that shows only its public names.

    Args:
        module: the `__name__` of the module.
        names: its `__all__`.
        later: for a name, the submodule that defines it, or the submodule of that name. They are
            imported on first use, so that programs that do not need them start faster.

    The `__getattr__` raises AttributeError for every other name.
    """
    found_in = later or {}

    def __getattr__(name: str) -> Any:  # noqa: N807 - the module assigns it to this name
        if name not in found_in:
            caller = sys._getframe(1)
            if caller.f_code.co_code[caller.f_lasti] == opmap["IMPORT_FROM"]:
                raise cannot_import(module, name)  # else Python raises its own, without the note
            raise no_attribute(f"module '{module}'", sys.modules[module], name)
        value: Any = import_module(f".{found_in[name]}", module)
        if found_in[name] != name:
            value = getattr(value, name)
            setattr(sys.modules[module], name, value)
        return value

    def __dir__() -> list[str]:  # noqa: N807 - likewise
        special = [name for name in vars(sys.modules[module]) if name.startswith("__")]
        return sorted({*names, *found_in, *special})

    return __getattr__, __dir__


def no_attribute(described: str, owner: Any, name: str) -> AttributeError:
    """The error for a name that `owner` does not have.

    Args:
        described: the owner, in the words of Python's own error.
        owner: the module or object; Python suggests a similar name from it. There is no note for a
            user's own class, because there the missing name has nothing to do with PyTorch.
    """
    error = AttributeError(f"{described} has no attribute '{name}'", name=name, obj=owner)
    users_own = not isinstance(owner, ModuleType) and not type(owner).__module__.startswith(PACKAGE)
    return error if users_own else with_advice(error)


def cannot_import(module: str, name: str) -> ImportError:
    """The error of `from module import name` for a name that `module` does not have."""
    file = sys.modules[module].__file__
    text = f"cannot import name '{name}' from '{module}' ({file})"
    return with_advice(ImportError(text, name=module, path=file))


class MissingModules:
    """The last resort of `import minigrad.func`: an error with the note."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> None:
        """ModuleNotFoundError for a module of this package that no other finder has found."""
        if name.startswith(PACKAGE):
            raise with_advice(ModuleNotFoundError(f"No module named '{name}'", name=name))


class ExplainsKeywords:
    """A base class whose constructors say of an unknown keyword where to read about it."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        made = cls.__init__
        if made is object.__init__ and (args or kwargs):  # Python leaves this to `__new__`
            raise TypeError(f"{cls.__name__}() takes no arguments")
        code = getattr(made, "__code__", None)
        if kwargs and code is not None and (made.__module__ or "").startswith(PACKAGE):
            known = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            unknown = [] if code.co_flags & CO_VARKEYWORDS else kwargs.keys() - {*known}
            for name in unknown:
                text = f"{made.__qualname__}() got an unexpected keyword argument '{name}'"
                raise with_advice(TypeError(text))
        return super().__new__(cls)


def with_advice(error: E) -> E:
    """Add a note to `error` on where to read what this package leaves out."""
    error.add_note(ADVICE)
    return error


sys.meta_path.append(MissingModules)
