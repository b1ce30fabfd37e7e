"""Each notebook runs once, for all that is asked of it; what belongs together stays in one process.

And no test, nor a notebook that is tested, writes into the reader's own record of progress.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import pytest
from nbval.plugin import IPyNbFile

BY_CHAPTER = ("test_assignment.py", "test_chapters.py")  # these take minutes

os.environ.pop("MINIGRAD_PROGRESS", None)
# One process for each core is enough: threads that BLAS starts beside them wait for each other.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Iterator[pytest.CollectReport]:
    """After the cells of a notebook come the answers to its exercises, in the same kernel."""
    report: pytest.CollectReport = yield
    if isinstance(collector, IPyNbFile) and report.passed:
        from tests.course import answers

        report.result = [*report.result, *answers.of(collector)]
    return report


def group(nodeid: str) -> str:
    """What a test stays together with: its file; in those that run for each chapter, the chapter.

    A notebook's cells run in one kernel, in order, so a file stays whole.
    """
    file, _, test = nodeid.partition("::")
    chapter = re.search(r"\b\d\d_[a-z]\w*", test) if file.endswith(BY_CHAPTER) else None
    return chapter[0] if chapter else file


@pytest.hookimpl(optionalhook=True)  # one of pytest-xdist's
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Hand out whole groups. (The marks of `--dist=loadgroup` are lost under pytest 9.2.)"""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return group(nodeid)

    return ByGroup(config, log)
