"""Measures rows: the programs of all libraries, in turn, again and again, in one process.

Why not pytest-benchmark, which times one function after the other: on a machine that other programs
use, or whose clock changes with its temperature, the one that ran in the better minute would win.
Here the libraries take turns (A B C A B C …), so that a bad minute meets them all, and the minima
and the medians of their turns can be compared.

What is equal for all: one process, one thread, a call to warm up, and as many calls a turn as take
about ten milliseconds. The garbage collector runs before each turn and is on during it, as Python
has it (or off, where a row says so); but what was there before, the modules of all the libraries,
is frozen, so that it visits only what a turn has made and none pays for the others. Before anything
is timed, the gradients of all are compared.

Rows on all cores are an exception: there each library has a process of its own, because the idle
threads of one BLAS spin for a while and would take the cores from the other.

`python -m benchmarks.harness ROW …` prints the measurements as JSON, `ROW/LIBRARY` those of one
library; `python -m benchmarks` calls that with the threads set, which NumPy's BLAS reads when it is
loaded.
"""

from __future__ import annotations

import gc
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .libraries import NAMES, Step, as_array, load

Program = Callable[[Any, Any], Step]  # of the library and the size
Times = dict[str, dict[str, float]]  # library → what `measure` returns

TURN = 0.01  # seconds that a turn lasts at least


@dataclass
class Row:
    """One line of the table.

    Attributes:
        name: what the command line calls it.
        title: what the table calls it.
        programs: the library's name → its program.
        size: what the programs take for it: a number of operations, elements, …
        torch: the target: at most this many times PyTorch's time.
        limit: the target: at most this many times the time of NumPy by hand.
        operations: how many operations a step has, if the time of one is to be told.
        seconds: how long the turns go on.
        rounds: how many turns there are at least.
        collector: whether Python's garbage collector is on.
        threads: how many threads PyTorch and NumPy's BLAS may use; 0 means one a core.
        libraries: those that take part, if they have a program.
    """

    name: str
    title: str
    programs: dict[str, Program]
    size: Any
    torch: float | None = None
    limit: float | None = None
    operations: int | None = None
    seconds: float = 5.0
    rounds: int = 7
    collector: bool = True
    threads: int = 1
    libraries: Sequence[str] = tuple(NAMES)


def measure(row: Row) -> Times:
    """Library → {"min", "median": seconds a step, "rounds": turns}, of those installed.

    RuntimeError if two libraries disagree about a gradient.
    """
    turn_of_each = prepare(row)
    rounds, end = [], time.perf_counter() + row.seconds
    while len(rounds) < row.rounds or time.perf_counter() < end:
        rounds.append(turn_of_each())
    gc.unfreeze()
    times = {name: [each[name] for each in rounds] for name in rounds[0]}
    return {
        name: {"min": min(each), "median": statistics.median(each), "rounds": len(rounds)}
        for name, each in times.items()
    }


def prepare(row: Row) -> Callable[[], dict[str, float]]:
    """What lets each library have a turn and returns its seconds a step; all have warmed up.

    RuntimeError if two libraries disagree about a gradient.
    """
    steps: dict[str, Step] = {}
    for name in row.libraries:
        if name in row.programs and (library := load(name)) is not None:
            steps[name] = row.programs[name](library, row.size)
    gradients: dict[str, list[np.ndarray[Any, Any]]] = {}
    once: dict[str, float] = {}
    for name, step in steps.items():
        start = time.perf_counter()
        gradients[name] = [as_array(each) for each in step()]
        once[name] = time.perf_counter() - start
        if once[name] < 1:  # else the first call tells enough of how long one takes
            once[name] = turn(step, 1, row.collector)
    check(gradients)
    gc.collect()
    gc.freeze()
    calls = {name: max(1, round(TURN / seconds)) for name, seconds in once.items()}
    return lambda: {name: turn(step, calls[name], row.collector) for name, step in steps.items()}


def turn(step: Step, calls: int, collector: bool) -> float:
    """The seconds that one of `calls` steps takes."""
    gc.collect()
    if not collector:
        gc.disable()
    start = time.perf_counter()
    for _ in range(calls):
        step()
    seconds = time.perf_counter() - start
    gc.enable()
    return seconds / calls


def check(gradients: dict[str, list[np.ndarray[Any, Any]]]) -> None:
    """RuntimeError unless all libraries computed the same gradients, as far as float32 goes."""
    reference, expected = next(iter(gradients.items()))
    for name, got in gradients.items():
        for index, (theirs, mine) in enumerate(zip(got, expected, strict=True)):
            tolerance = 1e-4 * float(np.abs(mine).max())
            if mine.shape != theirs.shape or not np.allclose(theirs, mine, 1e-3, tolerance):
                raise RuntimeError(f"{name} and {reference} disagree about gradient {index}")


if __name__ == "__main__":
    from .table import ALL  # which imports this module

    measured: dict[str, Times] = {}
    for argument in sys.argv[1:]:
        name, _, library = argument.partition("/")
        libraries = (library,) if library else ALL[name].libraries
        measured[name] = measure(replace(ALL[name], libraries=libraries))
    print(json.dumps(measured))
