"""What the reader owns by chapter 16: how many lines the engine has that the chapters built."""

from __future__ import annotations

import io
import tokenize

from course.stages import MINIGRAD

NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT,
    tokenize.ENDMARKER,
}  # fmt: skip


def engine_lines(chapter: int) -> int:
    """How many lines of code the core has after a chapter; blank lines, comments and docstrings
    are none. Each definition stands in a cell of a chapter, but for those of `checks`."""
    modules = [name for name in MINIGRAD.core(chapter) if not name.startswith("core.checks")]
    return sum(code_lines(MINIGRAD.text(name, chapter)) for name in modules)


def code_lines(text: str) -> int:
    """How many lines of a text hold code."""
    found: set[int] = set()
    begins = True  # a statement; one that is a text alone is a docstring
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in NO_CODE:
            begins = begins or token.type == tokenize.NEWLINE
            continue
        if not (begins and token.type == tokenize.STRING):
            found |= set(range(token.start[0], token.end[0] + 1))
        begins = False
    return len(found)
