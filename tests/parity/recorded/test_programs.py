"""The recorded transcripts are PyTorch's of today; tests/goldens compares minigrad with them."""

import pytest

from tests.goldens.keep import keep
from tests.goldens.record import load_lines
from tests.harness import program_names, transcript

RECORDED = load_lines()


@pytest.mark.parametrize("name", program_names())
def test_recording_again_changes_nothing(name: str) -> None:
    assert keep(RECORDED[name], transcript(name, "torch").splitlines()) == RECORDED[name]
