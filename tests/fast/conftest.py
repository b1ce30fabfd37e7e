"""The tests of the accelerator: they are not there where it is not."""

import sys

import minigrad  # noqa: F401 - which imports the accelerator, or not

if "minigrad.fast" not in sys.modules:
    collect_ignore_glob = ["test_*.py"]
