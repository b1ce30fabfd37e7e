"""The five facts that document 002 prints about each tensor, at several points of a program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from minigrad_course.pictures.tables import aligned

FACTS = ("requires_grad", "is_leaf", "retains_grad", "grad_fn", "grad")
Facts = dict[str, list[str]]
"""The facts as words, by the name of the tensor."""


def facts(**tensors: Any) -> Facts:
    """The current five facts of each of the named tensors."""
    return {name: [_word(each, fact) for fact in FACTS] for name, each in tensors.items()}


def show_facts(moments: Mapping[str, Facts]) -> None:
    """Print a table with a line for each tensor at each moment and a column for each fact."""
    lines = [["", "", *FACTS]]
    for moment, tensors in moments.items():
        for number, (name, words) in enumerate(tensors.items()):
            lines.append(["" if number else moment, name, *words])
    print(*aligned(lines), sep="\n")


def _word(tensor: Any, fact: str) -> str:
    if fact == "grad":  # `.grad` of a non-leaf warns
        return "None" if tensor._grad is None else f"{tensor._grad.item():.4g}"
    value = getattr(tensor, fact)
    return value.name() if fact == "grad_fn" and value is not None else str(value)
