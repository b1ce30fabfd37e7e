"""The package `minigrad_course`: cards, predictions, exercises, and expected errors."""

from __future__ import annotations

import gc
import re
import sys
import warnings
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from minigrad_course import (
    answered,
    check,
    expect_error,
    expect_warning,
    grade,
    hint,
    predict,
    solution,
)
from minigrad_course.ask.cards import Card, inline, paragraphs
from minigrad_course.ask.checking import judge
from minigrad_course.ask.declare import (
    EXERCISES,
    PREDICTIONS,
    Mistake,
    exercise,
    load,
    prediction,
    same,
)
from minigrad_course.ask.predictions import question
from tests.course.untrusted import Outline, require_safe

MARKED = '`a < b` & "c" <script>x</script>\n\n한국어'


def run(source: str) -> Any:
    """The last object that a learner's cell defines."""
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(source, names)
    return list(names.values())[-1]


def cards() -> list[Card]:
    task = EXERCISES["99.1"]
    answers = [..., lambda x: x, lambda x: 3 * x**2, lambda x: 1 / 0]
    return [question(PREDICTIONS["99.a"]), *(judge(task, answer).card() for answer in answers)]


@pytest.mark.parametrize("card", cards(), ids=lambda card: repr(card)[:30])
def test_cards_survive_an_untrusted_jupyterlab(card: Card) -> None:
    require_safe(card.html)


def test_text_is_escaped_and_backticks_are_code() -> None:
    html = paragraphs(MARKED)
    assert "<code>a &lt; b</code> &amp;" in html
    assert "&lt;script&gt;" in html
    assert html.count("<p ") == 2
    assert Outline(html).closed_text == 'a < b & "c" <script>x</script>한국어'


def test_a_prediction_does_not_reveal_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    card = question(PREDICTIONS["99.a"])
    for shown in (Outline(card.html).closed_text, card.text):
        assert {"6.0", "9.0"} == set(re.findall(r"\([ab]\) (\d\.\d)", shown))
        assert not re.search("Right|No|✓|✗|height|wherever", shown)
    assert card.html.count("<details") == 2
    assert "✗ No. That is the height" in card.html
    predict("99.a")
    assert capsys.readouterr().out == f"{card.text}\n"


def test_the_right_answer_is_not_always_in_one_place() -> None:
    """The order in which options are declared does not matter, and each place is used."""
    options = {"3": "Yes.", "1": "No.", "2": "No."}
    orders = (options, dict(reversed(options.items())))
    for id, order in zip(("98.a", "98.b"), orders, strict=True):
        prediction(id, "How many?", order, answer="3")
    assert [*PREDICTIONS.pop("98.a").options] == [*PREDICTIONS.pop("98.b").options]
    for chapter in range(99):
        load(f"{chapter:02}")
    places = [[*each.options].index(each.answer) for each in PREDICTIONS.values()]
    assert min(places.count(place) for place in (0, 1, 2)) > len(places) / 5


@pytest.mark.parametrize(
    "source",
    [
        "def f(x): ...",
        "def f(x): pass",
        "def f(x):\n    '''Doc.'''\n    return ...",
        "def f(x):\n    raise NotImplementedError",
        "def f(x):\n    raise NotImplementedError('your code')",
        "def f(x):\n    y = x * x\n    raise NotImplementedError",
        "f = ...",
        "f = [1, ...]",
        "f = {'x': 1, 'y': ...}",
        "class F:\n    @staticmethod\n    def forward(x): ...\n    def backward(self): return 1",
    ],
)
def test_stubs_are_not_attempts(source: str) -> None:
    assert judge(EXERCISES["99.1"], run(source)).status == "open"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("def a(self): ...\n    def b(self): pass", "open"),
        ("def __init__(self): self.x = 1\n    def a(self): ...", "open"),
        ("def a(self): return 1\n    def b(self): pass", "wrong"),
    ],
)
def test_a_class_that_is_judged_partly_done(body: str, status: str) -> None:
    task = replace(EXERCISES["99.1"], partly=True)
    assert judge(task, run(f"class F:\n    {body}")).status == status


@pytest.mark.parametrize(
    ("source", "status", "message"),
    [
        ("def f(x):\n    return 3 * x**2", "right", "Every power"),
        ("def f(x):\n    return x**2", "wrong", "forgot the factor"),
        ("def f(x):\n    return 3", "wrong", "At 2.0 the slope is 12.0."),
        ("def f(x):\n    return None or []", "wrong", "At 2.0"),
        ("def f(x):\n    return 1 / 0", "wrong", "error on line 2"),
        ("def f(x):\n    return f(x)", "wrong", "RecursionError"),
        ("def f(x):\n    raise AssertionError('mine')", "wrong", "AssertionError: mine"),
        ("f = 3", "wrong", "Pass the function itself"),
        ("f = None", "wrong", "Pass the function itself"),
    ],
)
def test_verdicts(source: str, status: str, message: str) -> None:
    verdict = judge(EXERCISES["99.1"], run(source))
    assert verdict.status == status
    assert message in verdict.message


def test_not_implemented_in_the_library_is_not_a_stub() -> None:
    def library(x: float) -> float:
        raise NotImplementedError("complex numbers")

    verdict = judge(EXERCISES["99.1"], library)
    assert verdict.status == "wrong"
    assert "complex numbers" in verdict.message


def test_grade_raises_unless_the_answer_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(Mistake, match="not attempted yet"):
        grade("99.1", ...)
    with pytest.raises(Mistake, match="forgot the factor") as raised:
        grade("99.1", lambda x: x**2)
    shown = raised.value._render_traceback_()
    assert shown == [str(raised.value)]  # the text alone
    with pytest.raises(Mistake, match="SystemExit"):
        grade("99.1", lambda x: sys.exit())
    assert capsys.readouterr().out == ""
    grade("99.1", lambda x: 3 * x**2)
    assert "correct" in capsys.readouterr().out


