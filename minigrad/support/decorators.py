"""Context managers as decorators of functions and of generators."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Generator
from typing import Any

from . import errors

Manager = Callable[[], Any]  # makes a context manager, for one call


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
