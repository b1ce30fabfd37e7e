"""A chapter without a kernel: the names that its notebook defines, and the library it leaves."""

from __future__ import annotations
import __future__

import gc
import re
import sys
from contextlib import suppress
from types import ModuleType
from typing import Any

from minigrad_course.desk import ipynb
from minigrad_course.kernel.stages import load
from tests.course.rules import code_cells
from tools import notebooks

CHAPTERS = (*range(3, 16), 18, 22)  # chapters in which the library grows
IMPORTS = re.compile(r"^from (__future__|minigrad_course\.after_\d\d) import", re.MULTILINE)
# Cells that only show something, or that train for a second.
SHOWS = re.compile(
    r"\b(check|score|draw|replay|plot_\w+|beside_pytorch|plt|torch|perf_counter|Metered|(two|noisy)_moons)\b"
)


def page(number: int, old: str = "", new: str = "", more: str = "") -> dict[str, Any]:
    """The names of a chapter's notebook after its cells have run, with `old` replaced by `new`.

    Args:
        number: the chapter.
        old: a part of some cell's source.
        new: what to put in its place.
        more: the source of one more cell, which runs last.
    """
    (file,) = notebooks.NOTEBOOKS.glob(f"{number:02}_*.ipynb")
    load(number - 1)
    names: dict[str, Any] = {"__name__": "__main__"}
    found = 0
    gc.freeze()  # pages call the collector, which would go through the objects of all earlier tests
    for cell in code_cells(ipynb.read(file)):
        builds = bool(IMPORTS.search(cell.source) or notebooks.lib_names(cell))
        if builds or not SHOWS.search(cell.source):
            found += old in cell.source
            with suppress(*[] if notebooks.lib_names(cell) else [Exception]):  # in an example
                run(cell.source.replace(old, new) if old else cell.source, names)
    assert found
    run(more, names)
    gc.unfreeze()
    return names


def stage(number: int) -> ModuleType:
    """The library as a chapter leaves it, made once for tests that change nothing in it."""
    name = f"stage_{number:02}"
    return sys.modules.get(f"minigrad_course.{name}") or load(number, name)


def run(source: str, names: dict[str, Any]) -> None:
    """Run a cell."""
    exec(compile(source, "<cell>", "exec", __future__.annotations.compiler_flag), names)
