"""Wrong answers to the exercises, a module a chapter: a test hands in each of them.

    WRONG: WrongAnswers = {
        "04.2": {
            "counts a constant": {"node is not None": "True"},
            "no node at all": "return 0",
            "leaves out": '''
                def edges(root):
                    nodes = {node for node, _ in root.next_functions if node is not None}
                    return len(nodes)
            ''',
        },
    }

For each exercise, a part of the message that its check must give leads to an answer that makes this
mistake: what to replace in the solution, in this order; a line that returns, which is then the body
of the solution's last function; or a whole source. No two answers to an exercise get the same
message.
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
    return {says: completed(answer, solution) for says, answer in module.WRONG.get(id, {}).items()}


def completed(answer: str | Edits, solution: str) -> str:
    """The whole source of an answer that may be written as its difference from the solution."""
    if not isinstance(answer, str):
        return edited(solution, answer)
    if answer.startswith("return "):
        above, _, function = f"\n{solution}".rpartition("\ndef ")
        return f"{above}\ndef {function.splitlines()[0]}\n    {answer}".strip()
    return source_of(answer)


def edited(source: str, edits: Edits) -> str:
    """`source` after these replacements; ValueError if it does not contain what one replaces."""
    for old, new in edits.items():
        if old not in source:
            raise ValueError(f"there is no {old!r} in the answer")
        source = source.replace(old, new)
    return source
