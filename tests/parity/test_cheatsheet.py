"""The cheat sheet's programs, tables and messages are what PyTorch shows."""

from __future__ import annotations

import importlib.util
from types import ModuleType
from typing import Any

import pytest
import torch

from tools import notebooks


@pytest.fixture
def make() -> ModuleType:
    place = notebooks.ROOT / "figures" / "cheatsheet.py"
    specification = importlib.util.spec_from_file_location("figures_cheatsheet_parity", place)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def lines(sheet: dict[str, Any], make: ModuleType) -> list[str]:
    text: str = make.twin(sheet)
    return text.splitlines()


def test_pytorch_prints_the_same(make: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = lines(make.page(), make)
    monkeypatch.setattr(make, "torch", torch)
    assert lines(make.page(), make) == ours
