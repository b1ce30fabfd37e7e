"""What chapter 21 shows: calls, times, and the steps of a lane."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import pytest

import minigrad as torch
from minigrad.core.node import gradient_edge
from minigrad_course.pictures.watching import (
    calls,
    draw_calls,
    draw_steps,
    draw_times,
    per_thousand,
)


@pytest.fixture
def twin_text(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The text twin of the figure that has been drawn."""
    monkeypatch.setattr(plt, "show", lambda: None)
    yield lambda: plt.gcf().get_label()
    plt.close("all")


def called() -> None: ...


def test_calls_of_a_second_run_in_order() -> None:
    seen: list[int] = []

    def program() -> None:
        if not seen:
            called()  # as the accelerator does when it writes a function
        seen.append(1)
        called()

    assert [code.co_name for code in calls(program)] == ["called"]
    assert len(seen) == 2


def test_calls_for_each_of_a_thousand_steps() -> None:
    def program() -> None:
        for _ in range(1000):
            called()
        calls(lambda: None)

    assert dict(per_thousand(program)) == {"called": 1}


def test_calls_in_words(twin_text: Any) -> None:
    x, row = torch.tensor(3.0, requires_grad=True) + 1.0, torch.mul.row
    found = calls(lambda: row(x, 2.0))
    draw_calls({"product": found, "nothing": []})
    first, second = twin_text().splitlines()
    assert first.startswith(f"product: {len(found)} (")
    assert "the result, its node, its edges" in first
    assert second == "nothing: 0 ()"


def test_times_in_words(twin_text: Any) -> None:
    draw_times({"slow": (0.002, 0.0055), "quick": (0.0004, 0.0005)})
    assert twin_text().splitlines() == [
        "slow: 2.00 µs, 5.50 µs with backward",
        "quick: 0.40 µs, 0.50 µs with backward",
    ]


def test_steps_in_words(twin_text: Any) -> None:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * 2.0
    z = y * y
    steps = [(z.grad_fn, [z.grad_fn]), (y.grad_fn, [y.grad_fn]), (y.grad_fn, [gradient_edge(x)[0]])]
    draw_steps({"lane": ({"x": x, "y": y, "z": z}, steps)})
    assert twin_text().splitlines() == [
        "lane, step 1: z runs",
        "lane, step 2: y runs",
        "lane, step 3: x waits, y runs again",
    ]
