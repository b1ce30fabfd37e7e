"""How to declare a chapter's predictions and exercises, in `minigrad_course/exercises/chNN.py`.

    from minigrad_course.ask.declare import exercise, expect, prediction, same

    prediction(
        "04.a",
        "`x` is 5. and `z = x + x`. What is `x.grad` after `z.backward()`?",
        {"1.": "That is the gradient along one edge only. …", "2.": "Both edges count. …"},
        answer="2.",
        shown="tensor(2.)",
    )

    @exercise(
        "04.1",
        "Count the edges",
        difficulty=1,
        minutes=5,
        hint="A node that two others lead to is visited twice.",
        solution='''
            def edges(root): ...
        ''',
        right="That count is all the engine needs in order to know when a node may fire.",
    )
    def check_edges(edges):
        expect(edges(chain()) == 2, "…, and yours counts a shared node once.")

An id is the chapter's two digits, a dot, and a number (exercises) or a letter (predictions).
"""

from __future__ import annotations

import contextlib
import importlib
import re
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from textwrap import dedent
from typing import Any, TypeVar
from unittest.mock import patch

import numpy as np

from minigrad_course.kernel.stages import without_collector

Check = Callable[[Any], None]
Kinds = type[Exception] | tuple[type[Exception], ...]
T = TypeVar("T", bound="Exercise | Prediction")


class Mistake(AssertionError):  # noqa: N818 - it is the learner's, not the program's
    """Raised by a check when an answer is wrong; the learner reads its message."""

    def _render_traceback_(self) -> list[str]:
        """Show only the message in a notebook, because a check's lines do not help the learner."""
        return [str(self)]


@dataclass(frozen=True)
class Exercise:
    """An exercise: its texts, its solution, and the check of an answer."""

    id: str
    title: str
    difficulty: int
    minutes: int
    hint: str
    solution: str
    right: str
    check: Check
    partly: bool = False

    @property
    def stars(self) -> str:
        """The difficulty, as shown to readers."""
        return "★" * self.difficulty + "☆" * (3 - self.difficulty)


@dataclass(frozen=True)
class Prediction:
    """A question to answer before running a cell; `options` maps each answer to its comment.

    The options are in the order in which a reader sees them.
    """

    id: str
    question: str
    options: Mapping[str, str]
    answer: str
    shown: str


EXERCISES: dict[str, Exercise] = {}
PREDICTIONS: dict[str, Prediction] = {}


def exercise(
    id: str,
    title: str,
    *,
    difficulty: int,
    minutes: int,
    hint: str,
    solution: str,
    right: str,
    partly: bool = False,
) -> Callable[[Check], Check]:
    """Declare an exercise; the decorated function checks an answer and raises Mistake if wrong.

    It receives the learner's answer: a function, a class or a value. It should try the answer on
    inputs that the page does not show, and have a message for each mistake with `expect`.

    Args:
        id: such as "04.2".
        title: a few words.
        difficulty: 1 (apply what was shown), 2 (think) or 3 (hard).
        minutes: how long it takes somebody who has read the chapter.
        hint: plain text, `backticks` for code.
        solution: the source of a right answer, a replacement for the answer cell.
        right: one closing sentence for a right answer.
        partly: check a class as soon as one of its methods does something, because an empty
            method may be part of the answer.

    Raises:
        ValueError: an argument is out of range, or the id is taken by another exercise.
    """

    def register(check: Check) -> Check:
        texts = _text(hint), source_of(solution), _text(right)
        new = Exercise(id, title, difficulty, minutes, *texts, check, partly)
        _add(EXERCISES, new, r"\d\d\.\d+")
        return check

    if difficulty not in (1, 2, 3):
        raise ValueError(f"exercise {id}: difficulty is 1, 2 or 3, not {difficulty}")
    return register


def prediction(
    id: str,
    question: str,
    options: Mapping[str, str],
    *,
    answer: str,
    shown: str = "",
) -> None:
    """Declare a question for the reader to answer before running the next cell.

    Args:
        id: such as "04.a".
        question: plain text, `backticks` for code.
        options: each possible answer, with the comment on it, in any order: readers see them
            shuffled, the same way each time, so that the right one is not always in one place.
        answer: the right option.
        shown: the part of the output after the prediction that shows the answer; by default the
            answer itself.

    Raises:
        ValueError: `answer` is not an option, or the id is taken by another prediction.
    """
    if answer not in options:
        raise ValueError(f"prediction {id}: the answer {answer!r} is none of {list(options)}")
    texts = {option: _text(options[option]) for option in shuffled(options)}
    shown = shown or answer.replace("`", "")
    _add(PREDICTIONS, Prediction(id, _text(question), texts, answer, shown), r"\d\d\.[a-z]")


def shuffled(options: Iterable[str]) -> list[str]:
    """The options in an order that depends on all of them, and is the same each time."""
    together = "\n".join(sorted(options))
    return sorted(options, key=lambda option: sha256(f"{option}\n{together}".encode()).digest())


