"""The names that a cell binds, and those that it reads."""

from __future__ import annotations

import symtable
from functools import cache
from typing import NamedTuple


class Names(NamedTuple):
    """The global names in a cell.

    Attributes:
        bound: what it assigns, defines or imports.
        defined: of these, what is a function, a class or imported.
        read: what it reads while it runs and binds nowhere.
        later: what its functions will read.
    """

    bound: frozenset[str]
    defined: frozenset[str]
    read: frozenset[str]
    later: frozenset[str]

    @property
    def needed(self) -> frozenset[str]:
        """What other cells have to bind."""
        return (self.read | self.later) - self.bound


@cache
def cell_names(source: str) -> Names:
    """The names in a cell, whose source is plain Python."""
    future = "from __future__ import annotations\n"  # annotations are not evaluated
    top = symtable.symtable(future + source, "<cell>", "exec")
    symbols = [each for each in top.get_symbols() if each.get_name() != "annotations"]
    bound = {each.get_name() for each in symbols if each.is_assigned() or each.is_imported()}
    later: set[str] = set()
    tables = [*top.get_children()]
    while tables:
        table = tables.pop()
        tables += table.get_children()
        if table.get_type() != "annotation":
            later |= {
                each.get_name()
                for each in table.get_symbols()
                if each.is_global() and each.is_referenced()
            }
    return Names(
        frozenset(bound),
        frozenset(s.get_name() for s in symbols if s.is_namespace() or s.is_imported()),
        frozenset(s.get_name() for s in symbols if s.is_referenced()) - bound,
        frozenset(later),
    )
