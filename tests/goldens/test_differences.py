"""The list of accepted differences is sound; an unlisted difference and a stale entry both fail."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import differences
from tests.differences import MODES, accepted, listed, parts, require, require_program
from tests.goldens import record, record_operations
from tests.parity import found

LABELS = ("PyTorch, recorded", "minigrad")


def test_each_listed_case_is_one_that_a_test_runs_and_is_listed_once() -> None:
    known = {
        "program": set(record.load()),
        "operation": set(record_operations.load()),
        "found": set(found.programs()),
    }
    for each in listed():
        # That those of `graphs` are run, `test_random_graphs` checks where PyTorch is installed.
        assert each.kind == "graphs" or set(each.cases) <= known[each.kind]
        assert each.cases
        assert each.differs
        assert each.why.endswith(".")
    everything = [
        (each.kind, case, mode)
        for each in listed()
        for case in each.cases
        for mode in MODES[each.mode]
    ]
    assert len(everything) == len(set(everything))


@pytest.fixture
def short_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A list of two differences."""
    file = tmp_path / "differences.toml"
    file.write_text(
        '[[operation]]\nmode = "both"\ndiffers = ["graph"]\ncases = ["x * y"]\nwhy = "Because."\n'
        '[[program]]\nmode = "plain"\ndiffers = ["-2", "+3"]\ncases = ["code"]\nwhy = "Because."\n'
    )
    monkeypatch.setattr(differences, "LISTED", file)
    listed.cache_clear()
    yield
    listed.cache_clear()


@pytest.mark.usefixtures("short_list")
def test_another_difference_and_one_that_is_gone_are_noticed() -> None:
    require("operation", "x * y", ["graph"])
    require("operation", "x + y", [])
    for differing in (["second"], ["graph", "second"]):
        with pytest.raises(AssertionError, match="does not list:\nsecond"):
            require("operation", "x * y", differing)
    for differing in ([], ["second"]):
        with pytest.raises(AssertionError, match="take it off:\ngraph"):
            require("operation", "x * y", differing)
    with pytest.raises(AssertionError, match="does not list:\ngraph\nmore about it"):
        require("operation", "x + y", ["graph"], "more about it")


@pytest.mark.usefixtures("short_list")
def test_the_lines_of_a_program_are_compared_in_each_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(differences, "current_mode", lambda: "plain")
    require_program("code", "1\n2\n", "1\n3\n", LABELS)
    with pytest.raises(AssertionError, match="take it off:\n-2\n\\+3"):
        require_program("code", "1\n2\n", "1\n2\n", LABELS)
    with pytest.raises(AssertionError, match="does not list:\n\\+4"):
        require_program("code", "1\n2\n", "1\n4\n", LABELS)
    with pytest.raises(AssertionError, match="does not show the same"):
        require_program("other", "1\n", "1", LABELS)
    with pytest.raises(AssertionError, match="not as often"):
        require_program("code", "1\n2\n1\n2\n", "1\n3\n1\n3\n", LABELS)
    monkeypatch.setattr(differences, "current_mode", lambda: "fast")
    require_program("code", "1\n2\n", "1\n2\n", LABELS)
    with pytest.raises(AssertionError, match=r"program code \(fast\)"):
        require_program("code", "1\n2\n", "1\n3\n", LABELS)
    assert accepted("program", "code", "fast") == []


def test_parts_of_an_outcome_have_names() -> None:
    found = [".graph[0]: a != b", "[3][1].flags.is_leaf: a: b", "[2]: only PyTorch: x", ".graph: c"]
    assert parts(found) == ["events", "flags.is_leaf", "graph"]
