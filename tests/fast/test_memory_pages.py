"""With glibc, large arrays reuse memory pages that the process already has."""

from __future__ import annotations

import platform
import subprocess
import sys

PROGRAM = """
import resource
import {library}
import numpy as np

x = np.ones(2_000_000, np.float32)
x * x
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    x * x
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def page_faults(library: str) -> int:
    """How many page faults a new process has in 20 products of 8 MB."""
    source = PROGRAM.format(library=library)
    done = subprocess.run([sys.executable, "-c", source], capture_output=True, check=True)
    return int(done.stdout)


def test_importing_minigrad_saves_page_faults() -> None:
    with_it, without = page_faults("minigrad"), page_faults("numpy")
    if platform.libc_ver()[0] == "glibc":
        assert with_it * 20 < without
    else:
        assert with_it <= without + 20  # harmless
