"""What the reader owns by chapter 16: how many lines the engine has that the chapters built."""

from __future__ import annotations

from minigrad_course.kernel.code_lines import count_code
from minigrad_course.kernel.stages import MINIGRAD


def engine_lines(chapter: int) -> int:
    """How many lines of code the core has after a chapter; blank lines, comments and docstrings
    are none. Each definition stands in a cell of a chapter, but for those of `checks`."""
    modules = [name for name in MINIGRAD.core(chapter) if name != "core.checks"]
    return sum(count_code(MINIGRAD.text(name, chapter)) for name in modules)
