"""minigrad_course.pictures.tensor_facts: a table of the attributes that document 002 prints."""

from __future__ import annotations

import warnings

import pytest

import minigrad as torch
from minigrad_course.pictures.tensor_facts import facts, show_facts


def test_a_line_for_each_tensor_and_moment(capsys: pytest.CaptureFixture[str]) -> None:
    x = torch.tensor(5.0, requires_grad=True)
    y = x**3
    before = facts(x=x, y=y)
    y.backward()
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # `y.grad` is not read
        after = facts(x=x, y=y)
    show_facts({"before": before, "after": after})
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["requires_grad", "is_leaf", "retains_grad", "grad_fn", "grad"],
        ["before", "x", "True", "True", "False", "None", "None"],
        ["y", "True", "False", "False", "PowBackward0", "None"],
        ["after", "x", "True", "True", "False", "None", "75"],
        ["y", "True", "False", "False", "PowBackward0", "None"],
    ]
