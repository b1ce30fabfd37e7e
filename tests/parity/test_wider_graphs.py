"""A few hundred of the random programs of `tests.parity.wider`, run under both libraries.

To hunt for differences, take other seeds and more of them:

    MINIGRAD_GRAPHS=50000:60000 python -m pytest tests/parity/test_wider_graphs.py
    python -m tests.parity.wider.hunt 50000 60000 --processes 2      # prints each, shrunk

These programs are frozen, see `tests.frozen`. docs/differences.md says what is known to differ; the
maker leaves that out, and what PyTorch itself leaves open. Programs that differ all the same are in
`tests/differences.toml`.
Programs whose difference is a rounding that flips a decision (which of two almost equal elements is
the largest) turn up in some thousands; those and the ones that crash PyTorch are not counted here.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from tests import differences, frozen
from tests.parity.wider import hunt, maker

FROZEN = range(100000, 100300)
ASKED = os.environ.get("MINIGRAD_GRAPHS", f"{FROZEN.start}:{FROZEN.stop}")
FIRST, END = map(int, ASKED.split(":"))
STEP = 25
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("first", range(FIRST, END, STEP))
def test_random_programs_show_the_same_under_both_libraries(first: int) -> None:
    # In an interpreter of its own: once PyTorch has run a backward, no fork of it can run another.
    seeds = range(first, min(first + STEP, END))
    command = [sys.executable, "-m", "tests.parity.wider.hunt", str(seeds.start), str(seeds.stop)]
    done = subprocess.run(
        [*command, "--processes", "1"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    reports = done.stdout.split("--- seed ")[1:]
    found = {int(text.split("\n")[0]): text for text in reports if hunt.CRASHED not in text}
    for seed in seeds:
        text = found.get(seed, "")
        places = text.partition("\ndifference:\n")[2].split("\n")
        differing = differences.parts(place for place in places if re.match(r"[\[.:]", place))
        if text and not differing:
            differing = ["events"]  # the hunt itself has failed
        differences.require("wider", str(seed), differing, text)


def test_the_programs_are_frozen() -> None:
    frozen.require("wider", frozen_lines())


def frozen_lines() -> list[str]:
    """The lines of `frozen.txt` for the programs, one for all of a test."""
    return [
        frozen.line(
            "wider",
            f"{first}:{first + STEP}",
            [maker.program(seed) for seed in range(first, first + STEP)],
        )
        for first in FROZEN[::STEP]
    ]


def test_a_seed_always_gives_the_same_program() -> None:
    assert [maker.program(seed) for seed in range(5)] == [maker.program(seed) for seed in range(5)]


@pytest.mark.parametrize(
    ("line", "other"),
    [
        ("b = a * 2", "b = a + a"),
        ("b = a[0]; b.mul_(2)", "b = a[0] * 2"),
        ("b = (a * 1)[0]; b.mul_(2)", "b = (a * 1)[0] * 2"),
        ("import warnings; warnings.warn('careful')", "b = 1"),
        ("b = a.t()", "b = a.T"),
        ("b = a + 'text'", "b = a + None"),
        ("h = (a * 2); h.register_hook(lambda g: log('seen', g)); h.sum().backward()",
         "h = (a * 2); h.register_hook(lambda g: log('seen', g * 2)); h.sum().backward()"),
    ],
)  # fmt: skip
def test_a_difference_is_seen_and_shrunk_to_what_makes_it(line: str, other: str) -> None:
    start = ["a = torch.ones(3, requires_grad=True)", "c = a * 3", line, "d = a.sin()"]
    expected = hunt.trace(start, "minigrad")
    assert hunt.difference(expected, hunt.trace(start, "minigrad"), hunt.STEP) == []
    changed = hunt.trace([*start[:2], other, start[3]], "minigrad")
    assert hunt.difference(expected, changed, hunt.STEP) != []


def test_what_hooks_on_saved_tensors_see_is_part_of_what_is_compared() -> None:
    start = ["a = torch.ones(3, requires_grad=True)", maker.WATCHED]
    lines = [*start, "b = (a * a).exp()", "b.sum().backward()", "c = a * torch.ones(2)"]
    seen = hunt.trace(lines, "minigrad")
    hooked = [each[0] for each in seen[:6]]
    assert hooked == ["packed"] * 3 + ["unpacked"] * 3
    expected = hunt.trace([*start, "b = a.sin()"], "minigrad")
    changed = hunt.trace([*start, "b = a.cos().sin()"], "minigrad")
    assert hunt.difference(expected, changed, hunt.STEP) != []


def test_only_gradients_that_share_memory_under_pytorch_are_left_out() -> None:
    start = [f"{name} = torch.tensor(3.0, requires_grad=True)" for name in "ab"]
    hooked = [*start, "a.register_hook(lambda grad: edited(grad).mul_(2))"]
    assert hunt.differences([*hooked, "(a.sum() + b.sum()).backward()"]) == []
    lines = [*hooked, "(a.sin() + b.sin()).backward()"]
    expected, *_, shared = hunt.trace(lines, "torch")
    assert "grad" in expected[1]
    assert "b" not in shared
    actual = hunt.trace([*hooked, "(a.sin() + b.cos()).backward()"], "minigrad")
    kept = hunt.without_shared(hunt.trace(lines, "torch"), actual)
    assert hunt.difference(*kept, hunt.STEP) != []


def test_layouts_that_numpy_and_pytorch_disagree_about_are_known() -> None:
    square, wide = torch.ones(2, 2), torch.ones(2, 1, 2)
    assert maker.fit(square, square)
    assert maker.clash(square, square.t())
    assert maker.clash(square, wide.transpose(0, 2).contiguous().transpose(0, 2))
    assert not maker.clash(torch.ones(2, 3), torch.ones(4))  # they do not even fit


def test_what_a_line_computes_can_be_off_by_a_few_last_digits() -> None:
    exact = torch.ones(20, dtype=torch.float64)
    names = {"t01": exact.clone(), "t02": exact[:]}
    for line in ("t01 = a.sin()", "t02 = a[:]"):
        hunt.shake(names, line, random.Random(1))
    assert 0 < (names["t01"] - exact).abs().max() < 1e-14
    assert torch.equal(names["t02"], exact)  # a view: what it shows is not its own


def test_a_difference_is_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = ["a = 1", "b = 2", "c = a + 1", "d = 4"]
    found = lambda kept: ["differs"] * ({"a = 1", "c = a + 1"} <= {*kept})  # noqa: E731
    monkeypatch.setattr(hunt, "differences", found)
    assert hunt.shrunk(lines) == ["a = 1", "c = a + 1"]


def test_the_last_line_of_a_shrunk_program_adds_up_what_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    total = "sum(t.sum() for t in [{}] if t.requires_grad).backward()"
    lines = ["a = 1", "b = 2", "t01 = a + 1", "t02, = b", "t03, *t03_rest = c"]
    lines += [total.format("a, t01")]
    found = lambda kept: ["differs"] * ("b = 2" in kept and "sum" in kept[-1])  # noqa: E731
    monkeypatch.setattr(hunt, "differences", found)
    assert hunt.shrunk(lines) == ["b = 2", total.format("")]
    kept = hunt.with_roots_of([*lines[1:5], total.format("a, b, t01, t02, t03")])
    assert kept[-1] == total.format("b, t01, t02, t03")
