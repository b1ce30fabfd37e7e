"""Marks: which text at the end of a line is a mark, a comment or a malformed mark."""

from __future__ import annotations

from pathlib import Path

import pytest

from minigrad_course.kernel.marks import NO_CHAPTER, Mark, marks_in
from minigrad_course.kernel.stages import MINIGRAD, PARTS, Library, at_chapter


@pytest.mark.parametrize(
    ("line", "first", "is_header"),
    [
        ("x = 1  #@05", 5, False),
        ("with f():  #@10:", 10, True),
        ("x = 1  #@fast", NO_CHAPTER, False),
        ("with f():  #@rare:", NO_CHAPTER, True),
        ("x = 1  # leave the values in place  #@06", 6, False),
        ("x = y  # type: ignore[index]  # why  #@11", 11, False),
        ("# A comment that is there from chapter 07 on.  #@07", 7, False),
    ],
)
def test_marks(line: str, first: int, is_header: bool) -> None:
    assert marks_in(f"first = 0\n{line}\n") == {2: Mark(first, is_header, line.index("#@"))}


@pytest.mark.parametrize(
    "line",
    [
        "bits *= values.view(kind)  # 16 bytes at a time",
        "x = 1  # 20 of them",
        "x = 1  # 05",
        "with f():  # 99: why",
        "with f():  # 10: a colon in English",
        "x = 1  # by user@05",
        "def f(): ...  # @property",
        "x = '#@05'",
        "x = '''\n  #@5\n  #@slow\n'''",
    ],
)
def test_ordinary_comments_are_not_marks(line: str) -> None:
    assert marks_in(f"{line}\n") == {}
    assert at_chapter(f"{line}\n", 2) == f"{line}\n"


@pytest.mark.parametrize(
    "slip",
    [
        "#@5",
        "#@ 05",
        "# @05",
        "#@",
        "#@slow",
        "#@Fast",
        "#@05 why",
        "#@05: why",
        "#@05 :",
        "# why#@05",
        "# the mark `#@05` says so",
        "#@05  #@06",
        "#@01",  # nothing is built there
        "#@23",
    ],
)
def test_a_malformed_mark_is_an_error_with_its_place(slip: str, tmp_path: Path) -> None:
    core = tmp_path / "library" / "core"
    core.mkdir(parents=True)
    (core / "__init__.py").write_text("from . import tensor\n", encoding="utf-8")
    (core / "tensor.py").write_text(f"x = 1\ny = 2  {slip}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"core/tensor\.py:2: .* is not a mark"):
        Library(tmp_path / "library").text("core.tensor", 4)


def test_marks_are_only_where_a_stage_is_cut() -> None:
    """Anywhere else a mark would have no effect."""
    marked = {
        path.relative_to(MINIGRAD.folder).parts[0]
        for path in MINIGRAD.folder.rglob("*.py")
        if marks_in(path.read_text(encoding="utf-8"), str(path))
    }
    assert marked <= {*PARTS} - {"support"}
