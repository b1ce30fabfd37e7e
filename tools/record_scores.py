"""Record from which chapter on the library prints each program as PyTorch does.

    python tools/record_scores.py

`score()` compares the reader's library with that (`minigrad_course/ask/scoring.py`). Run it when a
chapter builds something else, or when there are other programs.
"""

from __future__ import annotations

import json

from minigrad_course.ask.scoring import SCORES, run_at, scored_programs
from minigrad_course.kernel.marks import FIRST, LAST
from minigrad_course.kernel.stages import MINIGRAD


def first_chapters() -> dict[str, int]:
    """The first chapter at which each program prints right.

    Raises:
        ValueError: a program prints right at a chapter, and no longer at a later one.
    """
    found: dict[str, int] = {}
    for chapter in range(FIRST, LAST + 1):
        right = run_at(chapter, MINIGRAD, scored_programs())
        if lost := set(found) - set(right):
            raise ValueError(f"chapter {chapter} no longer prints right {', '.join(sorted(lost))}")
        for program in right:
            found.setdefault(program, chapter)
    return found


if __name__ == "__main__":
    text = json.dumps(first_chapters(), indent=1, sort_keys=True)
    SCORES.write_text(f"{text}\n", encoding="utf-8", newline="\n")
