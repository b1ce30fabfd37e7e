"""Leaves the tests of the accelerator out when its folder has been deleted."""

import sys

import minigrad  # noqa: F401 - imports the accelerator if it exists

if "minigrad.fast" not in sys.modules:
    collect_ignore_glob = ["test_*.py"]
