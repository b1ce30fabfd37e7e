"""Notebooks as files: the course's own, and how they are read and written."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import nbformat
import zmq
from jupyter_client.manager import KernelManager
from nbformat import NotebookNode

from minigrad_course.kernel.places import NOTEBOOKS

# Kernels warn that their messages are not encrypted, so we encrypt them if this Jupyter can.
KERNELS = (
    {"transport_encryption": "auto"}
    if "transport_encryption" in KernelManager.class_trait_names() and zmq.has("curve")
    else {}
)


def chapters(folder: Path = NOTEBOOKS) -> list[Path]:
    """The notebooks of the course in order."""
    return sorted(folder.glob("[0-9][0-9]_*.ipynb"))


def read(file: Path) -> NotebookNode:
    """The notebook in `file`, each cell having an id."""
    raw = json.loads(file.read_text(encoding="utf-8"))
    raw["nbformat"], raw["nbformat_minor"] = 4, 5
    taken: set[str] = set()
    for index, cell in enumerate(raw["cells"]):
        if not cell.get("id") or cell["id"] in taken:
            text = f"{file.stem}:{index}:{''.join(cell['source'])}"
            cell["id"] = hashlib.sha1(text.encode()).hexdigest()[:12]
        taken.add(cell["id"])
    notebook: NotebookNode = nbformat.reads(  # type: ignore[no-untyped-call]
        json.dumps(raw), as_version=nbformat.NO_CONVERT
    )
    return notebook


def as_text(notebook: NotebookNode) -> str:
    """The notebook as JupyterLab writes it to a file."""
    nbformat.validate(notebook)
    text: str = nbformat.writes(  # type: ignore[no-untyped-call]
        notebook, version=nbformat.NO_CONVERT
    )
    return text.rstrip("\n") + "\n"


def tags(cell: NotebookNode) -> list[str]:
    """The tags of a cell."""
    return list(cell.metadata.get("tags", []))
