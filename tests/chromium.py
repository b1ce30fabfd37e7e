"""The browser that tests use: Chromium or a relative of it, as this machine has it.

Nothing is downloaded. Where there is none, the tests that need one are skipped. The environment
variable MINIGRAD_BROWSER names one that is not found by itself, and says that there has to be one:
if there is not, the tests fail.
"""

from __future__ import annotations

import os
import shutil
from typing import NoReturn

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge")
WANTED = os.environ.get("MINIGRAD_BROWSER", "")


def program() -> str:
    """The path of the browser; without one, the test is skipped or fails."""
    names = [WANTED] if WANTED else NAMES
    found = next(filter(None, map(shutil.which, names)), None)
    return found or absent(f"there is no program {' or '.join(names)}")


def absent(reason: str) -> NoReturn:
    """Skip the test for `reason`, or let it fail if MINIGRAD_BROWSER asks for a browser."""
    if WANTED:
        pytest.fail(f"MINIGRAD_BROWSER asks for a browser, but {reason}", pytrace=False)
    pytest.skip(reason)
