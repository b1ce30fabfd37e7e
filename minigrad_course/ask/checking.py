"""Exercises: checking and grading an answer, and showing its hint or solution."""

from __future__ import annotations

import ast
import dis
import linecache
import sys
import traceback
from collections.abc import Callable
from contextlib import redirect_stderr
from dataclasses import dataclass
from types import FrameType, FunctionType
from typing import Any, Literal

from minigrad_course.ask.cards import (
    ASK,
    OPEN,
    RIGHT,
    WRONG,
    Card,
    box,
    inline,
    paragraphs,
    preformatted,
    reveal,
    show,
)
from minigrad_course.ask.declare import EXERCISES, Exercise, Mistake, find
from minigrad_course.ask.journal import note_exercise
from minigrad_course.kernel.explain import RUN_ABOVE, reasons
from minigrad_course.kernel.reader import restored_page_classes
from minigrad_course.kernel.time_limit import LIMIT, TimeUp, at_most

Status = Literal["open", "waiting", "wrong", "right"]

WAITING = (
    "Your answer cannot be judged yet, because cells that it may need have not run. Run those, and"
    " then run this cell again."
)
TOO_LONG = "Your code was still running after {:.0f} seconds. Is there an endless loop?"
FILLED = "every blank is filled in. Your grade will tell you whether the answer is right."


@dataclass(frozen=True)
class Verdict:
    """The status of an answer and the feedback on it, plain text with `backticks`."""

    exercise: Exercise
    status: Status
    message: str

    def card(self, with_hint: bool = True) -> Card:
        """The verdict, with the hint to open and, inside that, the solution to open."""
        colour, word = {
            "open": (OPEN, "not attempted yet"),
            "waiting": (OPEN, "not judged"),
            "wrong": (WRONG, "not yet"),
            "right": (RIGHT, "correct"),
        }[self.status]
        task = self.exercise
        title = (
            f"<b>{task.id} {inline(task.title)}: {word}</b> · {task.stars} · {task.minutes} minutes"
        )
        below = (
            reveal(
                "Hint", paragraphs(task.hint) + reveal("Solution", preformatted(task.solution))
            ),  # inside the hint, so that readers see the hint first
        )
        html = box(colour, title, paragraphs(self.message), *(below if with_hint else ()))
        return Card(html, f"{task.id} {task.title}: {word}\n{self.message}")


def check(id: str, answer: Any) -> None:
    """Judge `answer` to exercise `id` and show the verdict, with a hint and a solution to open.

    An answer is a function, a class or a value; a stub (`...`, or a function that does nothing or
    raises NotImplementedError) counts as not attempted. Errors in the answer's code are shown, not
    raised. While build cells above have not run, no answer is called wrong.

    Raises:
        LookupError: there is no such exercise.
    """
    verdict = judge(find(EXERCISES, id), answer)
    if verdict.status in ("wrong", "right"):
        note_exercise(id, verdict.status == "right")
    show(verdict.card())


def grade(id: str, answer: Any) -> None:
    """Judge `answer` to exercise `id` in an assignment: raise unless it is right.

    A grader such as nbgrader looks for an error. It also treats output on stderr as one, so
    warnings of the answer go to stdout. The card has no hint and no solution to open.

    Raises:
        LookupError: there is no such exercise.
        Mistake: the answer is wrong or missing, with the message that `check` would show.
    """
    with redirect_stderr(sys.stdout):
        verdict = judge(find(EXERCISES, id), answer)
    if verdict.status != "right":
        raise Mistake(verdict.card().text)
    show(verdict.card(with_hint=False))


def answered(id: str, answer: Any) -> None:
    """Raise unless `answer` is complete, without saying whether it is right.

    If an answer is a value, students could try values until `grade` passes. So an assignment shows
    them this instead, and keeps `grade` for the grader.

    Raises:
        LookupError: there is no such exercise.
        Mistake: a blank is empty.
    """
    task = find(EXERCISES, id)
    if _untouched(answer, task.partly):
        raise Mistake(f"{task.id} {task.title}: a blank is still empty.")
    show(Card(box(ASK, f"{task.id}: {FILLED}"), f"{task.id}: {FILLED}"))


def hint(id: str) -> None:
    """Show the hint to exercise `id`."""
    task = find(EXERCISES, id)
    title = f"<b>Hint for {task.id} {inline(task.title)}</b>"
    text = f"Hint for {task.id} {task.title}\n{task.hint}"
    show(Card(box(ASK, title, paragraphs(task.hint)), text))


def solution(id: str) -> None:
    """Show the worked solution of exercise `id`."""
    task = find(EXERCISES, id)
    title = f"<b>Solution of {task.id} {inline(task.title)}</b>"
    text = f"Solution of {task.id} {task.title}\n{task.solution}"
    show(Card(box(ASK, title, preformatted(task.solution), paragraphs(task.right)), text))


def judge(task: Exercise, answer: Any) -> Verdict:
    """Run the check of `task` on `answer`; an error in the answer's code becomes the verdict."""
    invitation = Verdict(task, "open", "Fill in the cell above, run it, then run this one again.")
    if _untouched(answer, task.partly):
        return invitation
    try:
        with restored_page_classes(), at_most(LIMIT):
            task.check(answer)
    except Mistake as mistake:
        return wrong_or_waiting(task, mistake, type_mismatch(task, answer) or str(mistake))
    except TimeUp as late:
        return wrong_or_waiting(task, late, TOO_LONG.format(LIMIT))
    except (Exception, SystemExit) as error:  # SystemExit too, in case the answer calls exit()
        frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
        if isinstance(error, NotImplementedError) and _is_learners(frames[-1]):
            return invitation
        return wrong_or_waiting(task, error, type_mismatch(task, answer) or _explain(error, answer))
    return Verdict(task, "right", task.right)


