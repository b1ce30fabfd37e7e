"""The cases of every operation, a module for each family."""

from __future__ import annotations

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

__all__ = ["Case", "cases"]

FAMILIES = [
    elementwise, reductions, shapes, indexing, products, layers, losses, in_place, creation, dtypes,
    arguments, errors,
]  # fmt: skip


def cases() -> list[Case]:
    """Every case, once."""
    return [case for family in FAMILIES for case in family.cases()]
