"""`python -m benchmarks` measures everything; `python -m benchmarks ROW …` prints these rows.

Everything is: the rows of `table.py`, each in a process of its own, memory, import times, and how
cost grows. It goes to `results.json`, and from there to the plots and the tables of `README.md`.
`python -m benchmarks --report` writes those again from `results.json`, and `python -m benchmarks
--against REV` compares rows with those of a git revision (`against.py`).
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import re
import sys
from pathlib import Path
from typing import Any

from . import against, report
from .harness import Row, Times
from .libraries import NAMES, version
from .resources import import_times, in_fresh_process
from .table import ALL, ROWS

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def environment(threads: int = 1) -> dict[str, str]:
    count = str(threads or os.cpu_count())
    return os.environ | dict.fromkeys(THREAD_VARIABLES, count)


def measured(row: Row) -> Times:
    """The times of a row, from a fresh process; on all cores from one for each library."""
    print("measuring", row.name, file=sys.stderr)
    alone = [f"{row.name}/{library}" for library in row.libraries if version(library)]
    times: Times = {}
    for argument in [row.name] if row.threads else alone:
        command = ["-m", "benchmarks.harness", argument]
        times |= in_fresh_process(command, environment(row.threads))[row.name]
    return times


def resources(row: str) -> dict[str, Any]:
    """What `benchmarks.resources` says about each library; nothing where it cannot measure."""
    if not Path("/proc/self/clear_refs").exists():
        return {}
    print("measuring resources of", row, file=sys.stderr)
    programs, libraries = ALL[row].programs, ALL[row].libraries
    names = [n for n in programs if n in libraries and n != "plain" and version(n)]
    arguments = ["-m", "benchmarks.resources", row]
    return {name: in_fresh_process([*arguments, name], environment()) for name in names}


def machine() -> dict[str, str | None]:
    """What the numbers depend on."""
    import numpy

    cpu = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        about = dict(
            re.findall(r"^(\w.*?)\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
        )
        cpu = about.get("model name", cpu)
        if "cpu family" in about:  # for some machines say no more than "AMD EPYC"
            cpu += f" (family {about['cpu family']}, model {about['model']})"
    blas = numpy.show_config("dicts")["Build Dependencies"]["blas"]  # type: ignore[call-overload]
    versions = {name: version(name) for name in NAMES if name not in ("minigrad", "plain", "numpy")}
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": f"{cpu}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": f"{version('numpy')} ({blas['name']} {blas['version']})",
        **versions,
    }


def measure_everything() -> dict[str, Any]:
    results: dict[str, Any] = {"machine": machine()}
    results["rows"] = {name: measured(row) for name, row in ALL.items()}
    results["memory"] = resources("elementwise")
    results["long_chain"] = resources("long-chain")
    others = [name for name in NAMES if version(name) and name not in ("plain", "numpy")]
    results["imports"] = import_times(others)
    return results


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ALL))
    parser.add_argument("--report", action="store_true", help="only write page and plots again")
    parser.add_argument("--against", metavar="REV", help="compare with a git revision's minigrad")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.rows if name not in ALL]:
        parser.error(f"no such row: {', '.join(unknown)}")
    if arguments.against:
        rows = arguments.rows or [row.name for row in ROWS]
        try:
            for line in against.compare(rows, arguments.against, environment()):
                print(line, flush=True)
        except LookupError as error:
            sys.exit(str(error))
        return
    if arguments.rows:
        print(report.machine_line(machine()))
        for name in arguments.rows:
            print("\n".join(report.plain_lines(ALL[name], measured(ALL[name]))), flush=True)
        return
    if not arguments.report:
        text = json.dumps(measure_everything(), indent=1)
        report.RESULTS.write_text(text + "\n", encoding="utf-8")
    results = json.loads(report.RESULTS.read_text(encoding="utf-8"))
    report.write_page(results)
    print(report.tables(results))
    from . import plots  # needs matplotlib, which a few rows do not

    plots.write(results)


if __name__ == "__main__":
    main()
