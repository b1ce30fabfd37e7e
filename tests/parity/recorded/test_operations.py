"""The recorded outcomes are PyTorch's of today; tests/goldens compares minigrad with them."""

import pytest

from tests.goldens.cases import Case, cases
from tests.goldens.keep import keep
from tests.goldens.record_operations import load, outcome

RECORDED = load()


@pytest.mark.parametrize("case", cases(), ids=lambda case: case.name)
def test_recording_again_changes_nothing(case: Case) -> None:
    recorded = RECORDED[case.name]
    assert keep(recorded, outcome(case, "torch")) == recorded
