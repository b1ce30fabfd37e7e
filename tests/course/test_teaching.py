"""TEACHING.md speaks of the course as it is: its sections, predictions, exercises and minutes."""

from __future__ import annotations

import re
from functools import cache
from itertools import accumulate
from pathlib import Path

import pytest

from course.declare import EXERCISES, PREDICTIONS, load
from tools import notebooks, slides
from tools.questions import Section

GUIDE = (notebooks.ROOT / "TEACHING.md").read_text(encoding="utf-8")
LINK = re.compile(r"\[([^\]]+)\]\(notebooks/(\w+)\.ipynb#([^)]+)\)")
EXERCISE = re.compile(r"(?<![\d.])\d\d\.\d\b(?!\.\d)")
PREDICTION = re.compile(r"(?<![\d.])\d\d\.[a-z]\b")
ROW = re.compile(r"^\| \*\*(\d\d\.\d+)\*\* (.+?) \| (★+) \| (\d+) \| (.+) \|$", re.MULTILINE)
# The plans of a lecture: their tables of minutes.
PLAN = re.compile(r"^\| minutes \| show \| ask \|\n\|.*\|\n((?:\|.*\|\n)+)", re.MULTILINE)
# The plan of a term: the lecture of each week, and in it chapters with their minutes.
WEEK = re.compile(r"^\| (\d+) \| (.+?) \|", re.MULTILINE)
SHARE = re.compile(r"\b(\d\d) \((\d+)\)")


@cache
def chapters() -> dict[str, Path]:
    found = {file.name[:2]: file for file in notebooks.chapters()}
    for number in found:
        load(number)
    return found


def headings(name: str) -> list[str]:
    cells = notebooks.read(notebooks.NOTEBOOKS / f"{name}.ipynb").cells
    text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return re.findall(r"^#+ (.+)$", text, re.MULTILINE)


def part(chapter: Path) -> str:
    """What the guide says about a chapter."""
    title = notebooks.titles(chapter.parent)[chapter.name]
    _, found, after = GUIDE.partition(f"\n### {title}\n")
    assert found, f"TEACHING.md has no section {title!r}"
    return re.split(r"^###? ", after, maxsplit=1, flags=re.MULTILINE)[0]


def test_sections_that_are_named_are_there() -> None:
    links = [(" ".join(text.split()), name, anchor) for text, name, anchor in LINK.findall(GUIDE)]
    assert len(links) > 200
    for text, name, anchor in links:
        heading = text.removeprefix(f"{name[:2]} · ")  # the plans say which chapter
        assert heading in headings(name), f"{name} has no heading {heading!r}"
        assert f"#{anchor})" in Section(name, heading, "").link


def test_exercises_and_predictions_that_are_named_are_there() -> None:
    chapters()
    assert set(EXERCISE.findall(GUIDE)) <= set(EXERCISES)
    assert set(PREDICTION.findall(GUIDE)) <= set(PREDICTIONS)


def test_each_exercise_is_told_with_its_stars_and_minutes(chapter: Path) -> None:
    chapters()
    rows = [
        (id, title, len(stars), int(n)) for id, title, stars, n, _ in ROW.findall(part(chapter))
    ]
    number = chapter.name[:2]
    own = [each for each in EXERCISES.values() if each.id[:2] == number]
    assert rows == [(each.id, each.title, each.difficulty, each.minutes) for each in own]


def test_minutes_are_those_of_the_first_cell(chapter: Path) -> None:
    told = re.search(r"Reading (\d+) minutes, exercises (\d+), lecture (\d+)\.", part(chapter))
    assert told
    first = notebooks.read(chapter).cells[0].source
    said = re.search(r"About (\d+) minutes to read,? and (\d+)", first)
    assert said
    assert told.groups()[:2] == said.groups()
    assert 20 <= int(told[3]) <= 90


def test_each_chapter_has_its_parts(chapter: Path) -> None:
    text = part(chapter)
    assert "**Show**" in text
    board = text.partition("**Board**\n\n")[2].partition("\n\n|")[0]
    assert 3 <= len(re.findall(r"^\d\. ", board, re.MULTILINE)) <= 6
    asked = text.partition("| They think | Ask | Shown in |\n|---|---|---|\n")[2]
    assert len(asked.partition("\n\n")[0].splitlines()) >= 3
    number = chapter.name[:2]
    own = {id for id in PREDICTIONS if id[:2] == number}
    assert own - set(PREDICTION.findall(text)) == set(), "predictions that the guide leaves out"
    elsewhere = {name[:2] for _, name, _ in LINK.findall(text)} - {number}
    assert not elsewhere


