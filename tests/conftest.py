"""Helpers that several modules of unit tests need."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture(autouse=True)
def collector_on_again() -> Iterator[None]:
    """A page or a program that was stopped halfway may have left the collector off."""
    yield
    gc.enable()


@pytest.fixture
def collector_off() -> Iterator[None]:
    """Run without the garbage collector, so that nothing can be left to it.

    Earlier objects are frozen, because after hundreds of tests a collection takes most of a second.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture(params=["minigrad", "torch"])
def library(request: pytest.FixtureRequest) -> Any:
    """minigrad, and PyTorch where it is installed."""
    return pytest.importorskip(request.param)
