"""The programs of documents and of learners show the same without the accelerator.

They run in one process of their own. `test_programs` runs all programs with the accelerator.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.differences import require_program
from tests.goldens.record import load
from tests.harness import program_names

ROOT = Path(__file__).resolve().parents[2]
RECORDED = load()
SHOWN_BY = ("code_", "doc_", "learner_")  # the documents' listings and other programs, learners'
NAMES = [name for name in program_names() if name.startswith(SHOWN_BY)]
RUN = """
import json, sys
from tests.harness import transcript
shown = {name: transcript(name, "minigrad") for name in sys.argv[1:]}
print(json.dumps([shown, "minigrad.fast" in sys.modules]))
"""


@pytest.fixture(scope="module")
def shown() -> dict[str, str]:
    """Name → transcript, of the plain library."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *NAMES],
        cwd=ROOT,
        env={**os.environ, "MINIGRAD_FAST": "0", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    transcripts, fast = json.loads(done.stdout)
    assert not fast
    return dict(transcripts)


def test_all_documents_and_learners_are_there() -> None:
    assert {f"code_{number:02}" for number in range(1, 23)} < set(NAMES)
    assert {name.partition("_")[0] for name in NAMES} == {"code", "doc", "learner"}


@pytest.mark.parametrize("name", NAMES)
def test_program_without_the_accelerator(name: str, shown: dict[str, str]) -> None:
    labels = ("PyTorch, recorded", "minigrad, plain")
    require_program(name, RECORDED[name], shown[name], labels, mode="plain")
