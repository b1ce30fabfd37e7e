"""The chapter that a reader is working on: its cells, and what they define and build.

It is read from the course's own notebook, `notebooks/NN_*.ipynb`, because the reader's file may
have any name and unsaved changes. The import from `minigrad_course.after_NN` identifies the
chapter, or the cells that have run if there is no such import. A cell is found on the page by its
id, which JupyterLab sends and the workbook keeps, or else by its text. For a cell that the reader
added, what counts is the names it defines.
"""

from __future__ import annotations

import ast
import json
import re
import symtable
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

from minigrad_course.kernel.cell_order import Cell, Order
from minigrad_course.kernel.places import NOTEBOOKS
from minigrad_course.kernel.stages import MINIGRAD, bound_names, method_target

LIB = "lib:minigrad."


@dataclass(frozen=True)
class PageCell:
    """A code cell of the course's notebook.

    Attributes:
        heading: the nearest heading above it.
        builds: what its `lib:` tags name, without the module: `Tensor.backward`, `sum_to`.
        defines: the names that it binds; members of classes look like `Tensor.backward`.
        folded: whether its code is hidden until the reader opens it.
    """

    cell: Cell
    heading: str
    builds: tuple[str, ...]
    defines: frozenset[str]
    folded: bool = False


@dataclass(frozen=True)
class Page:
    """The code cells of a chapter, in order."""

    chapter: int
    cells: tuple[PageCell, ...]

    def place(self, cell: Cell) -> int | None:
        """The index of this cell on the page; None if the reader has added it."""
        if cell.id is not None:
            for place, each in enumerate(self.cells):
                if each.cell.id == cell.id:
                    return place
        for place, each in enumerate(self.cells):
            if each.cell.text == cell.text:
                return place
        return None

    def ran(self, order: Order) -> set[int]:
        """The cells that have run and are up to date, or that cells of the reader's replace."""
        places = {self.place(cell) for cell in order.ended}
        own = [cell for cell in order.ended if self.place(cell) is None]
        defined = {name for cell in own for name in defined_names(cell.source)}
        return {
            place
            for place, each in enumerate(self.cells)
            if place in places or not defined.isdisjoint(each.builds)
        } - self.outdated(order)

    def outdated(self, order: Order) -> set[int]:
        """The cells that added members to a class before it was defined again."""
        last = {self.place(cell): when for when, cell in enumerate(order.ended)}
        whole = {
            name: last[place]
            for place, each in enumerate(self.cells)
            for name in each.builds
            if "." not in name and place in last
        }
        return {
            place
            for place, each in enumerate(self.cells)
            if place in last
            and any(last[place] < whole.get(name.partition(".")[0], -1) for name in each.builds)
        }

    def here(self, order: Order) -> int:
        """The index of the running cell; a reader's own cell comes after the last one that ran."""
        place = None if order.running is None else self.place(order.running)
        if place is not None:
            return place
        known = [self.place(cell) for cell in order.ended]
        return 1 + max((each for each in known if each is not None), default=-1)

    def skipped(self, order: Order) -> list[PageCell]:
        """The build cells above the running one that have not run."""
        ran = self.ran(order)
        above = self.cells[: self.here(order)]
        return [each for place, each in enumerate(above) if each.builds and place not in ran]


def page_of(order: Order) -> Page | None:
    """The chapter whose cells have run; None if it is unknown."""
    if order.chapter is not None:
        return read(order.chapter)
    cells = [*order.ended, *([order.running] if order.running else [])]
    counts = {
        page.chapter: sum(page.place(cell) is not None for cell in cells)
        for page in map(read, chapters())
        if page is not None
    }
    best = max(counts, key=lambda chapter: counts[chapter], default=None)
    return read(best) if best is not None and counts[best] else None


def chapters() -> list[int]:
    """The numbers of the course's notebooks."""
    return [int(file.name[:2]) for file in sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))]


@cache
def read(chapter: int) -> Page | None:
    """The course's notebook of a chapter; None if there is none."""
    for file in NOTEBOOKS.glob(f"{chapter:02}_*.ipynb"):
        content = json.loads(file.read_text(encoding="utf-8"))
        return Page(chapter, tuple(page_cells(content["cells"])))
    return None


def page_cells(cells: Iterable[dict[str, Any]]) -> Iterable[PageCell]:
    """The code cells of a notebook, from its stored JSON."""
    heading = "the beginning"
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            heading = [heading, *re.findall(r"^#+ +(.+)$", source, re.MULTILINE)][-1]
        elif cell["cell_type"] == "code":
            tags = cell["metadata"].get("tags", [])
            builds = [path_of(tag.removeprefix(LIB)) for tag in tags if tag.startswith(LIB)]
            yield PageCell(
                Cell(source, cell.get("id")),
                heading.strip(),
                tuple(builds),
                defined_names(source),
                "folded" in tags,
            )


def path_of(name: str) -> str:
    """A name without its module: `Node.record` for `core.node.Node.record`."""
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        if MINIGRAD.path(".".join(parts[:cut])) is not None:
            return ".".join(parts[cut:])
    return name


@cache
def defined_names(source: str) -> frozenset[str]:
    """The names that a cell binds; members of classes look like `Tensor.backward`."""
    try:
        tree = ast.parse(source)
        table = symtable.symtable(source, "<cell>", "exec")
    except SyntaxError:  # a magic command, for one
        return frozenset()
    found = {s.get_name() for s in table.get_symbols() if s.is_assigned() or s.is_imported()}
    for node in tree.body:
        target = method_target(node)
        found |= {target} if target else {name for name in bound_names(node) if "." in name}
        if isinstance(node, ast.ClassDef):
            members = [name for member in node.body for name in bound_names(member)]
            found |= {f"{node.name}.{name}" for name in members}
    return frozenset(found)
