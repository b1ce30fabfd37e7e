"""How a class grows: a chapter, and the module that it becomes, attaches methods to it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def method_of(cls: type, *names: str) -> Callable[[T], T]:
    """Attach the function, property or static method below to `cls`, under its name or `names`."""

    def attach(method: T) -> T:
        for name in names or (name_of(method),):
            setattr(cls, name, method)
            if isinstance(method, cached_property):
                method.__set_name__(cls, name)  # Python does so in the body of a class only
        return method

    return attach


def property_of(cls: type, *names: str) -> Callable[[T], T]:
    """Let the function below be a property of `cls` that cannot be set."""

    def attach(getter: T) -> T:
        method_of(cls, *names)(property(getter))  # type: ignore[arg-type]
        return getter

    return attach


def named(method: F, name: str) -> F:
    """The in-place form of an operation under its name, with a docstring."""
    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place version of `{name[:-1]}`: changes the tensor and returns it."
    return method


def name_of(method: Any) -> str:
    """The name of a function, or of the function in a property or a static method."""
    if isinstance(method, cached_property):
        method = method.func
    name: str = getattr(method, "fget", getattr(method, "__func__", method)).__name__
    return name


def users_attributes(tensor: Any) -> dict[str, Any]:
    """What a user has put on a tensor, as `tensor.__dict__` shows it: a copy."""
    ours = {name for cls in type(tensor).__mro__ for name in getattr(cls, "__annotations__", ())}
    everything: Any = object.__getstate__(tensor) or {}
    return {name: value for name, value in everything.items() if name not in ours}
