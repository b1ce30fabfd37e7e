"""The programs of `minigrad_course/questions.toml`: each message and each fix, in PyTorch."""

from __future__ import annotations

import pytest

from minigrad_course.ask.questions import Question
from tests.course.test_questions import PROGRAMS, wrong_programs


@pytest.mark.parametrize("question", PROGRAMS, ids=lambda question: question.name)
def test_the_change_helps(question: Question) -> None:
    assert wrong_programs(question, "torch") == []
