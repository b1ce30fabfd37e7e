"""Programs in PyTorch itself: their records, and their display with and without PyTorch."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import minigrad
from minigrad_course import in_pytorch
from minigrad_course.ask import in_pytorch as inside
from minigrad_course.ask import pytorch
from minigrad_course.ask.in_pytorch import Shown, card, load, observe
from tests.course.untrusted import require_safe
from tools.record_pytorch import all_programs

PROGRAM = """
    import torch
    from minigrad.viz import draw

    x = torch.tensor(2.0, requires_grad=True)
    print("< & >")
    draw(x * x)
"""
SOURCE = pytorch.text_of(PROGRAM)


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """Use minigrad instead of PyTorch and record PROGRAM; the result switches PyTorch on or off."""
    monkeypatch.setattr(pytorch, "_pytorch", lambda: minigrad)
    file = tmp_path / "in_pytorch.json"
    record = {"program": SOURCE.splitlines(), **observe(SOURCE).as_json()}
    file.write_text(json.dumps([record]))
    monkeypatch.setattr(inside, "RECORDS", file)

    def installed(answer: bool) -> None:
        monkeypatch.setattr(inside, "find_spec", lambda name: name if answer else None)

    return installed


def spoil_the_record() -> None:
    text = inside.RECORDS.read_text()
    inside.RECORDS.write_text(text.replace("AccumulateGrad", "Another"))


def test_the_notebooks_and_the_records_hold_the_same_programs() -> None:
    """If they differ, run `python tools/record_pytorch.py`."""
    assert list(load()) == list(all_programs("in_pytorch"))


def test_a_record_is_read_as_it_was_written(recorded: Any) -> None:
    found = load()[SOURCE]
    assert found == observe(SOURCE)
    assert found.picture is not None
    assert "MulBackward0" in found.picture.twin()


def test_the_page_is_the_same_with_pytorch_and_without(
    recorded: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = []
    for answer in (False, True):
        recorded(answer)
        in_pytorch(PROGRAM)
        shown.append(capsys.readouterr().out)
    assert shown[0] == shown[1]
    assert shown[0].startswith("PyTorch 2.13, recorded\n  < & >\ntensors\n  x = 2 | leaf")


def test_a_wrong_record_is_noticed_if_pytorch_is_installed(
    recorded: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(True)
    spoil_the_record()
    in_pytorch(PROGRAM)
    assert "PyTorch, now: not what PyTorch 2.13, recorded" in capsys.readouterr().out


def test_a_changed_program(recorded: Any, capsys: pytest.CaptureFixture[str]) -> None:
    recorded(False)
    in_pytorch(PROGRAM.replace("2.0", "3.0"))
    assert "there is no record" in capsys.readouterr().out
    recorded(True)
    in_pytorch(PROGRAM.replace("2.0", "3.0"))
    assert capsys.readouterr().out.startswith("PyTorch, now\n  < & >\ntensors\n  x = 3")


def test_a_slow_program_does_not_run_again_once_it_is_recorded(
    recorded: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded(True)
    spoil_the_record()
    in_pytorch(PROGRAM, again=False)
    assert capsys.readouterr().out.startswith("PyTorch 2.13, recorded\n")
    in_pytorch(PROGRAM.replace("2.0", "3.0"), again=False)
    assert capsys.readouterr().out.startswith("PyTorch, now\n")


def test_a_picture_of_what_is_printed(recorded: Any) -> None:
    drawn: list[Sequence[str]] = []
    for answer in (False, True):
        recorded(answer)
        in_pytorch(PROGRAM, picture=drawn.append)
    assert drawn == [("< & >",)] * 2
    recorded(False)
    in_pytorch(PROGRAM.replace("2.0", "3.0"), picture=drawn.append)
    assert len(drawn) == 2  # this program was not recorded, so there is nothing to draw


def test_cards_survive_an_untrusted_jupyterlab() -> None:
    for pair in ((Shown(("< & >",)), None), (Shown(("a",)), Shown(("< & >",)))):
        assert "< & >" in require_safe(card(*pair).html).closed_text
