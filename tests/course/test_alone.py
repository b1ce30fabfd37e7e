"""A notebook on its own: in an empty folder, with the wheel installed and without a checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import numpy
import pytest

from minigrad_course.desk import ipynb
from minigrad_course.kernel.places import ROOT
from tools import notebooks

SANITIZE = ROOT / "tests" / "course" / "nbval_sanitize.cfg"
NOT_HERE = {"OMP_NUM_THREADS", "MINIGRAD_PROGRESS", "PYTHONPATH"}


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with the wheel; the other packages come from this one."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, symlinks=sys.platform != "win32")
    (site,) = folder.rglob("site-packages")
    # Python does not read the .pth files in these, so the checkout is not on the path.
    packages = f"{wheel}\n{Path(numpy.__file__).parents[1]}\n"
    (site / "packages.pth").write_text(packages, encoding="utf-8")
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def run(python: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name not in NOT_HERE}
    return subprocess.run(
        [str(python), *arguments], cwd=folder, env=environment, capture_output=True, text=True
    )


def test_a_chapter_runs_on_its_own(python: Path, tmp_path: Path) -> None:
    """The others do in `test_other_ways.py`."""
    file = Path(shutil.copy(ipynb.chapters()[0], tmp_path))
    nbval = ["--nbval", "--nbval-current-env", f"--nbval-sanitize-with={SANITIZE}"]
    quiet = ["-q", "-p", "no:cacheprovider", "--nbval-cell-timeout=120"]
    done = run(python, tmp_path, "-m", "pytest", *nbval, *quiet, file.name)
    assert done.returncode == 0, done.stdout
    assert [*tmp_path.iterdir()] == [file]  # it leaves nothing behind


def test_nothing_comes_from_the_checkout(python: Path, wheel: Path, tmp_path: Path) -> None:
    program = "import minigrad, minigrad_course; print(minigrad.__file__, minigrad_course.__file__)"
    places = run(python, tmp_path, "-c", program).stdout.split()
    assert len(places) == 2
    assert all(Path(place).is_relative_to(wheel) for place in places)


def test_the_command_lays_out_a_workbook(python: Path, tmp_path: Path) -> None:
    program = (
        "from minigrad_course.desk import workbook\n"
        "print(workbook.default_folder(), workbook.update(workbook.default_folder()))"
    )
    assert run(python, tmp_path, "-c", program).stdout == f"{tmp_path / 'minigrad-workbook'} []\n"
    copies = ipynb.chapters(tmp_path / "minigrad-workbook")
    assert [file.name for file in copies] == [file.name for file in ipynb.chapters()]
    texts = [cell.source for file in copies for cell in ipynb.read(file).cells]
    assert any('src="data:image/svg+xml;base64,' in text for text in texts)
    assert not any('src="../' in text or "](../" in text for text in texts)
    inside = run(python, tmp_path / "minigrad-workbook", "-c", program).stdout
    assert inside == f"{tmp_path / 'minigrad-workbook'} []\n"


def test_where_the_course_is_missing_the_first_cell_says_how_to_get_it(tmp_path: Path) -> None:
    program = f"import sys; sys.modules['minigrad_course'] = None\n{notebooks.MISSING}"
    done = run(Path(sys.executable), tmp_path, "-c", program)
    assert done.returncode == 1
    assert f'{sys.executable} -m pip install ".[kernel]"' in done.stderr


def test_the_command_says_what_is_missing_where_only_the_library_is(tmp_path: Path) -> None:
    program = (
        "import sys; sys.argv, sys.modules['IPython'] = ['minigrad-course'], None\n"
        "import minigrad_course"
    )
    done = run(Path(sys.executable), tmp_path, "-c", program)
    assert done.returncode == 1
    assert done.stderr.startswith("The course runs in Jupyter, which is missing")
