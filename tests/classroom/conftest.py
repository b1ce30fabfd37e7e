"""Chapters as test parameters, as in the tests of the course."""

from minigrad_course.ask.declare import EXERCISES, Exercise, load
from tests.course.conftest import pytest_generate_tests

__all__ = ["exercises", "pytest_generate_tests"]


def exercises(chapter: str) -> list[Exercise]:
    """The exercises of a chapter, by its number."""
    load(chapter)
    return [each for each in EXERCISES.values() if each.id[:2] == chapter]