@pytest.mark.parametrize("number", range(5))
def test_the_plans_fill_ninety_minutes(number: int) -> None:
    plans = PLAN.findall(GUIDE)
    assert len(plans) == 5  # one lecture, and four
    assert sum(int(row.split("|")[1]) for row in plans[number].splitlines()) == 90


def test_each_lecture_stands_with_its_plan() -> None:
    linked = re.findall(r"\[([^\]]+)\]\(lectures/(\w+\.ipynb)\)", GUIDE)
    titles = notebooks.titles(notebooks.ROOT / "lectures")
    assert linked == [(title, name) for name, title in titles.items()]


@pytest.mark.parametrize("number", range(5))
def test_each_row_of_a_plan_ends_where_a_slide_ends(number: int) -> None:
    rows = [int(row.split("|")[1]) for row in PLAN.findall(GUIDE)[number].splitlines()]
    lecture = notebooks.read(lectures()[number])
    told = [slides.minutes(cell) for cell in lecture.cells if slides.minutes(cell)]
    assert set(accumulate(rows)) <= set(accumulate(told))


def lectures() -> list[Path]:
    return notebooks.chapters(slides.LECTURES)


def last_notes(lecture: Path) -> str:
    """What the speaker is told at the end."""
    return str(notebooks.read(lecture).cells[-1].source)


def test_the_homework_of_the_one_lecture_is_that_of_its_last_slide() -> None:
    (homework,) = re.findall(r"^Homework: (.+?)\. Who wants more", GUIDE, re.MULTILINE | re.DOTALL)
    assert EXERCISE.findall(homework) == EXERCISE.findall(last_notes(lectures()[0])) != []


def test_exercises_after_a_lecture_are_of_chapters_that_were_read() -> None:
    told = re.findall(r"^Before: (.+?)\. After: read (.+?); (.+?)\.(?:\s|$)", GUIDE, re.MULTILINE)
    assert len(told) == 4
    read: set[str] = set()
    for (before, now, exercises), lecture in zip(told, lectures()[1:], strict=False):
        assert numbers(before) <= read
        read |= numbers(now)
        asked = EXERCISE.findall(exercises)
        assert asked == EXERCISE.findall(last_notes(lecture))
        assert {id[:2] for id in asked} <= read


def numbers(said: str) -> set[str]:
    """The chapters of "06, 07 and 10" or "01 to 03"."""
    found = set(re.findall(r"\d\d", said))
    for first, last in re.findall(r"(\d\d) to (\d\d)", said):
        found |= {f"{number:02}" for number in range(int(first), int(last))}
    return found


def test_no_lecture_of_the_term_takes_more_than_its_ninety_minutes() -> None:
    _, _, term = GUIDE.partition("| week | lecture | lab | homework |")
    weeks = [SHARE.findall(lecture) for _, lecture in WEEK.findall(term.partition("\n\n")[0])]
    assert len(weeks) == 15
    shown: dict[str, int] = {}
    for week in weeks:
        assert 0 < sum(int(minutes) for _, minutes in week) <= 90
        for number, minutes in week:
            shown[number] = shown.get(number, 0) + int(minutes)
    takes = {number: lecture_of(chapters()[number]) for number in shown}
    assert sorted(shown) == [f"{number:02}" for number in range(19)]
    shortened = {number for number in shown if shown[number] < takes[number]}
    assert shortened == {"14", "15", "17"}  # the guide says so below the plan
    assert all(shown[number] <= takes[number] for number in shown)


def lecture_of(chapter: Path) -> int:
    """The minutes that the guide gives a chapter's lecture."""
    told = re.search(r"lecture (\d+)\.", part(chapter))
    assert told
    return int(told[1])


def test_commands_are_those_of_the_assignments() -> None:
    chapter = chapters()["04"]
    name = f"exercises_{chapter.name[:2]}"
    assert f"source/{name}/{name}.ipynb" in GUIDE
    assert f"nbgrader autograde {name}" in GUIDE
    assert "make assignment CHAPTER=04" in GUIDE
