"""Record what PyTorch prints for the programs that the notebooks show beside it.

    python tools/record_pytorch.py

Needs PyTorch 2.13.0 (the extra `parity`). The programs are those that a cell of a notebook hands to
`beside_pytorch` (`notebooks/course/pytorch.py`) or to `in_pytorch` (`inside.py`); the records go to
`pytorch.json` and `inside.json` beside these modules, in the order of the course, as lists of
lines, so that a change reads well in a diff.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "notebooks")]  # `course` and `tools`, wherever this is run

from IPython.core.inputtransformer2 import TransformerManager  # noqa: E402
from nbformat import NotebookNode  # noqa: E402

from course import inside  # noqa: E402
from course.pytorch import RECORDS, text_of, transcript  # noqa: E402
from tools import notebooks  # noqa: E402

VERSION = "2.13.0"


def programs(notebook: NotebookNode, function: str = "beside_pytorch") -> Iterator[str]:
    """The texts of the programs that a notebook hands to `function`, in order.

    The table that `fates` draws compares as `beside_pytorch` does, so its program counts as well.

    Raises:
        ValueError: a call of `function` does not begin with the program written out, or with a
            name that a cell above has given to it.
    """
    calls = {function, "fates"} if function == "beside_pytorch" else {function}
    named: dict[str, ast.expr] = {}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        tree = ast.parse(TransformerManager().transform_cell(cell.source))
        for node in tree.body:
            if isinstance(node, ast.Assign):
                named |= {ast.unparse(target): node.value for target in node.targets}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in calls:
                given = node.args[0] if node.args else None
                if isinstance(given, ast.Name):
                    given = named.get(given.id)
                if not (isinstance(given, ast.Constant) and isinstance(given.value, str)):
                    raise ValueError(f"{function} wants its program as text: {cell.source!r}")
                yield text_of(given.value)


def all_programs(function: str = "beside_pytorch") -> dict[str, str]:
    """Map the text of each program that the course hands to `function` to the first notebook."""
    found: dict[str, str] = {}
    for file in notebooks.chapters():
        for text in programs(notebooks.read(file), function):
            found.setdefault(text, file.stem)
    return found


def record() -> list[dict[str, Any]]:
    """Run every program under PyTorch; one record for each."""
    import torch

    if torch.__version__.partition("+")[0] != VERSION:
        raise RuntimeError(f"the reference is PyTorch {VERSION}, not {torch.__version__}")
    return [
        {"notebook": name, "program": text.splitlines(), "shown": transcript(text, torch)}
        for text, name in all_programs().items()
    ]


def record_inside() -> list[dict[str, Any]]:
    """Run every program of `in_pytorch`; one record for each."""
    return [
        {"notebook": name, "program": text.splitlines(), **inside.observe(text).as_json()}
        for text, name in all_programs("in_pytorch").items()
    ]


def as_text(records: list[dict[str, Any]]) -> str:
    """The records as they stand in the file."""
    return json.dumps(records, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    RECORDS.write_text(as_text(record()), encoding="utf-8", newline="\n")
    inside.RECORDS.write_text(as_text(record_inside()), encoding="utf-8", newline="\n")
