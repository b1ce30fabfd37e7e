"""Marks: the comments that say from which chapter on a line of the library is there.

    self.ready = []  #@04            there from chapter 04 on, with the block that it opens
    keep = False  # why  #@06        the same; an ordinary comment comes before the mark
    with no_grad():  #@10:           the header of its block from chapter 10 on; until then this
                                     line alone is left out, and the block is dedented
    if extension_points.run:  #@fast where the accelerator plugs in, which no chapter shows
    if observers.results:  #@rare    exact but rare, which no chapter shows

A mark is the last thing on its line. No comment in English begins with `#@`, so prose cannot pass
for a mark, and a comment that merely looks like one is an error, so a slip cannot pass for prose.
"""

from __future__ import annotations

import io
import re
import tokenize
from functools import cache
from typing import NamedTuple

FIRST, LAST = 2, 23  # the chapters that build the library
NO_CHAPTER = 99  # later than every chapter
KINDS = {f"{chapter:02}": chapter for chapter in range(FIRST, LAST + 1)}
KINDS |= {"fast": NO_CHAPTER, "rare": NO_CHAPTER}

FORM = re.compile(r"(?:.*\s)?#@(\w+)(:?)")
ALMOST = re.compile(r"#\s*@\s*(?:\d|fast\b|rare\b)|#@")


class Mark(NamedTuple):
    """A mark at the end of a line."""

    chapter: int  # the first chapter with this line; NO_CHAPTER for `fast` and `rare`
    is_header: bool  # whether the line is dropped without its block, `#@10:`
    column: int  # where the mark begins


@cache
def marks_in(text: str, file: str = "<text>") -> dict[int, Mark]:
    """The marks in the text of a module, by line number; not to be changed.

    Raises:
        ValueError: a comment looks like a mark and is not one; the message begins with file:line.
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


def comments_in(text: str) -> list[tuple[int, int, str]]:
    """The comments of a module, each with its line number and the column where it begins."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return [(*each.start, each.string) for each in tokens if each.type == tokenize.COMMENT]
