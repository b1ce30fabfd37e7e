"""Each program under both libraries, live; and the recorded transcripts against PyTorch today."""

import pytest

from tests.differences import require_program
from tests.goldens.record import load
from tests.harness import program_names, require_same, transcript

RECORDED = load()


@pytest.mark.parametrize("name", program_names())
def test_program(name: str) -> None:
    require_program(
        name, transcript(name, "torch"), transcript(name, "minigrad"), ("PyTorch", "minigrad")
    )


@pytest.mark.parametrize("name", program_names())
def test_recorded_transcript_is_what_pytorch_shows(name: str) -> None:
    require_same(
        name, RECORDED[name], transcript(name, "torch"), ("PyTorch, recorded", "PyTorch now")
    )
