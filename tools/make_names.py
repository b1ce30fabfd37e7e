"""Make `notebooks/data/names.txt`: names of places, from the time-zone data that Python finds.

    python tools/make_names.py

The course comes with the list, for not every machine has that data, and newer data has other names.
Whose the names are stands in `notebooks/data/README.md`.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Iterable
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "notebooks" / "data" / "names.txt"
NO_PLACES = {"Etc", "SystemV", "posix", "right"}


def names(zones: Iterable[str]) -> list[str]:
    """The last parts of names such as Asia/Seoul, in small letters, if they are only letters."""
    parts = [zone.split("/") for zone in zones if "/" in zone]
    last = {part[-1].replace("_", " ").lower() for part in parts if part[0] not in NO_PLACES}
    return sorted(name for name in last if re.fullmatch("[a-z ]{3,14}", name))


if __name__ == "__main__":
    FILE.write_text("\n".join(names(zoneinfo.available_timezones())) + "\n", encoding="utf-8")
