"""With `-n`, several processes share the tests: what belongs together stays in one of them."""

from __future__ import annotations

import pytest


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in the same hook
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Group the tests for `--dist=loadgroup`: by file, and those of a chapter by chapter.

    A notebook's cells run in one kernel, in order, so a file stays whole. But the two files whose
    tests run for each chapter take minutes: their chapters may go to different processes.
    """
    if not config.getoption("loadgroup", False):  # which pytest-xdist sets where it distributes
        return
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        chapter = parameters.get("chapter")
        group = chapter.stem if chapter else item.nodeid.partition("::")[0]
        item.add_marker(pytest.mark.xdist_group(group))
