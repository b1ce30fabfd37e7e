"""The cases of every operation, a module for each family."""

from __future__ import annotations

import re
from functools import cache

from tests.goldens.cases import (
    arguments,
    creation,
    dtypes,
    elementwise,
    errors,
    in_place,
    indexing,
    layers,
    losses,
    products,
    reductions,
    shapes,
)
from tests.goldens.cases.case import Case

__all__ = ["Case", "by_operation", "cases"]

FAMILIES = [
    elementwise, reductions, shapes, indexing, products, layers, losses, in_place, creation, dtypes,
    arguments, errors,
]  # fmt: skip


@cache
def cases() -> tuple[Case, ...]:
    """Every case, once."""
    return tuple(case for family in FAMILIES for case in family.cases())


def by_operation() -> dict[str, list[Case]]:
    """The cases by the first function or method that each of them calls.

    A test runs all cases of an operation, for a test of each would mostly keep pytest busy.
    """
    found: dict[str, list[Case]] = {}
    for case in cases():
        call = re.search(r"(\w+)\(", case.code)
        found.setdefault(call[1] if call else "operators", []).append(case)
    return found
