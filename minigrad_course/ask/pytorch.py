"""A small program under the reader's library, beside what PyTorch printed for it.

PyTorch need not be installed, because `tools/record_pytorch.py` has recorded its output in
`pytorch.json`. Tests check that each program has a record, and compare the records with PyTorch.
"""

from __future__ import annotations

import ast
import importlib
import io
import json
import re
from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from difflib import SequenceMatcher
from html import escape
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

from minigrad_course.ask.cards import (
    OPEN,
    RIGHT,
    WRONG,
    Card,
    box,
    inline,
    paragraphs,
    preformatted,
    show,
)
from minigrad_course.kernel.explain import reasons
from minigrad_course.kernel.places import PROGRAMS, harness
from minigrad_course.kernel.reader import restore_classes_of

RECORDS = Path(__file__).with_name("pytorch.json")
REFERENCE = "PyTorch 2.13"

IMPORT = "import torch"
_ADDRESS = re.compile(r"0x[0-9a-f]+")
_SENTENCE_END = re.compile(
    r"(?<=[.!?])\s+(?=[A-Z])|\n| \(Triggered internally"
    r"| and no __dict__ for setting new attributes"  # only newer Pythons add this
)

ROW = '<tr style="background-color: transparent">'  # because themes tint every other row

# A line of PyTorch's output and one of ours; None where a side has no line.
Row = tuple[str | None, str | None]


def beside_pytorch(program: str, *, library: ModuleType | None = None) -> None:
    '''Run a program, and show what it prints beside what PyTorch 2.13 printed.

        beside_pytorch("""
            import torch

            x = torch.tensor(5.0, requires_grad=True)
            (x * x).backward()
            print(x.grad)
        """)

    The program cannot see the notebook's names. A warning, or an error that ends the program, is a
    line of its output: the type and the first sentence.

    Args:
        program: the text, with the line `import torch` once; or the name of a file in
            `tests/programs`, such as "code_04", whose text is then shown as well.
        library: what `import torch` imports, a module with PyTorch's names; by default minigrad.

    Raises:
        ValueError: the line `import torch` is missing, or PyTorch is also imported in another way.
        FileNotFoundError: there is no such program in `tests/programs`.
    '''
    found = comparison(program, library)
    show(found.card())
    why = reasons() if library is not None and found.ours != found.theirs else []
    if why:
        show(Card(box(OPEN, *map(paragraphs, why)), "\n".join(why)))


@dataclass(frozen=True)
class Comparison:
    """What a program printed here and in PyTorch.

    Attributes:
        listing: the program, if the cell does not show it.
        ours, theirs: the printed lines; `theirs` is None if PyTorch's are not known.
        ours_label, theirs_label: the headings of the two columns.
    """

    listing: str
    ours: list[str]
    theirs: list[str] | None
    ours_label: str
    theirs_label: str

    def card(self) -> Card:
        """The two outputs side by side, a row for each line."""
        listing = preformatted(self.listing) if self.listing else ""
        before = f"{self.listing}\n" if self.listing else ""
        if self.theirs is None:
            verdict = (
                f"This is not the recorded program, so there is no record of what {REFERENCE} "
                f"prints for it. If PyTorch is installed, it runs there as well. {self.ours_label}:"
            )
            lines = "\n".join(self.ours)
            html = box(OPEN, listing, paragraphs(verdict), preformatted(lines))
            return Card(html, f"{before}{verdict}\n{lines}")
        rows = side_by_side(self.theirs, self.ours)
        differing = sum(left != right for left, right in rows)
        count = "1 line" if len(rows) == 1 else f"{len(rows)} lines"
        verdict = f"{differing} of {count} differ" if differing else f"✓ The same in both, {count}"
        html = box(
            WRONG if differing else RIGHT,
            listing,
            f"<b>{inline(verdict)}</b>",
            table(rows, (self.theirs_label, self.ours_label)),
        )
        heading = f"{verdict}: {self.theirs_label}; {self.ours_label}"
        return Card(html, "\n".join([f"{before}{heading}", *as_text(rows, self.ours_label)]))


def comparison(program: str, library: ModuleType | None = None) -> Comparison:
    """Run `program` under `library`, by default minigrad, and look up what PyTorch printed for it.

    The notebook's own classes are restored afterwards, even if the program is not a valid one.
    """
    library = library or importlib.import_module("minigrad")
    try:
        source = text_of(program)
        theirs, theirs_label = load().get(source), f"{REFERENCE}, recorded"
        if theirs is None and find_spec("torch") is not None:
            theirs, theirs_label = transcript(source, _pytorch()), "PyTorch, now"
        ours = transcript(source, library)
    finally:
        restore_classes_of(library)
    return Comparison(
        listing="" if "\n" in program else source.rstrip(),
        ours=ours,
        theirs=theirs,
        ours_label=f"{library.__name__}, now",
        theirs_label=theirs_label,
    )


