"""How a chapter's predictions and exercises are written down: `course/exercises/chNN.py`.

    from course.declare import exercise, expect, prediction, same

    prediction(
        "04.a",
        "`x` is 5. and `z = x + x`. What is `x.grad` after `z.backward()`?",
        {"1.": "That is what one of the two edges brings. …", "2.": "Both edges arrive. …"},
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
        wrong={"counts a shared node once": '''
            def edges(root): ...
        '''},
        right="That count is all the engine needs in order to know when a node may fire.",
    )
    def check_edges(edges):
        expect(edges(chain()) == 2, "…, and yours counts a shared node once.")

An id is the chapter's two digits, a dot, and a number (exercises) or a letter (predictions).
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from textwrap import dedent
from typing import Any, TypeVar

import numpy as np

Check = Callable[[Any], None]
T = TypeVar("T", bound="Exercise | Prediction")


class Mistake(AssertionError):  # noqa: N818 - it is the learner's, not the program's
    """What a check raises about a wrong answer; its text is what the learner reads."""

    def _render_traceback_(self) -> list[str]:
        """What a notebook shows of it: the text. The lines that judge are not the learner's."""
        return [str(self)]


@dataclass(frozen=True)
class Exercise:
    """An exercise: what the learner is told, and what tells a right answer from a wrong one."""

    id: str
    title: str
    difficulty: int
    minutes: int
    hint: str
    solution: str
    wrong: Mapping[str, str]
    right: str
    check: Check
    partly: bool = False

    @property
    def stars(self) -> str:
        """The difficulty, as readers see it."""
        return "★" * self.difficulty + "☆" * (3 - self.difficulty)


@dataclass(frozen=True)
class Prediction:
    """A question to answer before the run; `options` maps each answer to what is said about it."""

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
    wrong: Mapping[str, str],
    right: str,
    partly: bool = False,
) -> Callable[[Check], Check]:
    """Declare an exercise; the decorated function judges an answer, and raises Mistake if wrong.

    It gets what the learner hands in: a function, a class or a value. It should try that on inputs
    of its own (so that nothing can be learned by heart) and say with `expect` what is wrong.

    Args:
        id: such as "04.2".
        title: a few words.
        difficulty: 1 (apply what was shown), 2 (think) or 3 (hard).
        minutes: how long it takes one who has read the chapter.
        hint: plain text, `backticks` for code.
        solution: the source of a right answer; it replaces the answer cell.
        wrong: at least two mistakes that people make: a part of the message that the check must
            give, and the source of an answer with that mistake.
        right: one closing sentence for the right answer.
        partly: judge a class as soon as one of its methods does something, for an empty one may
            be meant.

    Raises:
        ValueError: an argument is out of range, or the id is taken by another exercise.
    """

    def register(check: Check) -> Check:
        sources = {says: _source(text) for says, text in wrong.items()}
        texts = _text(hint), _source(solution), sources, right
        new = Exercise(id, title, difficulty, minutes, *texts, check, partly)
        _add(EXERCISES, new, r"\d\d\.\d+")
        return check

    if difficulty not in (1, 2, 3):
        raise ValueError(f"exercise {id}: difficulty is 1, 2 or 3, not {difficulty}")
    if len(wrong) < 2:
        raise ValueError(f"exercise {id}: give at least two wrong answers")
    return register


def with_mistake(source: str, right: str, wrong: str) -> str:
    """An answer with `wrong` in the place of `right`. ValueError if it has no `right`."""
    if right not in source:
        raise ValueError(f"there is no {right!r} in the answer")
    return source.replace(right, wrong)


def prediction(
    id: str,
    question: str,
    options: Mapping[str, str],
    *,
    answer: str,
    shown: str = "",
) -> None:
    """Declare a question that the reader answers before the next cell is run.

    Args:
        id: such as "04.a".
        question: plain text, `backticks` for code.
        options: each possible answer, with what to say to one who chose it. A single option makes
            an open question: the reader writes the answer down and then opens it.
        answer: the option that is right.
        shown: the text in which the run after the prediction shows the answer; the answer itself
            if not given.

    Raises:
        ValueError: `answer` is not an option, or the id is taken by another prediction.
    """
    if answer not in options:
        raise ValueError(f"prediction {id}: the answer {answer!r} is none of {list(options)}")
    texts = {option: _text(why) for option, why in options.items()}
    shown = shown or answer.replace("`", "")
    _add(PREDICTIONS, Prediction(id, _text(question), texts, answer, shown), r"\d\d\.[a-z]")


def expect(condition: object, message: str) -> None:
    """Raise Mistake with `message` unless `condition` is true."""
    if not condition:
        raise Mistake(message)


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """In this block things go with their last holder alone, and what is in a cycle stays."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


@contextlib.contextmanager
def counted_passes(library: Any) -> Iterator[list[Any]]:
    """In this block the list that it gives gets each backward pass of `library` as it begins."""
    pass_class, passes = library.core.engine.BackwardPass, []
    run = pass_class.run

    def counted(self: Any, *args: Any) -> None:
        passes.append(self)
        run(self, *args)

    pass_class.run = counted
    try:
        yield passes
    finally:
        pass_class.run = run


def names_used(answer: object) -> set[str]:
    """The names that an answer's code uses, with the true ones of imports under another name."""
    names = set(getattr(getattr(answer, "__code__", None), "co_names", ()))
    known = getattr(answer, "__globals__", {})
    used = [known.get(name) for name in names]
    if getattr(answer, "__module__", "__main__") != "__main__":  # an import is the whole answer
        used.append(answer)
    return names | {getattr(each, "__name__", "") for each in used}


def same(got: object, wanted: object, tolerance: float = 1e-6) -> bool:
    """Whether `got` is an array, tensor or number of `wanted`'s shape with (nearly) its values."""
    got, wanted = _array(got), _array(wanted)
    return (
        got.dtype.kind in "biuf"
        and got.shape == wanted.shape
        and bool(np.allclose(got, wanted, rtol=tolerance, atol=tolerance, equal_nan=True))
    )


def load(chapter: str) -> None:
    """Register what chapter `chapter` ("04") declares, if there is a module for it."""
    name = f"course.exercises.ch{chapter}"
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:  # the module is there, and something that it imports is not
            raise


def find(kind: dict[str, T], id: str) -> T:
    """The exercise or prediction called `id`.

    Raises:
        LookupError: there is none; the message names those of the chapter.
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


def _source(text: str) -> str:
    """Code without the indentation and the blank lines around it that a declaration gives it."""
    return dedent(text).strip("\n").rstrip()


def _text(text: str) -> str:
    """Plain text with each paragraph on one line, however a declaration breaks it."""
    return "\n\n".join(" ".join(part.split()) for part in re.split(r"\n\s*\n", text.strip()))


def _array(value: Any) -> np.ndarray[Any, Any]:
    """The numbers of a tensor, an array, a number or nested lists of them; else an object array."""
    if hasattr(value, "detach"):
        return np.asarray(value.detach().numpy())
    if isinstance(value, list | tuple):
        value = [_array(item) for item in value]
    try:
        return np.asarray(value)
    except ValueError:  # rows of different lengths
        return np.array(None)
