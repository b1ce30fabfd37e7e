"""Programs that once differed show the same today."""

from __future__ import annotations

import pytest

from tests import differences
from tests.parity import found, traces

STEP = 1e-6  # relative; most of the programs compute in float32


@pytest.mark.parametrize("program", found.programs())
def test_a_program_that_once_differed(program: str) -> None:
    seen = traces.differences(program.split("; "), STEP)
    differences.require("found", program, differences.parts(seen), seen)
