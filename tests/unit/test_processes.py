"""conftest.py: how tests are distributed over several processes."""

from unittest.mock import Mock

import pytest

import conftest


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/unit/test_a.py::test_b[02_c]", "tests/unit/test_a.py"),
        ("notebooks/02_a.ipynb::Cell 3", "notebooks/02_a.ipynb"),
        ("tests/course/test_chapters.py::test_d[04_ab-part]", "04_ab"),
        ("tests/course/test_chapters.py::test_e", "tests/course/test_chapters.py"),
    ],
)
def test_each_file_and_each_chapter_stays_in_one_process(test: str, group: str) -> None:
    config = Mock(getvalue=Mock(return_value=["popen"]))
    scheduler = conftest.pytest_xdist_make_scheduler(config, Mock())
    assert scheduler._split_scope(test) == group
