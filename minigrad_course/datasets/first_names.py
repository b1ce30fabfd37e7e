"""The first names of chapter 17; their source is in `notebooks/data/README.md`."""

from __future__ import annotations

from minigrad_course.kernel.places import DATA

FILE = DATA / "names.txt"


def load_names() -> list[str]:
    """5,163 first names in alphabetical order, each of 2 to 11 lowercase letters."""
    return FILE.read_text(encoding="utf-8").splitlines()
