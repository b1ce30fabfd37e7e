"""Measures rows: the programs of all libraries, in turn, again and again, in one process.

Because the libraries take turns (A B C A B C …), a minute in which other programs use the machine,
or in which its clock changes, affects all of them. Each row has a process of its own, with one
thread, because NumPy's BLAS reads the number of threads when it is loaded. Each library gets a call
to warm up and as many calls a turn as take about ten milliseconds. The garbage collector runs
before each turn and is on during it, as Python has it, but everything that existed before the first
turn is frozen, so that no library pays for the modules of the others.

Two versions of minigrad are measured in pairs of processes, one right after the other. There are
several pairs, because other programs disturb some of them, and because it makes a difference where
a process has its memory. Both versions run the programs of this checkout, so the older one must
have what they call.
"""

from __future__ import annotations

import gc
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from .libraries import Array, Step, as_array, load, step_of
from .table import ROWS

Times = dict[str, float]  # library → the seconds a step, from its fastest turn

ROOT = Path(__file__).resolve().parents[1]
SECONDS, PAIR_SECONDS = 5.0, 1.0  # for how long the libraries take turns, at least
PAIRS = 8
TURN = 0.01  # the seconds of a turn, at least
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
# Each process imports the minigrad of its own folder.
ENVIRONMENT = {**ONE_THREAD, "PYTHONHASHSEED": "0", "PYTHONPATH": ""}


def measure(name: str, libraries: Sequence[str], seconds: float, folder: Path = ROOT) -> Times:
    """Measure a row in a process of its own, with the minigrad in `folder`.

    subprocess.CalledProcessError if that process ends with an error.
    """
    command = [sys.executable, "-m", "benchmarks.measure", name, str(seconds), *libraries]
    environment = os.environ | ENVIRONMENT
    run = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)  # type: ignore[no-any-return]


def compare(name: str, before: Path) -> list[tuple[Times, Times]]:
    """Measure the minigrad in a folder and this checkout's in pairs; which begins alternates."""
    pairs: list[tuple[Times, Times]] = []
    for number in range(PAIRS):
        order = [ROOT, before] if number % 2 else [before, ROOT]
        times = {each: measure(name, ["minigrad", "plain"], PAIR_SECONDS, each) for each in order}
        pairs.append((times[before], times[ROOT]))
    return pairs


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


def take_turns(name: str, seconds: float, libraries: Sequence[str]) -> Times:
    """Warm the libraries up, then measure a row in this process.

    RuntimeError if two libraries disagree about a gradient, or if Python has found another minigrad
    than that of the current folder.
    """
    place = Path(load("minigrad").__file__)
    if not place.is_relative_to(Path.cwd()):
        raise RuntimeError(f"minigrad was imported from {place.parent}")
    row = ROWS[name]
    steps: dict[str, Step] = {}
    for library in libraries:
        if (library != "plain" or row.plain) and (step := step_of(row.work, library)):
            steps[library] = step
    check({library: [as_array(each) for each in step()] for library, step in steps.items()})
    gc.collect()
    gc.freeze()
    calls = {library: max(1, round(TURN / turn(step))) for library, step in steps.items()}
    turns: list[Times] = []
    end = time.perf_counter() + seconds
    while not turns or time.perf_counter() < end:
        turns.append({library: turn(step, calls[library]) for library, step in steps.items()})
    return {library: min(each[library] for each in turns) for library in steps}


def turn(step: Step, calls: int = 1) -> float:
    """Return the seconds that one of `calls` steps takes."""
    gc.collect()
    start = time.perf_counter()
    for _ in range(calls):
        step()
    return (time.perf_counter() - start) / calls


def check(gradients: dict[str, list[Array]]) -> None:
    """RuntimeError unless all libraries computed the same gradients, to float32's precision."""
    reference, expected = next(iter(gradients.items()))
    for name, found in gradients.items():
        for index, (theirs, ours) in enumerate(zip(found, expected, strict=True)):
            tolerance = 1e-4 * float(np.abs(ours).max())
            if ours.shape != theirs.shape or not np.allclose(theirs, ours, 1e-3, tolerance):
                raise RuntimeError(f"{name} and {reference} disagree about gradient {index}")


if __name__ == "__main__":
    print(json.dumps(take_turns(sys.argv[1], float(sys.argv[2]), sys.argv[3:])))
