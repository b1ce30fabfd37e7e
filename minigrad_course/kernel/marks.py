"""Marks: comments that say from which chapter on a line belongs to the library.

    self.ready = []  #@04            from chapter 04 on, together with the block it opens
    keep = False  # why  #@06        the same; an ordinary comment precedes the mark
    with no_grad():  #@10:           the header of its block from chapter 10 on; until then this
                                     line alone is left out, and the block is dedented
    if extension_points.run:  #@fast the accelerator plugs in here; no chapter shows it
    if observers.results:  #@rare    exact but so rare that no chapter shows it

A mark is the last thing on its line. Ordinary comments do not begin with `#@`, so none is taken for
a mark by accident, and a malformed mark is an error, so a typo is not taken for a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

FIRST, LAST = 2, 22  # the chapters that build the library
NO_CHAPTER = 99  # later than every chapter
KINDS = {f"{chapter:02}": chapter for chapter in range(FIRST, LAST + 1)}
KINDS |= {"fast": NO_CHAPTER, "rare": NO_CHAPTER}

FORM = re.compile(r"(?:.*\s)?#@(\w+)(:?)")
ALMOST = re.compile(r"#\s*@\s*(?:\d|fast\b|rare\b)|#@")
# `tokenize` finds comments, too, but takes ten times as long, and stages are made in each notebook.
COMMENT_OR_STRING = re.compile(r"""(#[^\n]*)|('{3}|"{3}|'|")(?:\\.|[^\\])*?\2""", re.DOTALL)


class Mark(NamedTuple):
    """A mark at the end of a line."""

    chapter: int  # the first chapter with this line; NO_CHAPTER for `fast` and `rare`
    is_header: bool  # whether the line is dropped without its block, `#@10:`
    column: int  # where the mark begins


@cache
def marks_in(text: str, file: str = "<text>") -> dict[int, Mark]:
    """The marks in the text of a module, by line number; do not modify the cached dict.

    Raises:
        ValueError: a mark is malformed; the message begins with file:line.
    """
    found: dict[int, Mark] = {}
    if not ALMOST.search(text):
        return found
    for number, column, comment in comments_in(text):
        alike = ALMOST.findall(comment)
        if not alike:
            continue
        form = FORM.fullmatch(comment)
        if form is None or form[1] not in KINDS or len(alike) > 1:
            raise ValueError(
                f"{file}:{number}: {comment!r} is not a mark. A mark is #@{FIRST:02} to #@{LAST},"
                " #@fast or #@rare, with or without a colon, and ends its line"
            )
        found[number] = Mark(KINDS[form[1]], bool(form[2]), column + comment.rindex("#@"))
    return found


def comments_in(text: str) -> Iterator[tuple[int, int, str]]:
    """The line number, start column and text of each comment of a module."""
    number, counted = 1, 0
    for match in COMMENT_OR_STRING.finditer(text):
        if match[1]:
            start = match.start()
            number += text.count("\n", counted, start)
            counted = start
            yield number, start - text.rfind("\n", 0, start) - 1, match[1]


@cache
def code_in(text: str) -> str:
    """The text of a module with its comments and strings empty, line numbers unchanged."""
    return COMMENT_OR_STRING.sub(lambda match: "\n" * match[0].count("\n"), text)
