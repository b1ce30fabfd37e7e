"""Make `notebooks/data/names.txt`: the first names of the US census of 1990.

    python -m pip install names==0.3.0
    python tools/make_names.py

The package `names` ships the two tables of the Census Bureau, one per sex.
`notebooks/data/README.md` says whose they are and why they may be here.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "notebooks" / "data" / "names.txt"
TABLES = ("dist.female.first", "dist.male.first")


def names(lines: Iterable[str]) -> list[str]:
    """The first words of lines such as `MARY  2.629  2.629  1`, in lower case and sorted."""
    return sorted({line.split()[0].lower() for line in lines})


if __name__ == "__main__":
    tables = [files("names").joinpath(table).read_text(encoding="utf-8") for table in TABLES]
    found = names("".join(tables).splitlines())
    FILE.write_text("\n".join(found) + "\n", encoding="utf-8")
