"""The names of places of chapter 16; where they come from stands in `notebooks/data/README.md`."""

from __future__ import annotations

from minigrad_course.kernel.places import DATA

FILE = DATA / "names.txt"


def load_names() -> list[str]:
    """497 names in alphabetical order: small letters and spaces, 3 to 14 of them."""
    return FILE.read_text(encoding="utf-8").splitlines()
