"""Chapters as test parameters, and the sample notebook that the rules are tried on."""

from __future__ import annotations

import shutil
from pathlib import Path
from zipfile import ZipFile

import pytest
from nbformat import NotebookNode

from minigrad_course.desk import ipynb
from tests.course.fixtures import ch99  # noqa: F401 - declares the sample's exercise
from tools import lite

FIXTURES = Path(__file__).parent / "fixtures"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test with the parameter `chapter` runs for each notebook of the course."""
    if "chapter" in metafunc.fixturenames:
        files = ipynb.chapters()
        metafunc.parametrize("chapter", files, ids=[file.stem for file in files])


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel installs."""
    folder = tmp_path_factory.mktemp("wheel")
    with ZipFile(lite.build_wheel(tmp_path_factory.mktemp("built"))) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture
def sample_file(tmp_path: Path) -> Path:
    """A copy of the sample notebook, with the module that declares its exercise beside it."""
    shutil.copy(FIXTURES / "ch99.py", tmp_path)
    return Path(shutil.copy(FIXTURES / "99_sample.ipynb", tmp_path))


@pytest.fixture
def sample(sample_file: Path) -> NotebookNode:
    """The sample notebook."""
    return ipynb.read(sample_file)
