"""The cheat sheet's programs, tables and messages are what PyTorch shows."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from figures import cheatsheet


def lines(sheet: dict[str, Any]) -> list[str]:
    text: str = cheatsheet.twin(sheet)
    return text.splitlines()


def test_pytorch_prints_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = lines(cheatsheet.page())
    monkeypatch.setattr(cheatsheet, "torch", torch)
    assert lines(cheatsheet.page()) == ours