def wrong_or_waiting(task: Exercise, error: BaseException, message: str) -> Verdict:
    """The verdict on a failed answer: wrong, or waiting for cells above that have not run."""
    why = reasons(error)
    if RUN_ABOVE in why:
        return Verdict(task, "waiting", "\n\n".join([WAITING, *why]))
    return Verdict(task, "wrong", "\n\n".join([message, *why]))


def type_mismatch(task: Exercise, answer: Any) -> str:
    """A message if an answer has other entries or types than the solution; else ""."""
    model = solution_value(task)
    last = ast.parse(task.solution).body[-1]
    if isinstance(last, ast.FunctionDef) and not callable(answer):
        return f"Pass the function itself, `{last.name}`, without calling it."
    if isinstance(model, dict):
        if not isinstance(answer, dict):
            return f"Your answer should be a dict with {len(model)} entries."
        missing = [key for key in model if key not in answer]
        if missing:
            return f"Your answer has no entry {', '.join(f'`{key!r}`' for key in missing)}."
        pairs = [(f"The entry `{key!r}`", answer[key], model[key]) for key in model]
    elif isinstance(model, list | tuple) and isinstance(answer, list | tuple):
        if len(answer) != len(model):
            return f"Your answer has {len(answer)} entries, not {len(model)}."
        pairs = [
            (f"Entry {place}", *both)
            for place, both in enumerate(zip(answer, model, strict=True), 1)
        ]
    else:
        pairs = [("Your answer", answer, model)]
    for where, given, wanted in pairs:
        if isinstance(given, str) and isinstance(wanted, bool | int | float | None):
            none = any(each is None for *_, each in pairs)
            kind = "a number or None" if none else "a number"
            kind = "True or False" if isinstance(wanted, bool) else kind
            return f"{where} is a string, `{given!r}`. Write {kind}, without quotes."
    return ""


def solution_value(task: Exercise) -> Any:
    """The value that a solution assigns; `...` if the solution is not a literal value."""
    last = ast.parse(task.solution).body[-1]
    try:
        return ast.literal_eval(last.value) if isinstance(last, ast.Assign) else ...
    except ValueError:
        return ...


def _untouched(answer: Any, partly: bool = False) -> bool:
    """Whether `answer` is a stub: `...`, something that contains `...`, or code that does nothing.

    One empty method makes a class a stub; with `partly`, all of them have to be empty.
    """
    if isinstance(answer, dict | list | tuple) or answer is ...:
        return _has_gap(answer)
    if isinstance(answer, type):
        members = [
            getattr(member, "__func__", member)
            for name, member in vars(answer).items()
            if name != "__init__"  # an empty __init__ is fine
        ]
        empty = [_does_nothing(member) for member in members if isinstance(member, FunctionType)]
        return any(empty) and (all(empty) or not partly)
    return isinstance(answer, FunctionType) and _does_nothing(answer)


def _has_gap(value: Any) -> bool:
    """Whether `value` is `...`, or contains it at any depth."""
    if isinstance(value, dict):
        value = list(value.values())
    return any(map(_has_gap, value)) if isinstance(value, list | tuple) else value is ...


def _does_nothing(function: Callable[..., Any]) -> bool:
    """Whether the body of `function` is only `...`, `pass` or `return ...`."""
    setup = {"RESUME", "NOP", "COPY_FREE_VARS", "MAKE_CELL"}
    steps = [step for step in dis.get_instructions(function) if step.opname not in setup]
    returns = [step.opname for step in steps] in (["LOAD_CONST", "RETURN_VALUE"], ["RETURN_CONST"])
    return returns and steps[0].argval in (None, ...)


def _is_learners(frame: FrameType) -> bool:
    return frame.f_globals.get("__name__") == "__main__"


def _files(answer: Any) -> set[str]:
    """The cells in which an answer was written, by their file names in tracebacks."""
    parts = vars(answer).values() if isinstance(answer, type) else [answer]
    functions = [getattr(part, "__func__", part) for part in parts]
    return {each.__code__.co_filename for each in functions if isinstance(each, FunctionType)}


def _explain(error: BaseException, answer: Any) -> str:
    """The message for an exception that is not a Mistake, with the line that raised it.

    A line of the answer itself is preferred to one of a function that it called, which may be in a
    build cell.
    """
    what = " ".join("".join(traceback.format_exception_only(error)).replace("`", "'").split())
    places = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(error.__traceback__)
        if _is_learners(frame)
    ]
    if not places:
        return (
            "The check could not use your answer. Is it of the kind that the exercise asks for?"
            f"\n\n`{what}`"
        )
    own = [(file, line) for file, line in places if file in _files(answer)]
    file, line = (own or places)[-1]
    code = linecache.getline(file, line).strip()
    quoted = f": `{code}`" if code else "."  # there is none for a cell that IPython has not kept
    return f"Your code raised an error on line {line}{quoted}\n\n`{what}`"
