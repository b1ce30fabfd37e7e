"""Exercises: messages for answers that never end, lack an entry or have the wrong type."""

from __future__ import annotations

import gc
import re
import sys
import time
from typing import Any

import pytest

from minigrad_course.ask import checking
from minigrad_course.ask.checking import Verdict, judge
from minigrad_course.ask.declare import EXERCISES, Exercise, expect, load, without_collector
from minigrad_course.desk import ipynb
from minigrad_course.kernel.time_limit import TimeUp, at_most

AFTER = {
    "x.grad": 2.5,
    "y.requires_grad": True,
    "y.is_leaf": False,
    "y.grad": None,
    "order": ["Add", "Log", "Sqrt", "Pow", "Pow", "AccumulateGrad"],
}


@pytest.fixture
def task() -> Exercise:
    load("04")
    return EXERCISES["04.1"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"y.is_leaf": "False"},
            "The entry `'y.is_leaf'` is a string, `'False'`. Write True or False",
        ),
        ({"x.grad": "2.5"}, "The entry `'x.grad'` is a string, `'2.5'`. Write a number"),
        ({"y.grad": "None"}, "without quotes"),
    ],
)
def test_a_string_instead_of_a_value_is_pointed_out(
    task: Exercise, change: dict[str, Any], says: str
) -> None:
    assert judge(task, AFTER).status == "right"
    verdict = judge(task, AFTER | change)
    assert verdict.status == "wrong"
    assert says in verdict.message


def test_a_missing_entry_is_named(task: Exercise) -> None:
    answer = {key: value for key, value in AFTER.items() if key != "y.is_leaf"}
    assert judge(task, answer).message == "Your answer has no entry `'y.is_leaf'`."
    assert "should be a dict" in judge(task, [1]).message


def test_no_solution_has_the_wrong_form() -> None:
    for file in ipynb.chapters():
        load(file.name[:2])
    values = {id: checking.solution_value(task) for id, task in EXERCISES.items() if id[:2] != "99"}
    found = {id: value for id, value in values.items() if value is not ...}
    assert found
    for id, value in found.items():
        assert checking.type_mismatch(EXERCISES[id], value) == ""


def test_an_answer_that_never_ends_is_stopped(
    task: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "LIMIT", 0.3)
    endless: dict[str, Any] = {"__name__": "__main__"}
    exec("def answer(x):\n    while True:\n        x = x", endless)
    slow = Exercise(**{**vars(task), "check": lambda answer: answer(1)})
    started = time.monotonic()
    verdict = judge(slow, endless["answer"])
    assert time.monotonic() - started < 20
    assert verdict.status == "wrong"
    assert "an endless loop?" in verdict.message


def test_a_loop_that_calls_functions_is_stopped_too() -> None:
    names: dict[str, Any] = {"__name__": "minigrad.core.engine"}
    exec("def step(): ...\ndef walk():\n    while True:\n        step()", names)
    with pytest.raises(TimeUp), at_most(0.2):
        names["walk"]()


def test_a_debugger_keeps_its_place(task: Exercise) -> None:
    def debugger(*_: Any) -> None: ...

    before = sys.gettrace()
    sys.settrace(debugger)
    try:
        judge(task, AFTER)
        assert sys.gettrace() is debugger
    finally:
        sys.settrace(before)


def test_the_limit_needs_no_thread_and_no_signal(
    task: Exercise, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "signal", None)
    monkeypatch.setitem(sys.modules, "threading", None)
    monkeypatch.setattr(checking, "LIMIT", 0.3)
    endless: dict[str, Any] = {"__name__": "__main__"}
    exec("def answer(x):\n    while True:\n        x = x", endless)
    slow = Exercise(**{**vars(task), "check": lambda answer: expect(answer(1), "")})
    assert "an endless loop" in judge(slow, endless["answer"]).message


def test_the_solution_comes_after_the_hint(task: Exercise) -> None:
    html = Verdict(task, "wrong", "no").card().html
    summaries = re.findall(r"<summary[^>]*>(\w+)</summary>|(</details>)", html)
    assert [first or second for first, second in summaries] == [
        "Hint", "Solution", "</details>", "</details>"
    ]  # fmt: skip


@pytest.mark.parametrize("collects", [True, False])
def test_the_collector_is_restored_when_an_answer_raises(collects: bool) -> None:
    def answer() -> None:
        with without_collector():
            assert not gc.isenabled()
            raise ValueError("in the answer")

    try:
        (gc.enable if collects else gc.disable)()
        with pytest.raises(ValueError, match="in the answer"):
            answer()
        assert gc.isenabled() is collects
    finally:
        gc.enable()
