"""Record what PyTorch prints for the programs that the notebooks show beside it.

    python tools/record_pytorch.py

Needs PyTorch 2.13.0 (the extra `parity`). The programs are those that notebooks pass to
`beside_pytorch` or `in_pytorch`, whose records are written to `pytorch.json` and `in_pytorch.json`
in `minigrad_course/ask`, in the order of the course and as lists of lines, so that a change is easy
to read in a diff. The pages `docs/functions.md` and `docs/views.md` show the output below each
program, so it is written there. Values that differ only by another processor's rounding keep their
recorded digits, see `tests/goldens/keep.py`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

from minigrad_course.ask import in_pytorch as inside
from minigrad_course.ask.pytorch import RECORDS, text_of, transcript
from minigrad_course.desk import ipynb
from minigrad_course.kernel.places import ROOT
from tests.goldens.keep import keep

VERSION = "2.13.0"
PAGES = [ROOT / "docs" / "functions.md", ROOT / "docs" / "views.md"]
PROGRAM = re.compile(r"^(```python\n(.*?)^```\n\n```text\n)(.*?)^```$", re.MULTILINE | re.DOTALL)


def programs(notebook: NotebookNode, function: str = "beside_pytorch") -> Iterator[str]:
    """The texts of the programs that a notebook passes to `function`, in order.

    Raises:
        ValueError: a call of `function` does not begin with the program written out, or with a
            name that a cell above assigned to it.
    """
    named: dict[str, ast.expr] = {}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        tree = ast.parse(TransformerManager().transform_cell(cell.source))
        for node in tree.body:
            if isinstance(node, ast.Assign):
                named |= {ast.unparse(target): node.value for target in node.targets}
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == function:
                given = node.args[0] if node.args else None
                if isinstance(given, ast.Name):
                    given = named.get(given.id)
                if not (isinstance(given, ast.Constant) and isinstance(given.value, str)):
                    raise ValueError(f"{function} wants its program as text: {cell.source!r}")
                yield text_of(given.value)


def all_programs(function: str = "beside_pytorch") -> dict[str, str]:
    """Map each program that the course passes to `function` to the first notebook with it."""
    found: dict[str, str] = {}
    for file in ipynb.chapters():
        for text in programs(ipynb.read(file), function):
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


def with_outputs(text: str, library: Any) -> str:
    """The text of a page, with what each of its programs prints under `library` below it."""

    def shown(match: re.Match[str]) -> str:
        return match[1] + "".join(f"{line}\n" for line in transcript(match[2], library)) + "```"

    return PROGRAM.sub(shown, text)


def record_pages() -> None:
    """Write what PyTorch prints for the programs of `PAGES`."""
    import torch

    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(with_outputs(text, torch), encoding="utf-8", newline="\n")


def save(records: list[dict[str, Any]], file: Path) -> None:
    """Write the records to `file`, keeping digits of earlier ones that only differ by rounding."""
    recorded = json.loads(file.read_text(encoding="utf-8"))
    earlier = {tuple(record["program"]): record for record in recorded}
    kept = [keep(earlier.get(tuple(record["program"])), record) for record in records]
    text = json.dumps(kept, indent=1, ensure_ascii=False)
    file.write_text(f"{text}\n", encoding="utf-8", newline="\n")


if __name__ == "__main__":
    save(record(), RECORDS)
    save(record_inside(), inside.RECORDS)
    record_pages()
