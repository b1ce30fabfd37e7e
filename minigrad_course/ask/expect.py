"""Errors and warnings that a cell raises on purpose, in order to show them."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from minigrad_course.ask.cards import OPEN, WRONG, Card, box, preformatted, show


class expect_error:  # noqa: N801 - used like a function
    """Run the block, which must fail, and show how it failed.

        with expect_error(RuntimeError, "second time"):
            z.backward()

    It shows the end of the traceback: the exception's type, its message and its notes, where
    minigrad puts its advice. Nothing references the exception afterwards, so it does not keep
    tensors alive. (With `contextmanager`, the generator's frame would, from Python 3.12 on.)

    Args:
        kind: the type that the exception must have.
        message: text that the exception's message must contain.
        notes: whether to show the notes.

    Raises:
        AssertionError: nothing was raised, or an exception of another type or with another message.
    """

    def __init__(
        self, kind: type[Exception] = Exception, message: str = "", *, notes: bool = True
    ) -> None:
        self.kind, self.message, self.notes = kind, message, notes

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        wanted = self.kind.__name__
        if error is None:
            raise AssertionError(f"this cell should have raised {wanted}, but it raised nothing")
        if not isinstance(error, Exception):
            return False  # the reader interrupted the cell
        if not isinstance(error, self.kind):
            raise AssertionError(
                f"this cell should have raised {wanted}, not {type(error).__name__}"
            ) from error
        if self.message not in str(error):
            raise AssertionError(f"the message of this error lacks {self.message!r}") from error
        lines = traceback.format_exception_only(error)
        text = "".join(lines if self.notes else lines[:1]).rstrip()
        show(Card(box(WRONG, preformatted(text)), text))
        return True


@contextmanager
def expect_warning(kind: type[Warning] = UserWarning, message: str = "") -> Iterator[None]:
    """Run the block, which must warn, and show the warning without its file and line.

        with expect_warning(UserWarning, "not a leaf"):
            y.grad

    Args:
        kind: the category that at least one warning must have.
        message: text that this warning must contain.

    Raises:
        AssertionError: there was no such warning. Exceptions of the block pass through.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    texts = [f"{item.category.__name__}: {item.message}" for item in caught]
    if not any(issubclass(item.category, kind) and message in str(item.message) for item in caught):
        wanted = f"{kind.__name__} with {message!r}" if message else kind.__name__
        raise AssertionError(f"this cell should have warned ({wanted}); its warnings: {texts}")
    text = "\n".join(texts)
    show(Card(box(OPEN, preformatted(text)), text))


@contextmanager
def attempt() -> Iterator[None]:
    """Run the block, and show its warnings and its error, if any; the cell does not fail.

        predict("00.b")  # in the cell before

        with attempt():
            print(y.grad)

    Use it where `expect_error` or `expect_warning` would give away the answer to a prediction.
    """
    texts: list[str] = []
    failed = False
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        except Exception as error:
            failed = True
            texts.append("".join(traceback.format_exception_only(error)).rstrip())
    texts[:0] = [f"{item.category.__name__}: {item.message}" for item in caught]
    if texts:
        text = "\n".join(texts)
        show(Card(box(WRONG if failed else OPEN, preformatted(text)), text))
