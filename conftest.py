"""Each notebook runs once for all its tests, and tests that belong together share a process.

Neither a test nor a tested notebook writes to the reader's own record of progress.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

import nbval.kernel
import pytest
from nbval.plugin import IPyNbFile

BY_CHAPTER = ("test_chapters.py", "test_other_ways.py")  # these take minutes

os.environ.pop("MINIGRAD_PROGRESS", None)
# One process for each core is enough, because BLAS threads beside them would only compete.
for _variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_variable, "1")


_start_kernel = nbval.kernel.start_new_kernel


def _start_kernel_again_if_it_dies(*args: Any, **options: Any) -> Any:
    """A kernel's ports are chosen before it binds them, so another process may be faster."""
    try:
        return _start_kernel(*args, **options)
    except RuntimeError:
        return _start_kernel(*args, **options)


nbval.kernel.start_new_kernel = _start_kernel_again_if_it_dies


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Iterator[pytest.CollectReport]:
    """Add the answers to a notebook's exercises after its cells, to run in the same kernel."""
    report: pytest.CollectReport = yield
    if isinstance(collector, IPyNbFile) and report.passed:
        from tests.course import answers

        report.result = [*report.result, *answers.answer_tests(collector)]
    return report


def group(nodeid: str) -> str:
    """The group whose tests share a process: a file, or a chapter if the file runs for each one.

    A notebook's cells run in order in one kernel, so they are never split.
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
