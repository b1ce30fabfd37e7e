"""conftest.py: how tests are distributed over several processes."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Each test counts the tests that ran earlier in its process.
FILE = """
from pathlib import Path
import pytest

ran = []

@pytest.mark.parametrize("number", range(8))
def test_in_order(number):
    ran.append(number)
    assert ran == list(range(number + 1))
"""

CHAPTERS = """
import os
import pytest

@pytest.mark.parametrize("chapter", ["02_a", "03_b"])
@pytest.mark.parametrize("part", range(4))
def test_chapter(part, chapter):
    with open(chapter, "a") as file:
        file.write(os.environ["PYTEST_XDIST_WORKER"] + " ")
"""


def test_each_file_and_each_chapter_stays_in_one_process(tmp_path: Path) -> None:
    for name, text in (("test_a", FILE), ("test_b", FILE), ("test_chapters", CHAPTERS)):
        (tmp_path / f"{name}.py").write_text(text)
    options = ["-p", "xdist.plugin", "-p", "conftest", "--rootdir", ".", "-c", os.devnull]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "2", *options, "."],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "24 passed" in done.stdout, done.stdout + done.stderr
    for chapter in ("02_a", "03_b"):
        workers = (tmp_path / chapter).read_text().split()
        assert len(workers) == 4
        assert len(set(workers)) == 1
