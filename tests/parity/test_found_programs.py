"""Programs that once differed show the same today, with the accelerator and without it."""

from __future__ import annotations

import contextlib
import sys

import pytest

import minigrad  # noqa: F401 - so that its accelerator is there
from tests import differences
from tests.parity import found, traces

STEP = 1e-6  # relative; most of the programs compute in float32


@pytest.mark.parametrize("mode", ["fast", "plain"])
@pytest.mark.parametrize("program", found.programs())
def test_a_program_that_once_differed(program: str, mode: str) -> None:
    fast = sys.modules.get("minigrad.fast")  # not there with MINIGRAD_FAST=0
    with fast.off() if fast and mode == "plain" else contextlib.nullcontext():
        seen = traces.differences(program.split("; "), STEP)
    differences.require("found", program, differences.parts(seen), seen, mode if fast else "plain")
