"""What else a library costs: memory, the time to import it, and where a long chain's time goes.

`python -m benchmarks.resources elementwise LIBRARY` (or `long-chain`) prints one measurement as
JSON; each has a fresh process, for memory that was freed may stay with the process.

Memory is what the operating system counts: the resident set before, and its peak or its size after.
Python's tracemalloc would not do: PyTorch takes its memory past Python. Pages that the C library
has kept of freed memory are given back before, or they would be used again uncounted. Only Linux
lets a process set its peak back, so elsewhere this is left out. Each program runs once on few
elements before, so that loading code does not count.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from .libraries import load

Measurement = dict[str, float]


def resident(which: str) -> int:
    """Bytes of this process in memory now ("VmRSS"), or at most since the peak was set back
    ("VmHWM")."""
    found = re.search(rf"{which}:\s+(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) * 1024


def resident_at_start() -> int:
    """Bytes in memory now, with nothing freed among them, and the peak set back to them."""
    release = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc has it
    if release is not None:
        release(0)
    Path("/proc/self/clear_refs").write_text("5")  # sets the peak back
    return resident("VmRSS")


def elementwise(name: str) -> Measurement:
    """The peak memory of forward and backward of the row `elementwise`, beyond what was there."""
    from .table import ALL

    row = ALL["elementwise"]
    function, count, elements = row.size
    row.programs[name](load(name), (function, count, 1000))()
    step = row.programs[name](load(name), (function, count, elements))
    before = resident_at_start()
    gradients = step()
    peak = resident("VmHWM") - before
    del gradients
    return {"peak": peak}


def long_chain(name: str) -> Measurement:
    """A million operations with the collector off: seconds and bytes for each of them."""
    from .table import ALL

    library: Any = load(name)
    function, count, _ = ALL["long-chain"].size
    gc.disable()
    x = library.tensor(0.999, requires_grad=True)
    function(library, x, 1000).backward()
    before = resident_at_start()
    times = [time.perf_counter()]
    y = function(library, x, count)
    times.append(time.perf_counter())
    size = resident("VmRSS") - before
    y.backward()
    times.append(time.perf_counter())
    del y
    times.append(time.perf_counter())
    names = ("forward", "backward", "freeing")
    seconds = {n: (b - a) / count for n, a, b in zip(names, times, times[1:], strict=False)}
    return {**seconds, "bytes": size / count}


def in_fresh_process(arguments: list[str], environment: dict[str, str]) -> Any:
    """What `python ARGUMENTS` prints, as JSON."""
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, stdout=subprocess.PIPE, text=True, check=True
    )
    return json.loads(done.stdout)


def import_times(names: list[str], rounds: int = 9) -> dict[str, Measurement]:
    """Seconds that `import` takes after `import numpy`, in fresh processes, in turns.

    The first round is not counted: it writes the .pyc files and reads everything from disk once.
    """
    program = (
        "import sys, time, numpy; vars(numpy).setdefault('int', int); start = time.perf_counter();"
        " __import__(sys.argv[1]); print(time.perf_counter() - start)"
    )
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    times: dict[str, list[float]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in names:
            seconds = in_fresh_process(["-c", program, name], environment)
            if number:
                times[name].append(seconds)
    return {
        name: {"min": min(each), "median": statistics.median(each)} for name, each in times.items()
    }


if __name__ == "__main__":
    what, library = sys.argv[1:]
    print(json.dumps({"elementwise": elementwise, "long-chain": long_chain}[what](library)))
