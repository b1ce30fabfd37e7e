"""Before and after in one run: minigrad as a git revision has it, beside that of this checkout.

`python -m benchmarks --against REV ROW …` prints, for each row, both times and their ratio, with
the accelerator and plain. Times of another hour would tell more of the machine than of a change.

Each version has a process of its own, and the two take turns as libraries do in `harness.py`; who
begins alternates. Processes differ in where their memory lies, so there are several pairs of them.
One thread and the same seeds for all. The programs are this checkout's for both versions: the
revision must know what they call.

`python -m benchmarks.against ROW` is such a process, for the minigrad in the folder where it is
started: for each line that it reads it prints the seconds of one more turn, as JSON.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from . import harness, table
from .libraries import load
from .report import duration

ROOT = Path(__file__).resolve().parents[1]
LIBRARIES = {"minigrad": "fast", "plain": "plain"}  # what the lines call them
PAIRS = 3  # of processes
SECONDS = 4.0  # that a pair takes turns, and at least two

Turn = dict[str, float]  # library → seconds a step
Side = Callable[[], Turn]  # takes a turn


def compare(names: Sequence[str], revision: str, environment: dict[str, str]) -> Iterator[str]:
    """The lines about each row, as soon as it is measured.

    Raises:
        LookupError: git does not know the revision.
        subprocess.CalledProcessError: a program fails in one of the versions.
    """
    # Each process takes the library from its own folder, whatever PYTHONPATH says.
    same_seeds = environment | {"PYTHONHASHSEED": "0", "PYTHONPATH": ""}
    with checked_out(revision) as folder:
        for name in names:
            pairs: list[tuple[Turn, Turn]] = []
            for _ in range(PAIRS):
                with ExitStack() as stack:
                    before, after = (
                        stack.enter_context(side(name, place, same_seeds))
                        for place in (folder, ROOT)
                    )
                    pairs += take_turns(before, after)
            yield from lines(table.ALL[name], pairs)


@contextmanager
def checked_out(revision: str) -> Iterator[Path]:
    """A folder with the revision's minigrad and the benchmarks of this checkout.

    Raises:
        LookupError: git does not know the revision.
    """
    with TemporaryDirectory() as place:
        folder = Path(place) / "before"
        archive = folder.with_suffix(".zip")
        command = ["git", "-C", str(ROOT), "archive", "-o", str(archive), revision, "minigrad"]
        if subprocess.run(command).returncode:
            raise LookupError(f"git has no minigrad of {revision}")
        shutil.unpack_archive(archive, folder)
        shutil.copytree(ROOT / "benchmarks", folder / "benchmarks")
        yield folder


@contextmanager
def side(row: str, folder: Path, environment: dict[str, str]) -> Iterator[Side]:
    """A process that measures a row of the minigrad in `folder`."""
    command = [sys.executable, "-m", "benchmarks.against", row]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        asked, told = process.stdin, process.stdout
        assert asked
        assert told

        def turn() -> Turn:
            if process.poll() is None:
                print(file=asked, flush=True)
            if answer := told.readline():
                return json.loads(answer)  # type: ignore[no-any-return]
            raise subprocess.CalledProcessError(process.wait(), command)

        yield turn


def take_turns(before: Side, after: Side) -> list[tuple[Turn, Turn]]:
    """Turns of both, each pair side by side in time. The first is to warm up and does not count."""
    pairs: list[tuple[Turn, Turn]] = []
    before(), after()
    end = time.perf_counter() + SECONDS
    while len(pairs) < 2 or time.perf_counter() < end:
        if len(pairs) % 2:
            late = after()
            pairs.append((before(), late))
        else:
            pairs.append((before(), after()))
    return pairs


def lines(row: harness.Row, pairs: list[tuple[Turn, Turn]]) -> list[str]:
    """A row for the terminal.

    The times are those of the fastest turns. The ratio is the median over the pairs, for on a busy
    machine one of the two may never have had a quiet turn; half of the pairs lie as the last column
    says.
    """
    found = [
        f"\n{row.name}: {row.title or row.name}",
        f"  {'':6}{'before':>10}{'after':>10}{'ratio':>8}   half of {len(pairs)} pairs of turns",
    ]
    for library in pairs[0][0]:
        before = [each[library] for each, _ in pairs]
        after = [each[library] for _, each in pairs]
        ratios = [new / old for old, new in zip(before, after, strict=True)]
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        found.append(
            f"  {LIBRARIES[library]:6}{duration(min(before)):>10}{duration(min(after)):>10}"
            f"{middle:8.2f}   {low:.2f} to {high:.2f}"
        )
    return found


def serve(name: str) -> None:
    """Take a turn of a row, of the minigrad in the current folder, for each line of the input.

    RuntimeError if Python has found another minigrad.
    """
    place = Path(str(load("minigrad").__file__))  # type: ignore[union-attr]
    if not place.is_relative_to(Path.cwd()):
        raise RuntimeError(f"minigrad is that of {place.parent}")
    row = table.ALL[name]
    libraries = [each for each in LIBRARIES if each in row.libraries]
    turn_of_each = harness.prepare(replace(row, libraries=libraries))
    for _ in sys.stdin:
        print(json.dumps(turn_of_each()), flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
