"""The place names of chapter 17; their source is in `notebooks/data/README.md`."""

from __future__ import annotations

from minigrad_course.kernel.places import DATA

FILE = DATA / "names.txt"


def load_names() -> list[str]:
    """497 names in alphabetical order, each of 3 to 14 lowercase letters and spaces."""
    return FILE.read_text(encoding="utf-8").splitlines()
