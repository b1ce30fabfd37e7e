"""Each program under both libraries, live; and the recorded transcripts against PyTorch today."""

import pytest

from tests.differences import require_program
from tests.goldens.keep import keep
from tests.goldens.record import load_lines
from tests.harness import program_names, transcript

RECORDED = load_lines()


@pytest.mark.parametrize("name", program_names())
def test_program(name: str) -> None:
    require_program(
        name, transcript(name, "torch"), transcript(name, "minigrad"), ("PyTorch", "minigrad")
    )


@pytest.mark.parametrize("name", program_names())
def test_recording_again_changes_nothing(name: str) -> None:
    assert keep(RECORDED[name], transcript(name, "torch").splitlines()) == RECORDED[name]
