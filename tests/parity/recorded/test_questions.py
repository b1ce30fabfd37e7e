"""The programs of `minigrad_course/questions.toml`: each message and each fix, in PyTorch."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import torch

from minigrad_course.ask.questions import Question
from tests.course.test_questions import PROGRAMS, wrong_programs


@pytest.fixture(autouse=True)
def no_process_group_stays() -> Iterator[None]:
    """End the process group of the program about `DistributedDataParallel`."""
    yield
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()


@pytest.mark.parametrize("question", PROGRAMS, ids=lambda question: question.name)
def test_the_change_helps(question: Question) -> None:
    assert wrong_programs(question, "torch") == []
