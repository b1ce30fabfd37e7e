"""Chapters as test parameters, and the sample notebook that the rules are tried on."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from nbformat import NotebookNode

from tests.course.fixtures import ch99  # noqa: F401 - declares the sample's exercise
from tools import notebooks

FIXTURES = Path(__file__).parent / "fixtures"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the parameter `chapter` runs for each notebook of the course."""
    if "chapter" in metafunc.fixturenames:
        files = notebooks.chapters()
        metafunc.parametrize("chapter", files, ids=[file.stem for file in files])


@pytest.fixture(autouse=True)
def kernels_find_the_course(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel started outside `notebooks/` finds `minigrad_course` and this checkout as well."""
    paths = [str(notebooks.ROOT), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.fixture
def sample_file(tmp_path: Path) -> Path:
    """A copy of the sample notebook, with the module that declares its exercise beside it."""
    shutil.copy(FIXTURES / "ch99.py", tmp_path)
    return Path(shutil.copy(FIXTURES / "99_sample.ipynb", tmp_path))


@pytest.fixture
def sample(sample_file: Path) -> NotebookNode:
    """The sample notebook."""
    return notebooks.read(sample_file)
