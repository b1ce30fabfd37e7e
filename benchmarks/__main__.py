"""`python -m benchmarks` measures every row; `python -m benchmarks ROW …` prints some rows.

Measuring every row writes `results.json`, and from it the table and the plot of `README.md`;
`--report` writes those two again. `--against REV` compares rows with those of a git revision
(`against.py`).
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

from . import against, report
from .libraries import PEERS, version
from .measure import measure, serve
from .table import ALL, ROWS


def machine() -> dict[str, str | None]:
    """Return what the numbers depend on."""
    import numpy

    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        facts = dict(re.findall(r"^(\w.*?)\s*: (.*)$", info.read_text(), re.MULTILINE))
        cpu = facts.get("model name", cpu)
        if "cpu family" in facts:  # some machines say no more than "AMD EPYC"
            cpu += f" (family {facts['cpu family']}, model {facts['model']})"
    blas = numpy.show_config("dicts")["Build Dependencies"]["blas"]
    return {
        "date": datetime.date.today().isoformat(),
        "cpu": f"{cpu}, {os.cpu_count()} cores",
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": f"{version('numpy')} ({blas['name']} {blas['version']})",
        **{name: version(name) for name in ("torch", *PEERS)},
    }


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ALL))
    parser.add_argument("--report", action="store_true", help="only write page and plot again")
    parser.add_argument("--against", metavar="REV", help="compare with the minigrad of a revision")
    parser.add_argument("--serve", nargs="+", help=argparse.SUPPRESS)  # what measure.py starts
    arguments = parser.parse_args()
    if unknown := [name for name in arguments.rows if name not in ALL]:
        parser.error(f"no such row: {', '.join(unknown)}")
    if arguments.serve:
        row, *libraries = arguments.serve
        serve(row, libraries)
    elif arguments.against:
        try:
            for line in against.compare(arguments.rows or list(ALL), arguments.against):
                print(line, flush=True)
        except LookupError as error:
            sys.exit(str(error))
    elif arguments.rows:
        print(report.machine_line(machine()))
        for name in arguments.rows:
            print("\n".join(report.lines(ALL[name], measure(ALL[name]))), flush=True)
    else:
        if not arguments.report:
            rows = {}
            for row in ROWS:
                print("measuring", row.name, file=sys.stderr)
                rows[row.name] = measure(row)
            text = json.dumps({"machine": machine(), "rows": rows}, indent=1)
            report.RESULTS.write_text(text + "\n", encoding="utf-8")
        report.write(json.loads(report.RESULTS.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
