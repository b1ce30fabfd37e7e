"""Write the lists of common questions and errors, each with the section that answers it.

    python tools/questions.py

The list is `minigrad_course/questions.toml`. All of it is written to docs/errors.md, its messages
to a cell of chapter 20, and the commonest questions to README, always between the same two marks.
"""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from nbformat import NotebookNode

from minigrad_course.kernel.places import ROOT
from tools import notebooks

QUESTIONS = ROOT / "minigrad_course" / "questions.toml"
README = ROOT / "README.md"
ERRORS = ROOT / "docs" / "errors.md"
CLINIC = notebooks.NOTEBOOKS / "20_error_clinic.ipynb"
BEGIN, END = "<!-- questions: python tools/questions.py -->", "<!-- end of questions -->"


@dataclass(frozen=True)
class Section:
    """A section of a notebook, or of a page such as `docs/views.md`, and words from it."""

    page: str
    heading: str
    words: str

    @property
    def file(self) -> str:
        """The page, from the top of the repository."""
        return self.page if "/" in self.page else f"notebooks/{self.page}.ipynb"

    @property
    def docname(self) -> str:
        """The page's name on the website."""
        return self.file.rpartition(".")[0]

    @property
    def link(self) -> str:
        """A link to the section, with the fragment that JupyterLab, or GitHub, makes of it."""
        fragment = self.heading.replace("`", "").replace(" ", "-")
        if "/" in self.page:
            fragment = re.sub(r"[^\w-]", "", fragment.lower())
            return f"[{self.heading}]({self.file}#{fragment})"
        return f"[{self.page[:2]} · {self.heading}]({self.file}#{quote(fragment)})"


@dataclass(frozen=True)
class Question:
    """What someone saw (a message or plain words), what helps, and where to read about it."""

    topic: str
    saw: str
    message: str
    read: tuple[Section, ...]
    front: bool = False
    cure: str = ""

    @property
    def row(self) -> str:
        """The question as a row of a table."""
        seen = " <br> ".join(filter(None, [self.message and f"`{self.message}`", self.saw]))
        links = " <br> ".join(section.link for section in self.read)
        return f"| {seen} | {self.cure} | {links} |"

    @property
    def short(self) -> Question:
        """The question with the first of its sections only."""
        return replace(self, read=self.read[:1])


def questions(file: Path = QUESTIONS) -> list[Question]:
    """The entries of `file`.

    Raises:
        TypeError: an entry lacks a field or has an unknown one.
    """
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["entry"]
    return [
        Question(read=tuple(Section(*one) for one in entry.pop("read")), **{"message": "", **entry})
        for entry in entries
    ]


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
        ERRORS: with_list(ERRORS.read_text(encoding="utf-8"), table(questions()), "docs/"),
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