def expect(condition: object, message: str) -> None:
    """Raise Mistake with `message` unless `condition` is true."""
    if not condition:
        raise Mistake(message)


def expect_none_of(got: object, slips: Mapping[str, object], tolerance: float = 1e-6) -> None:
    """Raise Mistake with the message of the first of these values that `got` has, if any."""
    for message, value in slips.items():
        expect(not same(got, value, tolerance), message)


def expect_entries(
    given: Any, wanted: Mapping[Any, Any], why: Mapping[Any, str], ask: str = ""
) -> None:
    """Raise Mistake with the reason in `why` for the first entry that is not as wanted.

    If none of the entries should have such a value, `ask` is the message instead (unless it is
    empty), with the key for `{}`.
    """
    for key, value in wanted.items():
        expect(not ask or given.get(key) in wanted.values(), ask.format(key))
        expect(given.get(key) == value, why[key])


@contextlib.contextmanager
def error_means(what: str | Kinds, message: str, kind: Kinds = Exception) -> Iterator[None]:
    """Raise Mistake with `message` if the block raises such an error.

    `what` is its type, or words of its text if it is of type `kind`. The first line of the text
    replaces `{error}` in the message.
    """
    try:
        yield
    except Mistake:
        raise
    except Exception as error:
        text = str(error)
        words, kinds = (what, kind) if isinstance(what, str) else ("", what)
        if not isinstance(error, kinds) or words not in text:
            raise
        raise Mistake(message.replace("{error}", text.partition("\n")[0])) from None


def refuses(action: Callable[[], object], kind: Kinds = RuntimeError) -> bool:
    """Whether `action` raises an error of this kind."""
    try:
        action()
    except kind:
        return True
    return False


def freed_at_once(make: Callable[[], object]) -> bool:
    """Whether what `make` returns is freed when nothing refers to it, without the collector."""
    with without_collector():
        return weakref.ref(make())() is None


@contextlib.contextmanager
def counted_calls(kind: type, method: str) -> Iterator[list[Any]]:
    """Yield a list of the objects whose `method`, which is one of `kind`, is called in this block.

    A backward pass of a library is a call of `run` of its `BackwardPass`.
    """
    calls, known = [], getattr(kind, method)

    def counting(self: Any, *args: Any, **keywords: Any) -> Any:
        calls.append(self)
        return known(self, *args, **keywords)

    with patch.object(kind, method, counting):
        yield calls


def names_used(answer: object) -> set[str]:
    """The names that an answer's code uses, import aliases resolved."""
    names = set(getattr(getattr(answer, "__code__", None), "co_names", ()))
    known = getattr(answer, "__globals__", {})
    used = [known.get(name) for name in names]
    if getattr(answer, "__module__", "__main__") != "__main__":  # an import is the whole answer
        used.append(answer)
    return names | {getattr(each, "__name__", "") for each in used}


def same(got: object, wanted: object, tolerance: float = 1e-6) -> bool:
    """Whether `got`, an array, tensor or number, has `wanted`'s shape and (nearly) its values."""
    got, wanted = _array(got), _array(wanted)
    return (
        got.dtype.kind in "biuf"
        and got.shape == wanted.shape
        and bool(np.allclose(got, wanted, rtol=tolerance, atol=tolerance, equal_nan=True))
    )


def load(chapter: str) -> None:
    """Register the exercises and predictions of chapter `chapter` ("04"), if it has any."""
    name = f"minigrad_course.exercises.ch{chapter}"
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # the module exists, but one of its imports does not
            raise


def find(kind: dict[str, T], id: str) -> T:
    """The exercise or prediction called `id`.

    Raises:
        LookupError: there is none; the message lists the chapter's ids.
    """
    chapter = id[:2]
    load(chapter)
    if id not in kind:
        known = sorted(other for other in kind if other[:2] == chapter)
        raise LookupError(f"there is no {id!r}; chapter {chapter} has {', '.join(known) or 'none'}")
    return kind[id]


def _add(kind: dict[str, T], new: T, form: str) -> None:
    if not re.fullmatch(form, new.id):
        raise ValueError(f"{new.id!r} does not have the form {form}")
    if new.id in kind:
        raise ValueError(f"{new.id!r} is declared twice")
    kind[new.id] = new


def source_of(text: str) -> str:
    """Code without the indentation and the surrounding blank lines of a declaration."""
    return dedent(text).strip("\n").rstrip()


def _text(text: str) -> str:
    """Plain text with each paragraph on one line, without the declaration's line breaks."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _array(value: Any) -> np.ndarray[Any, Any]:
    """A tensor, number or nested list as an array; of dtype object if that is impossible."""
    value = getattr(value, "_data", value)  # a tensor's array, with its history or without
    value = value.detach().numpy() if hasattr(value, "detach") else value  # PyTorch's tensors
    if isinstance(value, list | tuple):
        value = [_array(item) for item in value]
    try:
        return np.asarray(value)
    except ValueError:  # rows of different lengths
        return np.array(None)
