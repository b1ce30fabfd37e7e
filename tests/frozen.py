"""What was recorded of PyTorch is frozen: a case may be added, none may vanish or change.

`frozen.txt` has a line for each recorded case: its kind, its name or group, and a digest. The
scripts that record write the lines of new cases, and refuse to drop or change one. Whoever means
just that (a case was wrong, PyTorch has a new release) takes its line out of the file by hand,
records, and says in the commit why: a line that goes is seen in its diff.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

MANIFEST = Path(__file__).with_name("frozen.txt")


def line(kind: str, name: str, *content: object) -> str:
    """The line of a case. `content` is all that may not change, as JSON can hold it."""
    text = json.dumps(content, sort_keys=True)
    return f"{kind} {name} {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def lines(kind: str) -> set[str]:
    """The lines of all frozen cases of a kind."""
    return {each for each in _read() if each.startswith(f"{kind} ")}


def require(kind: str, current: Iterable[str]) -> None:
    """Raise AssertionError unless the cases of a kind are those that are frozen."""
    __tracebackhide__ = True  # pytest then points at the test that failed
    frozen, there = lines(kind), set(current)
    lost, new = sorted(frozen - there), sorted(there - frozen)
    said = []
    if lost:
        said += [f"{len(lost)} frozen cases have vanished or changed, see tests/frozen.py:", *lost]
    if new:
        said += [f"{len(new)} cases are not frozen; record them by the script for it:", *new]
    if said:
        raise AssertionError("\n".join(said))


def grow(kind: str, current: Iterable[str]) -> None:
    """Freeze new cases of a kind.

    Raises SystemExit, and writes nothing, if a frozen case is missing among the current ones.
    """
    there = set(current)
    if lost := sorted(lines(kind) - there):
        raise SystemExit(
            "\n".join(["Nothing is written, for frozen cases have vanished or changed:", *lost])
        )
    text = "\n".join(sorted({*_read(), *there}))
    MANIFEST.write_text(f"{text}\n", encoding="utf-8")


def _read() -> list[str]:
    return MANIFEST.read_text(encoding="utf-8").splitlines() if MANIFEST.exists() else []
