"""What tests of several folders need."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from tools import notebooks


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the parameter `chapter` runs for each notebook of the course."""
    if "chapter" in metafunc.fixturenames:
        files = notebooks.chapters()
        metafunc.parametrize("chapter", files, ids=[file.stem for file in files])


@pytest.fixture
def collector_off() -> Iterator[None]:
    """Nothing may be left to the garbage collector."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()
