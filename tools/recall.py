"""Write recall editions of the notebooks, in which the reader writes: `python tools/recall.py`.

They are for a first pass with the chapter beside them, or for a second one from memory.

    python tools/recall.py               # fills workbook/recall
    python tools/recall.py --fresh 04    # chapter 04 anew; yours is kept beside it

Such an edition has the chapter's headings, its puzzle, questions, programs and exercises. Of what
the chapter says and shows there is nothing. The goals are questions. Of each definition that the
chapter builds there is the signature and the docstring: its body is for the reader to write, and
one that has grown is given as it was before. Fields are given, for others use their names.

The programs run on what the reader has written, and each says whether it shows what the chapter
shows (`course/recall.py`). The last one is the score.

What is written there stays: the editions are renewed as the workbook's other notebooks are
(`tools/workbook.py`).
"""

from __future__ import annotations

import argparse
import ast
import builtins
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from nbformat import NotebookNode, v4

ROOT = Path(__file__).resolve().parent.parent
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from tools import lib_cells, notebooks, workbook  # noqa: E402

TASK = "recall:"  # begins the tag of a cell in which a definition is to be written
COMMAND = 'make recall RECALL_ARGS="--fresh {}"'
INTRODUCTION = (
    "**Recall edition.** Nothing is explained here: say the why yourself, in a cell of your own. "
    "Write the definitions, run the programs, and compare with [the chapter](../notebooks/{}). "
    "On a first pass, read that beside it; on a second one, leave it closed."
)
GOALS = re.compile(r"^[^\n]+(?:\n[^\n]+)*? you\s+can( predict)?\n\n(?=- )", re.MULTILINE)
QUESTION = "Can you still{}, without the chapter? Write down your answers first.\n\n"
COMPARED = "%%same"
PREDICTION = re.compile(r"^predict\(", re.MULTILINE)
# How links to what is outside of the notebooks begin.
OUTSIDE = re.compile(r"(\]\(|<img src=\")\.\./")
GROWN = "# It grows in this chapter. Here it is as it was: write what it becomes."


def edition(source: Path) -> NotebookNode:
    """The recall edition of the chapter in `source`, nothing of it run."""
    chapter = notebooks.read(source)
    names = notebooks.all_lib_names(chapter)
    notebook = v4.new_notebook(metadata=chapter.metadata)  # type: ignore[no-untyped-call]
    prose = Prose(source.name)
    programs = [cell for cell in chapter.cells if cell.cell_type == "code"]
    answers = {  # the cell above a check
        one.id for one, check in pairwise(programs) if notebooks.checked_exercise(check)
    }
    for cell in chapter.cells:
        if cell.cell_type == "markdown":
            if text := prose.of(cell):
                notebook.cells.append(new("markdown", text, cell.id))
            continue
        if cell is programs[0]:
            notebook.cells.append(beginning(source))
        notebook.cells += code(cell, names, notebooks.number(source), cell.id in answers)
        prose.puzzle &= "puzzle" not in prose.section
    return workbook.signed(notebook)


def code(
    cell: NotebookNode, names: Sequence[str], chapter: int, is_answer: bool
) -> list[NotebookNode]:
    """What becomes of a code cell: a task, or a program that is compared where that can be."""
    if lib := notebooks.lib_names(cell):
        tasks = [task(lib_cells.piece(name, chapter, names)) for name in lib]
        return [new("code", "\n\n\n".join(tasks), cell.id, [TASK + name for name in lib])]
    source = workbook.with_effort(cell.source)
    if is_answer or notebooks.checked_exercise(cell) or "from __future__" in source:
        return [new("code", source, cell.id)]
    question = PREDICTION.search(source)
    if not question:
        return [new("code", f"{COMPARED} {cell.id}\n{source}", cell.id)]
    before = source[: question.start()].rstrip()
    draft = [new("code", f"{COMPARED}\n{before}", f"{cell.id}-draft")] if before else []
    return [*draft, new("code", source[question.start() :], cell.id)]


def new(kind: str, source: str, id: str, tags: Sequence[str] = ()) -> NotebookNode:
    """A cell."""
    make = v4.new_markdown_cell if kind == "markdown" else v4.new_code_cell
    cell: NotebookNode = make(source, id=id)  # type: ignore[no-untyped-call]
    if tags:
        cell.metadata.tags = list(tags)
    return cell


def beginning(source: Path) -> NotebookNode:
    """The cell that says which chapter the programs are compared with."""
    return new("code", f'from course import recall\n\nrecall.follow("{source.stem}")', "follow")


# --- prose ----------------------------------------------------------------------------------------


