"""Errors and warnings that a cell provokes in order to show them."""

from __future__ import annotations

import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from course.cards import OPEN, WRONG, Card, box, preformatted, show


@contextmanager
def expect_error(kind: type[Exception] = Exception, message: str = "") -> Iterator[None]:
    """Run the block, which must fail, and show how it failed.

        with expect_error(RuntimeError, "second time"):
            z.backward()

    What is shown is the end of the traceback: the exception's type, its message and the notes added
    to it. Nothing keeps the exception afterwards, so no tensor lives longer because of it.

    Args:
        kind: the type that the exception must have.
        message: text that must stand in the exception's message.

    Raises:
        AssertionError: nothing was raised, something of another type, or with another message.
    """
    try:
        yield
    except kind as error:
        if message not in str(error):
            raise AssertionError(f"the message of this error lacks {message!r}") from error
        text = "".join(traceback.format_exception_only(error)).rstrip()
    except Exception as error:
        raise AssertionError(
            f"this cell was to raise {kind.__name__}, not {type(error).__name__}"
        ) from error
    else:
        raise AssertionError(f"this cell was to raise {kind.__name__}, and raised nothing")
    show(Card(box(WRONG, preformatted(text)), text))


@contextmanager
def expect_warning(kind: type[Warning] = UserWarning, message: str = "") -> Iterator[None]:
    """Run the block, which must warn, and show the warning without the file and line it came from.

        with expect_warning(UserWarning, "not a leaf"):
            y.grad

    Args:
        kind: the category that one warning must have.
        message: text that must stand in that warning.

    Raises:
        AssertionError: the block did not warn so. What the block raises passes through.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    texts = [f"{item.category.__name__}: {item.message}" for item in caught]
    if not any(issubclass(item.category, kind) and message in str(item.message) for item in caught):
        wanted = f"{kind.__name__} with {message!r}" if message else kind.__name__
        raise AssertionError(f"this cell was to warn ({wanted}); its warnings: {texts}")
    text = "\n".join(texts)
    show(Card(box(OPEN, preformatted(text)), text))
