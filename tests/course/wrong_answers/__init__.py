"""Wrong answers to the exercises, a module a chapter: a test hands in each of them.

    WRONG: WrongAnswers = {
        "04.2": {
            "counts a constant": {"node is not None": "True"},
            "leaves out": '''
                def edges(root):
                    return len({node for node, _ in root.next_functions if node is not None})
            ''',
        },
    }

For each exercise, a part of the message that its check must give leads to an answer that makes this
mistake: either the whole source, or what to replace in the solution, in this order. No two answers
to an exercise get the same message.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping

from minigrad_course.ask.declare import EXERCISES, find, source_of

Edits = Mapping[str, str]
WrongAnswers = Mapping[str, Mapping[str, str | Edits]]


def wrong_answers(id: str) -> dict[str, str]:
    """The source of each wrong answer to an exercise, by a part of the message that it must get."""
    module = importlib.import_module(f"tests.course.wrong_answers.ch{id[:2]}")
    solution = find(EXERCISES, id).solution
    return {
        says: source_of(answer) if isinstance(answer, str) else edited(solution, answer)
        for says, answer in module.WRONG.get(id, {}).items()
    }


def edited(source: str, edits: Edits) -> str:
    """`source` after these replacements; ValueError if it does not contain what one replaces."""
    for old, new in edits.items():
        if old not in source:
            raise ValueError(f"there is no {old!r} in the answer")
        source = source.replace(old, new)
    return source
