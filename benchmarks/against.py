"""Before and after in one run: minigrad at a git revision, beside that of this checkout.

`python -m benchmarks --against REV ROW …` prints both times and their ratio for each row, with the
accelerator and without it ("plain"). Times that were measured at another hour would say more about
the machine than about a change.

Each version has a process of its own, and the two take turns; which one begins alternates. There
are several pairs of processes, because where a process has its memory makes a difference. Both
versions run the programs of this checkout, so the revision must have what they call.
"""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from .measure import ROOT, Turn, process
from .report import duration
from .table import ALL, Row

LABELS = {"minigrad": "fast", "plain": "plain"}
PAIRS = 3  # of processes
SECONDS = 4.0  # for how long a pair takes turns


def compare(names: Sequence[str], revision: str) -> Iterator[str]:
    """Yield the lines about each row as soon as it is measured.

    Raises:
        LookupError: git does not know the revision.
        subprocess.CalledProcessError: a program fails in one of the versions.
    """
    # An empty PYTHONPATH lets each process import the minigrad of its own folder.
    same = {"PYTHONHASHSEED": "0", "PYTHONPATH": ""}
    with checked_out(revision) as folder:
        for name in names:
            turns: list[tuple[Turn, Turn]] = []
            for _ in range(PAIRS):
                with (
                    process(name, list(LABELS), folder, **same) as before,
                    process(name, list(LABELS), ROOT, **same) as after,
                ):
                    turns += alternate(before, after)
            yield from lines(ALL[name], turns)


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """Yield a folder with the revision's minigrad and the benchmarks of this checkout.

    LookupError if git does not know the revision.
    """
    with TemporaryDirectory() as place:
        folder = Path(place) / "before"
        archive = folder.with_suffix(".zip")
        command = ["git", "-C", str(ROOT), "archive", "-o", str(archive), revision, "minigrad"]
        if subprocess.run(command).returncode:
            raise LookupError(f"git has no minigrad at {revision}")
        shutil.unpack_archive(archive, folder)
        shutil.copytree(ROOT / "benchmarks", folder / "benchmarks")
        yield folder


def alternate(before: Callable[[], Turn], after: Callable[[], Turn]) -> list[tuple[Turn, Turn]]:
    """Let both take turns, and return them in pairs. The first pair warms up and does not count."""
    turns: list[tuple[Turn, Turn]] = []
    before(), after()
    end = time.perf_counter() + SECONDS
    while len(turns) < 2 or time.perf_counter() < end:
        if len(turns) % 2:
            late = after()
            turns.append((before(), late))
        else:
            turns.append((before(), after()))
    return turns


def lines(row: Row, turns: list[tuple[Turn, Turn]]) -> list[str]:
    """Describe a row in the terminal.

    The times are the fastest turns. The ratio is the median over the pairs of turns, because on a
    busy machine one of the two may never have had a quiet turn; the last column has its quartiles.
    """
    found = [
        f"\n{row.name}: {row.title}",
        f"  {'':6}{'before':>10}{'after':>10}{'ratio':>8}   half of {len(turns)} pairs of turns",
    ]
    for library in turns[0][0]:
        before = [each[library] for each, _ in turns]
        after = [each[library] for _, each in turns]
        ratios = [new / old for old, new in zip(before, after, strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        found.append(
            f"  {LABELS[library]:6}{duration(min(before)):>10}{duration(min(after)):>10}"
            f"{middle:8.2f}   {low:.2f} to {high:.2f}"
        )
    return found
