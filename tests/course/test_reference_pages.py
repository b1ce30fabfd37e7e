"""The programs on docs/functions.md and docs/views.md print what the pages show below them."""

from __future__ import annotations

from pathlib import Path

import pytest

import minigrad
from tools.record_pytorch import PAGES, PROGRAM, with_outputs


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_each_program_prints_what_is_below_it(page: Path) -> None:
    """If PyTorch prints something else, run `python tools/record_pytorch.py`."""
    text = page.read_text(encoding="utf-8")
    assert with_outputs(text, minigrad) == text
    assert len(PROGRAM.findall(text)) == text.count("```python") > 0
