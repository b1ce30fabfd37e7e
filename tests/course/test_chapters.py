"""Every chapter follows the rules of rules.py and alive.py."""

from __future__ import annotations

from pathlib import Path

import pytest

from minigrad_course.desk import ipynb
from tests.course import alive, rules
from tools import notebooks

FOLDERS = (".", "docs", "figures", "minigrad_course", "teaching", "teaching/chapters")
MARKDOWN = [file for folder in FOLDERS for file in (notebooks.ROOT / folder).glob("*.md")]


def no(problems: list[str]) -> None:
    assert not problems, "\n" + "\n".join(problems)


def test_chapters_are_numbered_without_gaps() -> None:
    numbers = [int(file.name[:2]) for file in ipynb.chapters()]
    assert numbers == list(range(len(numbers)))


def test_is_executed_in_order_and_clean(chapter: Path) -> None:
    no(rules.executed(ipynb.read(chapter)))


def test_generated_parts_are_up_to_date(chapter: Path) -> None:
    """lib: cells hold the package's source; if not, `python tools/notebooks.py run` helps."""
    no(rules.in_step(chapter))


def test_begins_and_ends_with_navigation(chapter: Path) -> None:
    no(rules.navigation(ipynb.read(chapter)))


def test_exercises_are_declared_and_stubs_untouched(chapter: Path) -> None:
    no(rules.exercises(ipynb.read(chapter), chapter.name[:2]))


def test_predictions_come_true(chapter: Path) -> None:
    no(rules.predictions(ipynb.read(chapter), chapter.name[:2]))


def test_links_of_notebooks_lead_somewhere(chapter: Path) -> None:
    no(rules.links(chapter))


@pytest.mark.parametrize("file", MARKDOWN, ids=lambda file: str(file.relative_to(notebooks.ROOT)))
def test_links_of_markdown_files_lead_somewhere(file: Path) -> None:
    no(rules.links(file))


def test_every_definition_of_the_chapter_is_shown(chapter: Path) -> None:
    no(rules.gaps(ipynb.read(chapter), notebooks.number(chapter)))


def test_a_chapter_builds_on_the_library_of_the_one_before(chapter: Path) -> None:
    no(rules.imports(ipynb.read(chapter), notebooks.number(chapter)))


@pytest.mark.thorough
def test_every_lib_definition_is_alive(chapter: Path) -> None:
    no(alive.dead(chapter))