def text_of(program: str) -> str:
    """The text of a program, from the text itself or from its name in `tests/programs`."""
    if "\n" in program:
        return dedent(program).strip() + "\n"
    return (PROGRAMS / f"{program}.py").read_text(encoding="utf-8")


def load() -> dict[str, list[str]]:
    """The lines that PyTorch printed for each recorded program, by the program's text."""
    records = json.loads(RECORDS.read_text(encoding="utf-8"))
    return {"\n".join(item["program"]) + "\n": item["shown"] for item in records}


# --- running --------------------------------------------------------------------------------------


def transcript(source: str, library: Any) -> list[str]:
    """The lines that a program prints if `torch` is `library`, with addresses replaced by 0x….

    Raises:
        ValueError: the line `import torch` is missing, or PyTorch is also imported in another way.
    """
    lines, _ = run(source, library)
    return lines


def run(source: str, library: Any) -> tuple[list[str], Any]:
    """The lines of `transcript`, and the value of the last statement if it is an expression."""
    tree = ast.parse(source)
    statements = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    imports = [text for text in map(ast.unparse, statements) if "torch" in text]
    if imports != [IMPORT] or all(ast.unparse(node) != IMPORT for node in tree.body):
        raise ValueError(f"a program has the line '{IMPORT}' once, and no other import of it")
    tree.body = [node for node in tree.body if ast.unparse(node) != IMPORT]
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    names = {"__name__": "__main__", "torch": library}
    value = None
    printed = io.StringIO()
    shown = harness().warnings_shown(library.__name__, _print_warning)
    with redirect_stdout(printed), harness().helpers_importable(), shown:
        try:
            exec(compile(tree, "<program>", "exec"), names)
            if last is not None:
                value = eval(compile(ast.Expression(last.value), "<program>", "eval"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {first_sentence(str(error))}")
    return _ADDRESS.sub("0x…", printed.getvalue()).splitlines(), value


def first_sentence(message: str) -> str:
    """The first sentence of an error's or a warning's message."""
    return _SENTENCE_END.split(message, maxsplit=1)[0]


def _print_warning(message: Warning | str, category: type[Warning], *place: object) -> None:
    """Replacement for `warnings.showwarning`."""
    print(f"{category.__name__}: {first_sentence(str(message))}")


def _pytorch() -> ModuleType:
    import torch

    return torch


# --- showing --------------------------------------------------------------------------------------


def side_by_side(theirs: Sequence[str], ours: Sequence[str]) -> list[Row]:
    """The lines of both outputs as rows, aligned so that equal lines share a row if possible."""
    rows: list[Row] = []
    matcher = SequenceMatcher(a=theirs, b=ours, autojunk=False)
    for _, left, left_end, right, right_end in matcher.get_opcodes():
        for step in range(max(left_end - left, right_end - right)):
            rows.append(
                (
                    theirs[left + step] if left + step < left_end else None,
                    ours[right + step] if right + step < right_end else None,
                )
            )
    return rows


def table(rows: Sequence[Row], headings: tuple[str, str]) -> str:
    """HTML of the rows: PyTorch's line, = or ≠, our line, with rows that differ tinted."""
    left, right = (f"<td {_cell()}><b>{escape(heading)}</b></td>" for heading in headings)
    lines = [f"{ROW}{left}<td {_cell()}></td>{right}</tr>"]
    for theirs, ours in rows:
        same = theirs == ours
        sign = "=" if same else "<b>≠</b>"
        style = _cell(None if same else WRONG)
        lines.append(
            f"{ROW}<td {style}>{line(theirs)}</td><td {style}>{sign}</td>"
            f"<td {style}>{line(ours)}</td></tr>"
        )
    return f'<table style="margin: 4px 0"><tbody>{"".join(lines)}</tbody></table>'


def as_text(rows: Sequence[Row], ours_label: str) -> list[str]:
    """The rows as text: an equal line once, others with both sides."""
    name = ours_label.partition(",")[0]
    width = max(len("PyTorch"), len(name)) + 1
    lines = []
    for theirs, ours in rows:
        if theirs == ours:
            lines.append(f"  = {theirs}")
        else:
            lines.append(f"  ≠ {'PyTorch:':{width}} {'(no line)' if theirs is None else theirs}")
            lines.append(f"    {f'{name}:':{width}} {'(no line)' if ours is None else ours}")
    return lines


def line(text: str | None) -> str:
    """HTML of a printed line, in `code` because themes may set `pre` in a proportional font."""
    if text is None:
        return "<i>no line</i>"
    style = "white-space: pre-wrap; background-color: transparent; padding: 0"
    return f'<code style="{style}">{escape(text, quote=False)}</code>'


def _cell(tint: tuple[int, int, int] | None = None) -> str:
    """The style of a table cell, left-aligned because JupyterLab's default is to the right."""
    colour = f"rgba({', '.join(map(str, tint))}, 0.2)" if tint else "transparent"
    return (
        f'style="text-align: left; vertical-align: top; padding: 1px 12px 1px 0; '
        f'background-color: {colour}"'
    )
