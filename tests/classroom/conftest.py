"""Chapters as test parameters and kernels that find the course, like the tests of the course."""

from minigrad_course.ask.declare import EXERCISES, Exercise, load
from tests.course.conftest import kernels_find_the_course, pytest_generate_tests

__all__ = ["exercises", "kernels_find_the_course", "pytest_generate_tests"]


def exercises(chapter: str) -> list[Exercise]:
    """The exercises of a chapter, by its number."""
    load(chapter)
    return [each for each in EXERCISES.values() if each.id[:2] == chapter]
