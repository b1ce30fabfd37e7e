"""All that was recorded of PyTorch is there, and as it was: see `tests.frozen`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import frozen
from tests.goldens import record, record_operations
from tests.parity.wider import found

FORMATTING = Path(__file__).with_name("formatting.json")


def test_programs_are_frozen() -> None:
    frozen.require("program", record.frozen_lines(record.load_lines()))


def test_operations_are_frozen() -> None:
    frozen.require("operation", record_operations.frozen_lines(record_operations.load()))


def test_formatting_is_frozen() -> None:
    recorded = json.loads(FORMATTING.read_text(encoding="utf-8"))
    frozen.require(
        "formatting", [frozen.line("formatting", each["dtype"], each) for each in recorded]
    )


def test_programs_that_once_differed_are_frozen() -> None:
    frozen.require("found", found.frozen_lines())


def test_the_manifest_knows_all_kinds() -> None:
    kinds = {line.split(" ")[0] for line in frozen.MANIFEST.read_text("utf-8").splitlines()}
    assert kinds == {"program", "operation", "formatting", "found", "graphs", "wider"}


def test_what_vanishes_or_changes_is_noticed_and_not_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frozen, "MANIFEST", tmp_path / "frozen.txt")
    lines = [frozen.line("kind", name, name * 2) for name in "ab"]
    frozen.grow("kind", lines)
    frozen.require("kind", lines)
    before = frozen.MANIFEST.read_text("utf-8")
    for current in (lines[:1], [lines[0], frozen.line("kind", "b", "changed")]):
        with pytest.raises(AssertionError, match="1 frozen cases have vanished or changed"):
            frozen.require("kind", current)
        with pytest.raises(SystemExit, match="Nothing is written"):
            frozen.grow("kind", current)
    assert frozen.MANIFEST.read_text("utf-8") == before
    more = [*lines, frozen.line("kind", "c", "new")]
    with pytest.raises(AssertionError, match="1 cases are not frozen"):
        frozen.require("kind", more)
    frozen.grow("kind", more)
    frozen.require("kind", more)
    frozen.grow("other", [])
    assert set(before.splitlines()) < frozen.lines("kind")
