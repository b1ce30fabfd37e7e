"""Whether operations are recorded: `no_grad`, `enable_grad`, `set_grad_enabled`.

The mode is kept per thread. Almost every operation of almost every program finds it on, so
operations do not ask their thread: they read one module-level number, `threads_off`, and look
further only when some thread has switched recording off.

Source:
https://docs.pytorch.org/docs/2.13/notes/autograd.html#locally-disabling-gradient-computation
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .tensor import Tensor

from . import errors

F = TypeVar("F", bound=Callable[..., Any])


_lock = threading.RLock()
threads_off = 0


class _Off:
    """Counts a thread whose mode is off: as long as it is, and no longer than the thread lives."""

    def __init__(self) -> None:
        global threads_off
        with _lock:
            threads_off += 1

    def __del__(self) -> None:
        global threads_off
        with _lock:
            threads_off -= 1


class _Mode(threading.local):
    off: _Off | None = None
    inference: _Off | None = None


_mode = _Mode()


def is_grad_enabled() -> bool:
    """Whether operations in this thread are recorded at present."""
    return _mode.off is None


def is_inference_mode_enabled() -> bool:
    """Whether what this thread makes is left out of every graph, now and later."""
    return _mode.inference is not None


def is_recording() -> bool:
    """Whether operations in this thread are recorded: `enable_grad` does not end inference mode."""
    return _mode.off is None and _mode.inference is None


def leave_out(out: Tensor) -> bool:
    """Whether `out`, just made in this thread, stays unrecorded; in inference mode it notes so."""
    if _mode.inference is not None and out._view is None:
        out._counter = UNTRACKED
    return not is_recording()


class Untracked(list[Any]):
    """Stands for the version counter of tensors made in inference mode, which have none."""

    def __getitem__(self, index: Any) -> Any:
        raise errors.saved_inference_tensor()


UNTRACKED = Untracked()


def set_mode(enabled: bool) -> bool:
    """Set this thread's mode and return the one before."""
    before = _mode.off is None
    if before != enabled:
        _mode.off = None if enabled else _Off()
    return before


class _ModeManager:
    """A context manager that also decorates functions and generators.

    As in PyTorch it does nothing for an `async def`: the call that it wraps only makes a coroutine.
    """

    enabled: bool
    before: bool

    def __call__(self, function: F) -> F:
        if isinstance(function, type):
            errors.warn_decorated_class()  # and make instances in the mode, as PyTorch does
            return self(lambda *args, **kwargs: function(*args, **kwargs))  # type: ignore[return-value]
        if inspect.isgeneratorfunction(function):
            return self._wrap_generator(function)  # type: ignore[no-any-return]

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Any:
            with self.clone():
                return function(*args, **kwargs)

        return wrapper  # type: ignore[return-value]

    def _wrap_generator(self, function: Any) -> Any:
        """Hold the mode while the generator runs, not while it waits between two steps."""

        @functools.wraps(function)
        def wrapper(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
            generator = function(*args, **kwargs)
            step: Callable[[], Any] = functools.partial(next, generator)
            while True:
                try:
                    with self.clone():
                        value = step()
                except StopIteration as stop:
                    return stop.value
                try:
                    sent = yield value
                except GeneratorExit:
                    with self.clone():
                        generator.close()
                    raise
                except BaseException as error:  # what the caller throws in goes to the generator
                    step = functools.partial(generator.throw, error)
                else:
                    step = functools.partial(generator.send, sent)

        return wrapper

    def clone(self) -> Any:
        return type(self)()

    def __enter__(self) -> None:
        self.before = set_mode(self.enabled)

    def __exit__(self, *error: object) -> None:
        set_mode(self.before)


class _FixedMode(_ModeManager):
    """`no_grad` and `enable_grad`: as a decorator they work with parentheses and without."""

    def __new__(cls, function: Callable[..., Any] | None = None) -> Any:
        manager = super().__new__(cls)
        return manager if function is None else manager(function)


class no_grad(_FixedMode):  # noqa: N801 - PyTorch's spelling
    """Switch recording off: results do not require grad, and nothing is saved for backward."""

    enabled = False


class enable_grad(_FixedMode):  # noqa: N801 - PyTorch's spelling
    """Switch recording on inside a `no_grad` block."""

    enabled = True


class inference_mode(_FixedMode):  # noqa: N801 - PyTorch's spelling
    """`no_grad` for good: what is made in the block counts no versions and joins no graph later.

    `inference_mode(False)` inside the block leaves the mode again.
    """

    def __new__(cls, mode: Callable[..., Any] | bool = True) -> Any:
        manager = super().__new__(cls, None if isinstance(mode, bool) else mode)
        if isinstance(mode, bool):
            manager.enabled = not mode
        return manager

    enabled = False

    def clone(self) -> Any:
        return type(self)(not self.enabled)

    def __enter__(self) -> None:
        super().__enter__()
        self.inference_before = _mode.inference
        _mode.inference = None if self.enabled else _Off()

    def __exit__(self, *error: object) -> None:
        _mode.inference = self.inference_before
        super().__exit__(*error)


class set_grad_enabled(_ModeManager):  # noqa: N801 - PyTorch's spelling
    """Set the mode: at once when called, and until the end of the block as a context manager."""

    def __init__(self, mode: bool) -> None:
        if not isinstance(mode, bool):
            raise errors.argument_type("set_grad_enabled", "enabled", 1, "bool", mode)
        self.mode = self.enabled = mode
        self.before = set_mode(mode)

    def __call__(self, function: F) -> F:
        set_mode(self.before)  # as a decorator it acts on the function only, not at once
        return super().__call__(function)

    def clone(self) -> set_grad_enabled:
        return type(self)(self.enabled)

    def __enter__(self) -> None:
        set_mode(self.enabled)  # again: what was before is known already

    def __repr__(self) -> str:
        return f"torch.autograd.grad_mode.set_grad_enabled(mode={self.enabled})"
