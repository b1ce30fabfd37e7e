"""The cheat sheet's programs, tables and messages are what PyTorch shows."""

from __future__ import annotations

import pytest
import torch

from figures import cheatsheet, make


def test_pytorch_prints_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = cheatsheet.values()
    monkeypatch.setattr(cheatsheet, "torch", torch)
    monkeypatch.setattr(make, "torch", torch)
    theirs = cheatsheet.values()
    for each in (ours, theirs):
        assert each["picture"].pop("svg")
        assert each["large"].pop("svg")
    assert theirs == ours
