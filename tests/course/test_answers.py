"""tests/course/answers.py: a right answer passes, and a message that does not come is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from course.declare import EXERCISES
from tests.course.answers import checks, failures, shown
from tools import notebooks


@pytest.fixture
def kernel(sample_file: Path) -> Iterator[BlockingKernelClient]:
    """The kernel of the sample notebook, whose cells have run."""
    manager, client = start_new_kernel(kernel_name="python3", cwd=str(sample_file.parent))
    for cell in notebooks.read(sample_file).cells:
        if cell.cell_type == "code":
            shown(client, cell.source)
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def test_answers_get_their_verdicts(kernel: BlockingKernelClient, sample_file: Path) -> None:
    ((id, stub, check),) = checks(notebooks.read(sample_file))
    assert failures(kernel, id, stub, check) == []
    assert "99.1 The slope of a cube: not attempted yet" in shown(kernel, check)


def test_a_message_that_does_not_come_is_noticed(
    kernel: BlockingKernelClient, sample_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ((id, stub, check),) = checks(notebooks.read(sample_file))
    renamed = {f"{says} in Klingon": source for says, source in EXERCISES[id].wrong.items()}
    changed = replace(EXERCISES[id], wrong=renamed, solution="cube_slope = abs")
    monkeypatch.setitem(EXERCISES, id, changed)
    found = failures(kernel, id, stub, check)
    assert len(found) == 4
    assert "forgot the factor in Klingon" in found[0]
    assert found[-1].endswith("not 'Every power falls to this rule.'")
