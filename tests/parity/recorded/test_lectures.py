"""The lectures show under PyTorch what they show under minigrad, drawings and steppers too."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from nbformat import NotebookNode

from minigrad_course.desk import ipynb
from tests.harness import CPP_ORIGIN
from tools import notebooks, slides

OURS = re.compile(r"\nminigrad: .*")  # what the course adds to a message


def shown(cell: NotebookNode) -> list[str]:
    outputs = cell.get("outputs", [])
    texts = [each.get("text") or each.get("data", {}).get("text/plain", "") for each in outputs]
    return [CPP_ORIGIN.sub("", OURS.sub("", text)) for text in texts]


@pytest.mark.parametrize("file", ipynb.chapters(slides.LECTURES), ids=lambda file: file.stem)
def test_a_lecture_shows_what_it_would_with_pytorch(file: Path) -> None:
    stored = ipynb.read(file)
    setup = stored.cells[0].source
    run = ipynb.read(file)
    run.cells[0].source = setup.replace("import minigrad as torch", "import torch")
    assert run.cells[0].source != setup
    notebooks.client(run, file.parent).execute()
    for ours, theirs in zip(stored.cells, run.cells, strict=True):
        assert shown(ours) == shown(theirs), ours.source
