"""Write the lists of common questions and errors, each with the section that answers it.

    python tools/questions.py

The list is `minigrad_course/questions.toml`. All of it is written to docs/errors.md, and the
commonest questions to README, always between the same two marks.
"""

from __future__ import annotations

from pathlib import Path

from minigrad_course.ask.questions import Question, fragment, questions
from minigrad_course.kernel.places import ROOT

README = ROOT / "README.md"
ERRORS = ROOT / "docs" / "errors.md"
BEGIN, END = "<!-- questions: python tools/questions.py -->", "<!-- end of questions -->"


def entries(found: list[Question]) -> str:
    """All that is known, below a heading for each topic."""
    topics = dict.fromkeys(question.topic for question in found)
    lines = [" · ".join(f"[{topic}](#{fragment(topic)})" for topic in topics)]
    for topic in topics:
        lines.append(f"## {topic}")
        lines += [question.entry for question in found if question.topic == topic]
    return "\n\n".join([*lines, ""])


def commonest() -> list[Question]:
    """The questions that README lists."""
    return [question for question in questions() if question.front]


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
    front = "\n".join(["| you saw | fix | read |", "|---|---|---|", *rows, ""])
    return {
        README: with_list(README.read_text(encoding="utf-8"), front),
        ERRORS: with_list(ERRORS.read_text(encoding="utf-8"), entries(questions()), "docs/"),
    }


def main() -> None:
    """Write the lists."""
    for file, text in pages().items():
        file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