class Prose:
    """What is left of a chapter's text, cell by cell."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.section = ""
        self.puzzle = True  # whether it is still to come, or its first program is

    def of(self, cell: NotebookNode) -> str:
        """The text of a Markdown cell in the edition; an empty one if nothing is left."""
        return OUTSIDE.sub(r"\1../../", self.text(cell))

    def text(self, cell: NotebookNode) -> str:
        """The same, with links as they are in the chapter."""
        if "nav" in notebooks.tags(cell):
            note = INTRODUCTION.format(self.name) if cell.source.count("\n# ") else ""
            return f"{cell.source}\n\n{note}".rstrip()
        shown = []
        for part in re.split(r"^(?=#+ )", cell.source, flags=re.MULTILINE):
            heading = part.partition("\n")[0] if part.startswith("#") else ""
            if heading.startswith("## "):
                self.section = heading[3:].lower()
            shown.append(self.kept(part, heading).strip())
        return "\n\n".join(filter(None, shown))

    def kept(self, part: str, heading: str) -> str:
        """What is left of a heading and the text below it."""
        if self.section == "goals":
            return GOALS.sub(lambda found: QUESTION.format(found[1] or ""), part)
        if self.section == "exercises":
            return part
        if self.section == "what you can predict now":
            place = f"../notebooks/{self.name}#What-you-can-predict-now"
            return f"{heading}\n\nRead your answers again. [The chapter's are here]({place})."
        return part if self.puzzle and "puzzle" in self.section else heading


# --- tasks ----------------------------------------------------------------------------------------


def task(piece: lib_cells.Piece) -> str:
    """What the reader gets of a definition."""
    if isinstance(piece.node, lib_cells.ASSIGNMENT):
        return piece.source
    if piece.before is not None:
        return f"{GROWN}\n{piece.before}"
    lines = piece.source.split("\n")
    _, _, path = lib_cells.locate(piece.name)
    for function in reversed(outermost(ast.parse(piece.source))):
        first = len(function.body) > 1 and is_docstring(function.body[0])
        start = (function.body[0].end_lineno or 0) if first else signature_end(function, lines)
        owner = path if isinstance(piece.node, ast.ClassDef) else path.rpartition(".")[0]
        name = f"{owner}.{function.name}" if owner else function.name
        indent = " " * (function.col_offset + 4)
        lines[start : function.end_lineno] = [
            *(f"{indent}# {line}" for line in helps(function)),
            f'{indent}raise NotImplementedError("{name}")',
        ]
    return "\n".join(lines)


def outermost(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions and methods of a source that stand in no other, in order."""
    found = []
    for node in tree.body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        found += [one for one in inside if isinstance(one, ast.FunctionDef)]
    return found


def is_docstring(statement: ast.stmt) -> bool:
    """Whether a statement is a text."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def signature_end(function: ast.FunctionDef, lines: Sequence[str]) -> int:
    """The number of the line that ends a function's signature."""
    before = range(function.lineno, function.body[0].lineno)
    return next(number for number in before if lines[number - 1].split("  #")[0].endswith(":"))


def helps(function: ast.FunctionDef) -> list[str]:
    """Names for one who writes a function: the fields that it sets, and what stands outside."""
    fields, outside, own = [], [], {each.arg for each in ast.walk(function.args) if is_arg(each)}
    hints = {id(name) for node in ast.walk(function) for name in type_hint(node)}
    for node in (inner for statement in function.body for inner in ast.walk(statement)):
        if id(node) in hints:
            continue
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            fields.append(ast.unparse(node))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.id)
        elif isinstance(node, ast.Name):
            outside.append(node.id)
        elif isinstance(node, ast.arg):
            own.add(node.arg)
    outside = [name for name in outside if name not in own and not hasattr(builtins, name)]
    lists = (("sets", fields), ("may use", outside))
    return [f"{word}: {', '.join(dict.fromkeys(names))}" for word, names in lists if names]


def type_hint(node: ast.AST) -> Iterator[ast.AST]:
    """What stands in the type hint of a variable."""
    if isinstance(node, ast.AnnAssign):
        yield from ast.walk(node.annotation)


def is_arg(node: ast.AST) -> bool:
    """Whether a node is a parameter."""
    return isinstance(node, ast.arg)


def main(arguments: Sequence[str] | None = None) -> None:
    """Bring the recall editions up to date with the course."""
    parser = argparse.ArgumentParser(description="Write recall editions into workbook/recall.")
    parser.add_argument("--fresh", action="append", default=[], metavar="NN")
    try:
        fresh = parser.parse_args(arguments).fresh
        news = workbook.update(fresh, edition, workbook.FOLDER / "recall", COMMAND)
    except LookupError as error:
        sys.exit(str(error))
    print(*news, "The recall editions are in the folder workbook/recall.", sep="\n")


if __name__ == "__main__":
    main()
