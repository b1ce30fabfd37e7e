"""Context managers that also decorate functions and generators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from . import errors

F = TypeVar("F", bound=Callable[..., Any])
Manager = Callable[[], Any]  # returns a new context manager, for one call


class Decorator:
    """Base of context managers that can decorate a function as well."""

    def __call__(self, function: F) -> F:
        wrapped: F = decorated(function, self.clone)
        return wrapped

    def clone(self) -> Any:
        """A new manager like this one; every call of a decorated function gets its own."""
        return type(self)()


class ParameterlessDecorator(Decorator):
    """The same for managers without parameters, which also decorate without parentheses."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        manager = object.__new__(cls)
        return manager if function is None else manager(function)


def decorated(function: Any, manager: Manager) -> Any:
    """`function`, with every call run in a new context from `manager`.

    As in PyTorch this has no effect on an `async def`, because the wrapped call only creates the
    coroutine.
    """
    if isinstance(function, type):
        errors.warn(
            "Decorating classes is deprecated and will be disabled in future versions. You should"
            " only decorate functions or methods. To preserve the current behavior of class"
            " decoration, you can directly decorate the `__init__` method and nothing else.",
            FutureWarning,
        )  # still create the instances in the mode, as PyTorch does
        return decorated(lambda *args, **kwargs: function(*args, **kwargs), manager)
    if inspect.isgeneratorfunction(function):
        return generator_decorated(function, manager)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with manager():
            return function(*args, **kwargs)

    return wrapper


def generator_decorated(function: Any, manager: Manager) -> Any:
    """Enter the context whenever the generator runs, and leave it while it waits at a `yield`."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        generator = function(*args, **kwargs)
        step: Callable[[], Any] = functools.partial(next, generator)
        while True:
            try:
                with manager():
                    value = step()
            except StopIteration as stop:
                return stop.value
            try:
                sent = yield value
            except GeneratorExit:
                with manager():
                    generator.close()
                raise
            except BaseException as error:  # the caller threw it, so pass it on to the generator
                step = functools.partial(generator.throw, error)
            else:
                step = functools.partial(generator.send, sent)

    return wrapper
