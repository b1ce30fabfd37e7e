"""`python -m benchmarks` measures every row; `python -m benchmarks ROW …` prints some rows.

Measuring every row writes `results.json`, and from it the table and the plot of `README.md`;
`--report` writes those two again. `--against REV` compares rows with those of a git revision.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import sys
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from pathlib import Path

import numpy

from . import measure, report
from .libraries import LIBRARIES, PEERS, load
from .table import ROWS


def machine() -> str:
    """Return what the numbers depend on."""
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists() and (model := re.search(r"model name\s*: (.*)", info.read_text())):
        cpu = model[1]
    blas = numpy.show_config("dicts")["Build Dependencies"]["blas"]
    packages = [f"{each} {version(each)}" for each in ("numpy", "torch", *PEERS) if load(each)]
    return (
        f"{date.today()}, {cpu}, {os.cpu_count()} cores, {platform.system()}; Python"
        f" {platform.python_version()}, {', '.join(packages)}, {blas['name']} {blas['version']}."
    )


def announced(names: list[str]) -> Iterator[str]:
    for name in names:
        print("measuring", name, file=sys.stderr)
        yield name


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    parser.add_argument("--report", action="store_true", help="only write page and plot again")
    parser.add_argument("--against", metavar="REV", help="compare with the minigrad of a revision")
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.rows if name not in ROWS]:
        parser.error(f"no such row: {', '.join(unknown)}")
    names = announced(arguments.rows or list(ROWS))
    if arguments.against:
        try:
            with measure.checked_out(arguments.against) as before:
                print(report.comparison({name: measure.compare(name, before) for name in names}))
        except LookupError as error:
            sys.exit(str(error))
        return
    if not arguments.report:
        rows = {name: measure.measure(name, LIBRARIES, measure.SECONDS) for name in names}
        results = {"machine": machine(), "rows": rows}
        if arguments.rows:
            print(report.table(results))
            return
        report.RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    report.write(json.loads(report.RESULTS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
