"""Decorators that attach methods to an existing class, so that a class can grow by chapters."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, TypeVar

from . import errors, extension_points, observers

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


def method_of(cls: type, *names: str) -> Callable[[T], T]:
    """Decorator: attach a function, property or static method to `cls`, by its name or `names`."""

    def attach(method: T) -> T:
        for name in names or (name_of(method),):
            setattr(cls, name, method)
            if isinstance(method, cached_property):
                method.__set_name__(cls, name)  # Python only does this inside a class body
        return method

    return attach


def property_of(cls: type, *names: str) -> Callable[[T], T]:
    """Decorator: attach a function to `cls` as a property that cannot be set."""

    def attach(getter: T) -> T:
        for name in names or (name_of(getter),):
            method_of(cls, name)(refusing(name, property(getter)))  # type: ignore[arg-type]
        return getter

    return attach


def refuses_changes(cls: type[Any]) -> type[Any]:
    """Let the properties of `cls` raise PyTorch's errors when they cannot be set or deleted."""
    for name, each in list(vars(cls).items()):
        if isinstance(each, property) and not name.startswith("__"):
            setattr(cls, name, refusing(name, each))
    return cls


def refusing(name: str, attribute: property) -> property:
    """`attribute`, with a setter and a deleter that raise where it has none."""
    read_only = raising(
        lambda: AttributeError(
            f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable"
        )
    )
    setter = attribute.fset or read_only
    deleter = attribute.fdel or DELETERS.get(name) or read_only
    return property(attribute.fget, setter, deleter, attribute.__doc__)


def raising(error: Callable[[], Exception]) -> Callable[..., None]:
    """A function that ignores its arguments and raises `error()`."""

    def refuse(*args: Any) -> None:
        raise error()

    return refuse


def delete_grad(tensor: Any) -> None:
    """`del x.grad`, which resets it to None."""
    tensor._grad = None


DELETERS = {
    "grad": delete_grad,
    "data": raising(errors.no_deletion_of_data),
    "requires_grad": raising(lambda: RuntimeError("requires_grad must be a bool")),
}


def as_method(method: F, name: str) -> F:
    """The in-place form of an operation as a method, with a name and a docstring.

    Observers can ask which tensor it changes, and the accelerator may replace it with a faster one.
    """
    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place version of `{name[:-1]}`: changes the tensor and returns it."
    return extension_points.in_place(name, observers.editing(method))  # type: ignore[return-value]


def name_of(method: Any) -> str:
    """The name of a function, or of the function inside a property or static method."""
    if isinstance(method, cached_property):
        method = method.func
    name: str = getattr(method, "fget", getattr(method, "__func__", method)).__name__
    return name


class UsersAttributes:
    """The `__dict__` of a tensor: a copy of the attributes that users have set, as in PyTorch.

    It omits the fields that the tensor class declares, but not those of a user's subclass.
    """

    def __set_name__(self, cls: type, name: str) -> None:
        declared = [getattr(each, "__annotations__", {}) for each in cls.__mro__]
        self.fields = {field for fields in declared for field in fields}

    def __get__(self, tensor: Any, cls: type | None = None) -> dict[str, Any]:
        everything: Any = object.__getstate__(tensor) or {}
        return {name: value for name, value in everything.items() if name not in self.fields}

    def __set__(self, tensor: Any, value: Any) -> None:
        raise AttributeError("the __dict__ of a tensor cannot be replaced")
