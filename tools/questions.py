"""Write the lists of common questions and errors, each with the section that answers it.

    python tools/questions.py

The list is `minigrad_course/questions.toml`. All of it is written to docs/errors.md, its messages
to a cell of chapter 20, and the commonest questions to README, always between the same two marks.
"""

from __future__ import annotations

import sys
from pathlib import Path

from nbformat import NotebookNode

from minigrad_course.ask.questions import Question, fragment, questions
from minigrad_course.kernel.places import ROOT
from tools import notebooks

README = ROOT / "README.md"
ERRORS = ROOT / "docs" / "errors.md"
CLINIC = notebooks.NOTEBOOKS / "20_error_clinic.ipynb"
BEGIN, END = "<!-- questions: python tools/questions.py -->", "<!-- end of questions -->"


def entries(found: list[Question]) -> str:
    """All that is known, below a heading for each topic."""
    topics = dict.fromkeys(question.topic for question in found)
    lines = [" · ".join(f"[{topic}](#{fragment(topic)})" for topic in topics)]
    for topic in topics:
        lines.append(f"## {topic}")
        lines += [question.entry for question in found if question.topic == topic]
    return "\n\n".join([*lines, ""])


def table(found: list[Question]) -> str:
    """The list, with a table for each topic."""
    lines = []
    for topic in dict.fromkeys(question.topic for question in found):
        lines += [f"| {topic} | cure | read |", "|---|---|---|"]
        lines += [question.row for question in found if question.topic == topic]
        lines.append("")
    return "\n".join(lines)


def commonest() -> list[Question]:
    """The questions that README lists."""
    return [question for question in questions() if question.front]


def messages() -> list[Question]:
    """The questions with a message, each with one section, as chapter 20 lists them."""
    return [question.short for question in questions() if question.message]


def with_list(text: str, rows: str, folder: str = "") -> str:
    """`text`, which is in `folder`, with `rows` between its marks, and links from there."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    for place in ("notebooks/", "docs/"):
        here = "" if place == folder else f"../{place}" if folder else place
        rows = rows.replace(f"]({place}", f"]({here}")
    return f"{before}{BEGIN}\n\n{rows}\n{END}{after}"


def pages() -> dict[Path, str]:
    """The pages that have a list, each with its current text."""
    rows = [each.row for each in commonest()]
    front = "\n".join(["| you saw | cure | read |", "|---|---|---|", *rows, ""])
    return {
        README: with_list(README.read_text(encoding="utf-8"), front),
        ERRORS: with_list(ERRORS.read_text(encoding="utf-8"), entries(questions()), "docs/"),
    }


def put_index(notebook: NotebookNode, file: Path) -> None:
    """Write the list to the cell of a notebook that has the marks."""
    for cell in notebook.cells:
        if BEGIN in cell.source:
            cell.source = with_list(cell.source, table(messages()), "notebooks/")


def main() -> int:
    """Write the lists."""
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")
    return 0 if notebooks.update(CLINIC, put_index) else 1


if __name__ == "__main__":
    sys.exit(main())
