"""What several modules of unit tests need."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def collector_on_again() -> Iterator[None]:
    """A page or a program that ends before its end may have left the collector off."""
    yield
    gc.enable()


@pytest.fixture
def collector_off() -> Iterator[None]:
    """Nothing may be left to the garbage collector. What was there before, it leaves out: after
    hundreds of other tests a collection took most of a second.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    yield
    gc.enable()
