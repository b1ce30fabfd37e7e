"""Programs that the hunt has found to differ once: they do so no more, in either mode.

`tests.parity.wider.hunt` compares all that can be seen of them: errors, warnings, values, flags,
versions, layouts, graphs, gradients.
"""

from __future__ import annotations

import contextlib
import sys

import pytest

import minigrad  # noqa: F401 - so that its accelerator is there
from tests import differences
from tests.parity.wider import found, hunt


@pytest.mark.parametrize("mode", ["fast", "plain"])
@pytest.mark.parametrize("program", found.programs())
def test_a_program_that_once_differed(program: str, mode: str) -> None:
    fast = sys.modules.get("minigrad.fast")  # not there with MINIGRAD_FAST=0
    with fast.off() if fast and mode == "plain" else contextlib.nullcontext():
        seen = hunt.differences(program.split("; "))
    differences.require("found", program, differences.parts(seen), seen, mode if fast else "plain")
