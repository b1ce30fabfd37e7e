"""What the notebooks say that PyTorch prints is what PyTorch prints now."""

from __future__ import annotations

import pytest
import torch

from course import inside
from course.pytorch import load, transcript
from tools.record_pytorch import all_programs


@pytest.mark.parametrize("program", all_programs())
def test_recorded_output_is_what_pytorch_prints(program: str) -> None:
    assert load().get(program) == transcript(program, torch)


@pytest.mark.parametrize("program", all_programs("in_pytorch"))
def test_what_is_recorded_of_pytorch_itself_is_what_it_shows(program: str) -> None:
    assert inside.load().get(program) == inside.observe(program)
