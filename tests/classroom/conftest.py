"""Chapters as test parameters and kernels that find the course, as the tests of the course do."""

from tests.course.conftest import kernels_find_the_course, pytest_generate_tests

__all__ = ["kernels_find_the_course", "pytest_generate_tests"]
