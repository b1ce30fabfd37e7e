"""A chapter that is begun from the template passes what is asked of every chapter."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import new_chapter, notebooks

PARTS = ["conftest.py", "docs", "minigrad", "notebooks", "pyproject.toml", "tests", "tools"]
PAGES = ["README.md", "CONTRIBUTING.md", "TEACHING.md", "Makefile", "benchmarks", "figures"]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A copy of what chapters are made of."""
    for part in [*PARTS, *PAGES]:
        source, place = notebooks.ROOT / part, tmp_path / part
        if source.is_dir():
            shutil.copytree(source, place, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        elif source.exists():
            shutil.copy(source, place)
    return tmp_path


def run(checkout: Path, *arguments: str) -> str:
    """Run Python in the copy, which finds its own packages there; return what it printed."""
    paths = [str(checkout), str(checkout / "notebooks")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
    environment.pop("PYTEST_XDIST_WORKER", None)
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=checkout,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.thorough
def test_the_template_passes_what_is_asked_of_a_chapter(checkout: Path) -> None:
    number = len(notebooks.chapters())
    name = f"{number}_example"
    file = f"notebooks/{name}.ipynb"
    assert file in run(checkout, "tools/new_chapter.py", name, "An example")
    assert run(checkout, "tools/notebooks.py", "run", file) == f"{name}.ipynb: written\n"
    assert run(checkout, "tools/notebooks.py", "run", file) == f"{name}.ipynb: unchanged\n"
    checks = ["tests/course", "tests/classroom/test_assignment.py", file, "-k", name]
    options = ["-q", "-p", "no:cacheprovider", "-n", "0"]
    printed = run(checkout, "-m", "pytest", *checks, *options)
    assert "failed" not in printed
    assert int(printed.split(" passed")[0].split()[-1]) > 30


def test_a_chapter_has_the_next_number_and_overwrites_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "notebooks"
    (folder / "course" / "exercises").mkdir(parents=True)
    (folder / "00_start.ipynb").touch()
    guide = tmp_path / "TEACHING.md"
    guide.write_text("### 00 · Start\n\n## Assignments and grades\n\nHow.\n")
    for name in ("02_two", "1_one", "01-one", "01_One"):
        with pytest.raises(ValueError, match=r"a chapter is named|the next chapter"):
            new_chapter.begin(name, "One", tmp_path)
    (folder / "course" / "exercises" / "ch01.py").write_text("mine")
    with pytest.raises(FileExistsError, match=r"ch01\.py is there already"):
        new_chapter.begin("01_one", "One", tmp_path)
    assert [file.name for file in notebooks.chapters(folder)] == ["00_start.ipynb"]
    assert "01" not in guide.read_text(encoding="utf-8")
    (folder / "course" / "exercises" / "ch01.py").unlink()
    written = new_chapter.begin("01_one", "One & only", tmp_path)
    assert written[-1] == guide
    text = "".join(file.read_text(encoding="utf-8") for file in written)
    parts = "### 00 · Start\n\n### 01 · One & only\n", "\n\n## Assignments and grades\n\nHow.\n"
    assert text.partition("### ")[2].startswith(parts[0][4:])
    assert text.endswith(parts[1])
    assert "# 01 · One & only" in text
    assert "from course.after_00 import" in text
    assert "NN" not in text