def test_output_on_stderr_is_not_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    def noisy(x: float) -> float:
        print("a warning", file=sys.stderr)
        return 3 * x**2

    grade("99.1", noisy)
    captured = capsys.readouterr()
    assert "a warning" in captured.out
    assert captured.err == ""


def test_answered_does_not_say_who_is_right(capsys: pytest.CaptureFixture[str]) -> None:
    for empty in (..., [1, ...], {"a": 1, "b": ...}, {"a": 1, "b": [...]}):
        with pytest.raises(Mistake, match="still empty"):
            answered("99.1", empty)
    for filled in (7, [1, 2], {"a": None}):
        answered("99.1", filled)
        assert "every blank is filled in" in capsys.readouterr().out


def test_hint_and_solution_on_request(capsys: pytest.CaptureFixture[str]) -> None:
    hint("99.1")
    solution("99.1")
    out = capsys.readouterr().out
    assert "The power comes down in front" in out
    assert "def cube_slope(x):\n    return 3 * x**2" in out
    closed = Outline(judge(EXERCISES["99.1"], ...).card().html).closed_text
    assert "Hint" in closed
    assert "power" not in closed
    assert "return" not in closed


def test_an_unknown_id_names_the_known_ones() -> None:
    with pytest.raises(LookupError, match=r"no '99\.7'; chapter 99 has 99\.1"):
        check("99.7", ...)
    with pytest.raises(LookupError, match="chapter 97 has none"):
        predict("97.a")


def test_declarations_are_checked() -> None:
    def declare(id: str = "98.1", difficulty: int = 1) -> Callable[..., Any]:
        return exercise(
            id,
            "title",
            difficulty=difficulty,
            minutes=1,
            hint="",
            solution="",
            right="",
        )

    with pytest.raises(ValueError, match="difficulty is 1, 2 or 3"):
        declare(difficulty=4)
    with pytest.raises(ValueError, match="declared twice"):
        declare(id="99.1")(print)
    with pytest.raises(ValueError, match="does not have the form"):
        declare(id="4.1")(print)
    with pytest.raises(ValueError, match="none of"):
        prediction("98.b", "?", {"x": ""}, answer="y")


@pytest.mark.parametrize(
    ("got", "wanted", "answer"),
    [
        (1, 1.0, True),
        ([1.0, 2.0], (1, 2), True),
        (np.float32(0.1), 0.1, True),
        (0.1, 0.10001, False),
        (float("nan"), float("nan"), True),
        ([1.0], 1.0, False),
        (None, 0.0, False),
        ("1", 1, False),
        ([[1], [2, 3]], 1, False),
        (True, 1, True),
    ],
)
def test_same(got: object, wanted: object, answer: bool) -> None:
    assert same(got, wanted) is answer


# --- provoked errors ------------------------------------------------------------------------------


def test_an_expected_error_is_shown_with_its_notes(capsys: pytest.CaptureFixture[str]) -> None:
    error = ValueError("no <b>")
    error.add_note("Try chapter 05.")
    with expect_error(ValueError, "no"):
        raise error
    assert capsys.readouterr().out == "ValueError: no <b>\nTry chapter 05.\n"
    with expect_error(ValueError, "no", notes=False):
        raise error
    assert capsys.readouterr().out == "ValueError: no <b>\n"


@pytest.mark.parametrize(
    ("kind", "message", "source", "complaint"),
    [
        (ValueError, "", "1 + 1", "should have raised ValueError, but it raised nothing"),
        (ValueError, "", "1 / 0", "should have raised ValueError, not ZeroDivisionError"),
        (ZeroDivisionError, "modulo", "1 / 0", "lacks 'modulo'"),
    ],
)
def test_another_error_or_none_fails(
    kind: type[Exception], message: str, source: str, complaint: str
) -> None:
    with pytest.raises(AssertionError, match=complaint), expect_error(kind, message):
        eval(source)


def test_an_expected_error_keeps_nothing_alive(capsys: pytest.CaptureFixture[str]) -> None:
    class Tensor:
        pass

    def fail() -> None:
        tensor = Tensor()
        alive.append(weakref.ref(tensor))
        raise RuntimeError("freed")

    alive: list[weakref.ref[Tensor]] = []
    gc.disable()
    try:
        with expect_error(RuntimeError):
            fail()
        assert alive[0]() is None
    finally:
        gc.enable()
    assert "freed" in capsys.readouterr().out


def test_an_expected_warning_is_shown_without_its_place(capsys: pytest.CaptureFixture[str]) -> None:
    with expect_warning(UserWarning, "leaf"):
        warnings.warn("not a leaf", UserWarning, stacklevel=1)
    assert capsys.readouterr().out == "UserWarning: not a leaf\n"


def test_a_missing_warning_fails() -> None:
    missing = pytest.raises(AssertionError, match="should have warned")
    with missing, expect_warning(UserWarning, "leaf"):
        warnings.warn("something else", UserWarning, stacklevel=1)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("is built in *The rule of `*` and `@`*; run it", "<em>The rule of <code>*</code>"),
        ("`a * b` and `c * d`", "<code>a * b</code> and <code>c * d</code>"),
        ("`f(*a)` and `(b*)`", "<code>f(*a)</code> and <code>(b*)</code>"),
        ("3 * 4 * 5", "3 * 4 * 5"),
    ],
)
def test_stars_are_emphasis_in_cards_and_stay_stars_in_code(text: str, html: str) -> None:
    assert html in inline(text)
