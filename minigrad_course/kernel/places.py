"""Where the files of the course are, so that nothing else in this package builds these paths.

In a checkout they are where git has them. In an installed wheel, `minigrad_course/files` has a copy
of those that the course needs, in the same layout (see `pyproject.toml`).
"""

from __future__ import annotations

import importlib.util
from functools import cache
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

DISTRIBUTION = "minigrad-course"
PACKAGE = Path(__file__).resolve().parents[1]
LIBRARY = PACKAGE.parent / "minigrad"
IN_WHEEL = PACKAGE / "files"
CHECKOUT = None if IN_WHEEL.is_dir() else PACKAGE.parent
ROOT = CHECKOUT or IN_WHEEL

NOTEBOOKS = ROOT / "notebooks"
DATA = NOTEBOOKS / "data"
PROGRAMS = ROOT / "tests" / "programs"  # scored programs
HARNESS = ROOT / "tests" / "harness.py"  # runs these programs
RECORDED = ROOT / "tests" / "goldens" / "programs.json"  # what PyTorch printed for each of them
JUPYTER = PACKAGE / "desk" / "jupyter"  # settings, templates and the extension of JupyterLab

WORKBOOK_MARK = ".minigrad-workbook"  # a file in the folder of the reader's copies


def repository() -> str | None:
    """The address of the repository, once the course is published."""
    try:
        urls = metadata(DISTRIBUTION).get_all("Project-URL") or []
    except PackageNotFoundError:  # the checkout is on the path without being installed
        return None
    named = dict(url.split(", ", 1) for url in urls)
    return named.get("Repository")


@cache
def harness() -> Any:
    """The module `tests/harness.py`, which runs a program and returns what it prints."""
    spec = importlib.util.spec_from_file_location("course_harness", HARNESS)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
