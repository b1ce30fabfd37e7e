"""The checks that take too long for `make test`: `python tools/thorough.py`.

First come the tests marked `thorough`, which break each definition of each chapter on purpose, run
each notebook twice in one kernel, and build graphs a million operations deep. Then everything runs
without the accelerator, whose folder may be missing, except for the tests about it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYTEST = [sys.executable, "-m", "pytest", "-n", "auto"]
PLAIN = [
    *("tests/unit", "tests/goldens", "tests/course", "notebooks"),
    "--ignore=tests/unit/test_benchmarks.py",
]


def main() -> int:
    """Run both, and return the exit status of the first that fails."""
    for arguments, fast in ((["-m", "thorough"], "1"), (PLAIN, "0")):
        environment = {**os.environ, "MINIGRAD_FAST": fast}
        done = subprocess.run([*PYTEST, *arguments], cwd=ROOT, env=environment)
        if done.returncode:
            return done.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main())
