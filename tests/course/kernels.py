"""Runs cells in a kernel, and compares what they show with what is stored in them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import run_kernel
from nbformat import NotebookNode

from minigrad_course.desk import ipynb
from tests.course.answers import run
from tests.course.test_finale import IGNORED

ADDRESS = re.compile(r"0x[0-9a-f]+")


@contextmanager
def kernel(folder: Path, **environment: str) -> Iterator[BlockingKernelClient]:
    """A kernel that runs in `folder`, with these environment variables besides the present ones."""
    given: dict[str, Any] = {"cwd": str(folder), "env": os.environ | environment, **ipynb.KERNELS}
    with run_kernel(kernel_name="python3", **given) as client:
        yield client


def differences(client: BlockingKernelClient, cells: list[NotebookNode]) -> list[str]:
    """Run cells; say which fail or show something else than what is stored in them."""
    wrong = []
    for cell in cells:
        now = run(client, cell.source)
        if failed := errors(now):
            wrong.append(f"{cell.id}: {failed}")
        elif not agree(now, cell):
            wrong.append(f"{cell.id}: {texts(now)} in place of {texts(cell)}")
    return wrong


def errors(cell: NotebookNode) -> str:
    """The error that ended a cell; an empty text if none did."""
    found = [f"{one.ename}: {one.evalue}" for one in cell.outputs if one.output_type == "error"]
    return "".join(found)


def agree(now: NotebookNode, stored: NotebookNode) -> bool:
    """Whether a cell shows what is stored, or nbval ignores it, as times on this machine."""
    return IGNORED in ipynb.tags(stored) or texts(now) == texts(stored)


def texts(cell: NotebookNode) -> list[str]:
    """What a cell shows as text: each stream as a whole, then the rest in order."""
    streams: dict[str, str] = {}
    shown = []
    for output in cell.outputs:
        if output.output_type == "stream":
            streams[output.name] = streams.get(output.name, "") + output.text
        elif "data" in output:
            shown.append(output.data.get("text/plain", ""))
    return [ADDRESS.sub("…", text) for text in [*sorted(streams.values()), *shown]]
