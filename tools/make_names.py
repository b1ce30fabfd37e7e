"""Make `notebooks/data/names.txt`: place names from Python's time-zone data.

    python tools/make_names.py

The list is part of the course, because not every machine has that data and newer data has other
names. `notebooks/data/README.md` says where they come from and under which license.
"""

from __future__ import annotations

import re
import zoneinfo
from collections.abc import Iterable
from pathlib import Path

FILE = Path(__file__).resolve().parent.parent / "notebooks" / "data" / "names.txt"
NOT_PLACES = {"Etc", "SystemV", "posix", "right"}


def names(zones: Iterable[str]) -> list[str]:
    """The last parts of names such as Asia/Seoul in lower case, if they are only letters."""
    parts = [zone.split("/") for zone in zones if "/" in zone]
    last = {part[-1].replace("_", " ").lower() for part in parts if part[0] not in NOT_PLACES}
    return sorted(name for name in last if re.fullmatch("[a-z ]{3,14}", name))


if __name__ == "__main__":
    FILE.write_text("\n".join(names(zoneinfo.available_timezones())) + "\n", encoding="utf-8")
