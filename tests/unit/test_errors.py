"""Warnings point at the user's line however deep they are raised; notes name existing pages."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minigrad
from minigrad.autograd import Function, backward, grad
from minigrad.support import errors

ROOT = Path(__file__).resolve().parents[2]
LEAF = minigrad.tensor([1.0, 2.0], requires_grad=True)


class Twice(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient * 2


class MarksResult(Twice):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        result = x * 2
        ctx.mark_dirty(result)
        return result


def hooked() -> Any:
    leaf = minigrad.ones(2, requires_grad=True)
    leaf.register_hook(print)
    return leaf


WARNINGS: dict[str, tuple[type[Warning], Callable[[], Any]]] = {
    "grad of a non-leaf": (UserWarning, lambda: (LEAF * 2).grad),
    "float of a recorded tensor": (UserWarning, lambda: float((LEAF * 2)[0])),
    "create_graph": (UserWarning, lambda: LEAF.sum().backward(create_graph=True)),
    "the same, as a function": (UserWarning, lambda: backward(LEAF.sum(), create_graph=True)),
    "only_inputs": (FutureWarning, lambda: grad(LEAF.sum(), LEAF, only_inputs=False)),
    "pickled hooks": (UserWarning, lambda: hooked().__reduce_ex__(2)),
    "an instance of a Function": (DeprecationWarning, lambda: Twice()),
    "saved_variables": (DeprecationWarning, lambda: Twice.apply(LEAF).grad_fn.saved_variables),
    "mark_dirty of a result": (UserWarning, lambda: MarksResult.apply(LEAF)),
    "a decorated class": (FutureWarning, lambda: minigrad.no_grad()(dict)),
    "a decorated class, no parentheses": (FutureWarning, lambda: minigrad.no_grad(dict)),
}


@pytest.mark.parametrize("name", WARNINGS)
def test_a_warning_points_at_the_users_line(name: str) -> None:
    category, action = WARNINGS[name]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        action()
    assert [each.category for each in caught] == [category]
    assert caught[0].filename == __file__
    assert caught[0].lineno == action.__code__.co_firstlineno


# Notes name notebooks, but only those that the reader has


def freed() -> Any:
    loss = (LEAF * LEAF).sum()
    loss.backward()
    return loss


class Mean(Function):
    """Its gradient is one number, but its input has two."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.mean()

    @staticmethod
    def backward(ctx: Any, gradient: Any) -> Any:
        return gradient / 2


@pytest.mark.parametrize(
    ("call", "chapter"),
    [
        (lambda: freed().backward(), "06_lifetime"),
        (lambda: (LEAF * 2).backward(), "13_jacobians"),
        (lambda: minigrad.ones(2).sum().backward(), "10_switching_off"),
        (lambda: LEAF.add_(1), "11_in_place"),
        (lambda: Mean.apply(LEAF).backward(), "12_broadcasting"),
        (lambda: LEAF.numpy(), "10_switching_off"),
        (lambda: minigrad.tensor([1], requires_grad=True), "02_tensors"),
    ],
)
def test_an_error_that_a_learner_meets_says_what_to_do(
    call: Callable[[], Any], chapter: str
) -> None:
    with pytest.raises(RuntimeError) as caught:
        call()
    (note,) = caught.value.__notes__
    assert note.startswith("minigrad: ")
    assert note.endswith(f"(chapter {chapter})")
    assert note not in str(caught.value)


def test_a_note_has_the_advice_and_the_chapter() -> None:
    error = errors.with_note(RuntimeError(), "do this instead", "06_lifetime")
    assert error.__notes__ == ["minigrad: do this instead (chapter 06_lifetime)"]


def test_every_note_names_a_chapter_of_the_course() -> None:
    chapters = (ROOT / "docs" / "chapters.md").read_text("utf-8")
    table = re.findall(r"^\| \[?(\d\d_\w+)", chapters, re.MULTILINE)
    calls = [
        call
        for file in (ROOT / "minigrad").rglob("*.py")
        if "with_note" in (text := file.read_text("utf-8"))
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and "with_note" in ast.unparse(call.func)
    ]
    named = {ast.literal_eval(call.args[2]) for call in calls}
    assert len(named) >= 4
    assert named <= set(table)


def test_the_library_names_no_missing_notebook() -> None:
    for file in (ROOT / "minigrad").rglob("*.py"):
        for named in re.findall(r"\b\d\d_\w+\.ipynb", file.read_text("utf-8")):
            assert (ROOT / "notebooks" / named).is_file(), f"{file.name}: {named}"
