"""What notebooks and reference pages show of PyTorch is what PyTorch shows today."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from minigrad_course.ask import in_pytorch as inside
from minigrad_course.ask.pytorch import load, transcript
from tests.goldens.keep import keep
from tools.record_pytorch import PAGES, all_programs, with_outputs


@pytest.mark.parametrize("program", all_programs())
def test_recording_again_changes_nothing(program: str) -> None:
    recorded = load().get(program)
    assert keep(recorded, transcript(program, torch)) == recorded


@pytest.mark.parametrize("program", all_programs("in_pytorch"))
def test_what_is_recorded_of_pytorch_itself_is_what_it_shows(program: str) -> None:
    assert inside.load().get(program) == inside.observe(program)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_output_on_a_page_is_that_of_pytorch(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert with_outputs(text, torch) == text
