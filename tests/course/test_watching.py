"""What chapter 21 shows: calls and times."""

from __future__ import annotations

from typing import Any

import matplotlib.pyplot as plt
import pytest

from minigrad_course.pictures.watching import (
    calls,
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


def test_times_in_words(twin_text: Any) -> None:
    draw_times({"slow": (0.002, 0.0055), "quick": (0.0004, 0.0005)})
    assert twin_text().splitlines() == [
        "slow: 2.00 µs, 5.50 µs with backward",
        "quick: 0.40 µs, 0.50 µs with backward",
    ]
