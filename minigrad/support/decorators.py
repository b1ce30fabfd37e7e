"""Context managers as decorators of functions and of generators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any, TypeVar

from . import errors

F = TypeVar("F", bound=Callable[..., Any])
Manager = Callable[[], Any]  # makes a context manager, for one call


class Decorator:
    """Base of context managers that can decorate a function as well."""

    def __call__(self, function: F) -> F:
        wrapped: F = decorated(function, self.clone)
        return wrapped

    def clone(self) -> Any:
        """A manager like this one, for each call of a decorated function."""
        return type(self)()


class ParameterlessDecorator(Decorator):
    """The same for those without parameters: as decorators they do without parentheses, too."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        manager = object.__new__(cls)
        return manager if function is None else manager(function)


def decorated(function: Any, manager: Manager) -> Any:
    """`function`, run in the context that `manager` makes anew for each call.

    As in PyTorch nothing is done for an `async def`: the call that is wrapped only makes a
    coroutine.
    """
    if isinstance(function, type):
        errors.warn_decorated_class()  # and make instances in the mode, as PyTorch does
        return decorated(lambda *args, **kwargs: function(*args, **kwargs), manager)
    if inspect.isgeneratorfunction(function):
        return generator_decorated(function, manager)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        with manager():
            return function(*args, **kwargs)

    return wrapper


def generator_decorated(function: Any, manager: Manager) -> Any:
    """Hold the context while the generator runs, not while it waits between two steps."""

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
            except BaseException as error:  # what the caller throws in goes to the generator
                step = functools.partial(generator.throw, error)
            else:
                step = functools.partial(generator.send, sent)

    return wrapper
