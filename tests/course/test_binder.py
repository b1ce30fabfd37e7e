"""Binder finds its files, and starts Jupyter with the settings that `minigrad-course lab` uses."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

from nbformat.sign import NotebookNotary

from minigrad_course.desk import ipynb
from tests.lab_server import NOT_COPIED
from tools import notebooks

# Runs instead of Jupyter, and prints what a notebook in the workbook would find.
PROGRAM = """
import os
os.chdir("workbook")
import minigrad_course
print(minigrad_course.__file__, os.environ["JUPYTER_CONFIG_PATH"], sep=os.linesep)
"""


def test_the_files_are_where_repo2docker_looks() -> None:
    """A folder named binder would hide the files at the top, and `start` must be executable."""
    assert not any((notebooks.ROOT / name).exists() for name in ("binder", ".binder"))
    assert (notebooks.ROOT / "environment.yml").is_file()
    assert os.access(notebooks.ROOT / "start", os.X_OK)


def test_jupyter_starts_with_the_workbook_and_the_course(tmp_path: Path) -> None:
    checkout, data = tmp_path / "minigrad", str(tmp_path / "data")
    shutil.copytree(notebooks.ROOT, checkout, ignore=shutil.ignore_patterns(*NOT_COPIED))
    done = subprocess.run(
        [sys.executable, str(checkout / "start"), sys.executable, "-c", PROGRAM],
        cwd=checkout,
        env=os.environ
        | {"JUPYTER_DATA_DIR": data, "JUPYTER_CONFIG_PATH": "", "PYTHONPATH": str(checkout)},
        capture_output=True,
        text=True,
        check=True,
    )
    course, config = done.stdout.split()
    assert Path(course) == checkout / "minigrad_course" / "__init__.py"
    assert Path(config) == checkout / "minigrad_course" / "desk" / "jupyter"
    copies = ipynb.chapters(checkout / "workbook")
    assert len(copies) == len(ipynb.chapters())
    notary = NotebookNotary(data_dir=data)
    with closing(notary.store):
        assert all(notary.check_signature(ipynb.read(file)) for file in copies)
