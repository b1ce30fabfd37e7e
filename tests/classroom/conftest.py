"""Chapters as test parameters, as the tests of the course have them."""

from tests.course.conftest import pytest_generate_tests

__all__ = ["pytest_generate_tests"]
