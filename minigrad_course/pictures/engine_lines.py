"""The size of the engine that the chapters have built, which chapter 17 prints."""

from __future__ import annotations

from minigrad_course.kernel.code_lines import count_code
from minigrad_course.kernel.stages import MINIGRAD


def engine_lines(chapter: int) -> int:
    """The number of lines of code in the core after a chapter, without comments and docstrings.

    `core.checks` does not count, because it is the only module that no chapter builds.
    """
    modules = [name for name in MINIGRAD.core(chapter) if name != "core.checks"]
    return sum(count_code(MINIGRAD.text(name, chapter)) for name in modules)
