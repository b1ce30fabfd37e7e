"""Measures rows: the programs of all libraries, in turn, again and again, in one process.

Why not pytest-benchmark, which times one function after the other: on a machine that other programs
use, or whose clock changes with its temperature, the function that ran in the better minute would
win. Here the libraries take turns (A B C A B C …), so that a bad minute meets them all, and the
minima and the medians of their turns can be compared.

Each row has a process of its own, with one thread, because NumPy's BLAS reads the number of threads
when it is loaded. Each library gets a call to warm up and as many calls a turn as take about ten
milliseconds. The garbage collector runs before each turn and is on during it, as Python has it (or
off, if a row says so), but everything that existed before the first turn is frozen, so that no
library pays for the modules of the others. Gradients are compared before anything is timed.

A process takes one turn for each line that it reads, so that `against.py` can run two of them.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from .libraries import LIBRARIES, Array, Step, as_array, load, step_of
from .table import ALL, Row

Turn = dict[str, float]  # library → seconds a step
Times = dict[str, dict[str, float]]  # library → min, median, and number of turns

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 5.0  # for how long the libraries take turns, at least
TURN = 0.01  # the seconds of a turn, at least
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def measure(row: Row) -> Times:
    """Return the seconds a step of each library that is installed."""
    with process(row.name, LIBRARIES) as take_turn:
        turns, end = [take_turn()], time.perf_counter() + SECONDS
        while len(turns) < row.rounds or time.perf_counter() < end:
            turns.append(take_turn())
    times = {name: [turn[name] for turn in turns] for name in turns[0]}
    return {
        name: {"min": min(each), "median": statistics.median(each), "rounds": len(turns)}
        for name, each in times.items()
    }


@contextmanager
def process(
    row: str, libraries: Iterable[str], folder: Path = ROOT, **environment: str
) -> Iterator[Callable[[], Turn]]:
    """Start a process that measures a row with the minigrad in `folder`; yield what takes a turn.

    subprocess.CalledProcessError if the process has ended with an error.
    """
    command = [sys.executable, "-m", "benchmarks", "--serve", row, *libraries]
    with subprocess.Popen(
        command,
        cwd=folder,
        env=os.environ | ONE_THREAD | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as running:
        requests, answers = running.stdin, running.stdout
        assert requests
        assert answers

        def take_turn() -> Turn:
            if running.poll() is None:
                print(file=requests, flush=True)
            if answer := answers.readline():
                return json.loads(answer)  # type: ignore[no-any-return]
            raise subprocess.CalledProcessError(running.wait(), command)

        yield take_turn


def serve(row: str, libraries: Iterable[str]) -> None:
    """Take a turn of a row, and print it as JSON, for each line of the input.

    RuntimeError if Python has found another minigrad than that of the current folder.
    """
    place = Path(load("minigrad").__file__)
    if not place.is_relative_to(Path.cwd()):
        raise RuntimeError(f"minigrad was imported from {place.parent}")
    take_turn = prepare(ALL[row], libraries)
    for _ in sys.stdin:
        print(json.dumps(take_turn()), flush=True)


def prepare(row: Row, libraries: Iterable[str]) -> Callable[[], Turn]:
    """Warm the libraries up and return what gives each of them a turn.

    RuntimeError if two libraries disagree about a gradient.
    """
    steps: dict[str, Step] = {}
    for name in libraries:
        if (name != "plain" or row.plain) and (step := step_of(row.work, name)):
            steps[name] = step
    gradients: dict[str, list[Array]] = {}
    once: Turn = {}
    for name, step in steps.items():
        start = time.perf_counter()
        gradients[name] = [as_array(each) for each in step()]
        once[name] = time.perf_counter() - start
        if once[name] < 1:  # the first call of a slow step is a good enough estimate
            once[name] = turn(step, 1, row.collector)
    check(gradients)
    gc.collect()
    gc.freeze()
    calls = {name: max(1, round(TURN / seconds)) for name, seconds in once.items()}
    return lambda: {name: turn(step, calls[name], row.collector) for name, step in steps.items()}


def turn(step: Step, calls: int, collector: bool) -> float:
    """Return the seconds that one of `calls` steps takes."""
    gc.collect()
    if not collector:
        gc.disable()
    start = time.perf_counter()
    for _ in range(calls):
        step()
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds / calls


def check(gradients: dict[str, list[Array]]) -> None:
    """RuntimeError unless all libraries computed the same gradients, to float32's precision."""
    reference, expected = next(iter(gradients.items()))
    for name, found in gradients.items():
        for index, (theirs, ours) in enumerate(zip(found, expected, strict=True)):
            tolerance = 1e-4 * float(np.abs(ours).max())
            if ours.shape != theirs.shape or not np.allclose(theirs, ours, 1e-3, tolerance):
                raise RuntimeError(f"{name} and {reference} disagree about gradient {index}")
