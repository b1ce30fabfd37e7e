"""Common questions and errors, each with the section that answers it; `explain` looks errors up.

They are in `minigrad_course/questions.toml`, and `tools/questions.py` writes lists of them.
"""

from __future__ import annotations

import html
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from textwrap import indent
from urllib.parse import quote

from minigrad_course.kernel.places import PACKAGE

QUESTIONS = PACKAGE / "questions.toml"
FEWEST_WORDS = 4  # a shorter text may be a part of too many messages
MOST_SHOWN = 3
# What is code in a cause: calls, names with an underscore or a dot, and `x[0]`.
CODE = re.compile(r"(?<![\w`])(\.?\w[\w.]*\([^()]*\)|\.grad|\.data|\w+_\w+|\w+\[\d\])")


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
        if "/" in self.page:
            return f"[{self.heading}]({self.file}#{fragment(self.heading)})"
        words = self.heading.replace("`", "").replace(" ", "-")
        return f"[{self.page[:2]} · {self.heading}]({self.file}#{quote(words)})"


@dataclass(frozen=True)
class Question:
    """What someone saw (a message or plain words), what helps, and where to read about it."""

    topic: str
    saw: str
    message: str
    read: tuple[Section, ...]
    front: bool = False
    cure: str = ""
    cause: str = ""
    prints: str = ""
    name: str = ""
    before: str = ""
    after: str = ""
    given: str | None = None

    @property
    def entry(self) -> str:
        """The question with all that is known about it, in Markdown, below an anchor."""
        head = f"**`{self.message}`** <br> {self.saw}" if self.message else f"**{self.saw}**"
        links = ", ".join(section.link for section in self.read)
        label = "Fix" if self.before else "In short"
        said = f"{sentence(self.cause)} **{label}:** {self.cure}."
        parts = [f'<a id="{self.name}"></a>', head, said]
        if self.before:
            change = indent(self.before, "- "), indent(self.after, "+ ")
            parts.append("\n".join(["```diff", *change, "```"]))
        return "\n\n".join([*parts, f"Read {links}."])

    @property
    def programs(self) -> tuple[str, str] | None:
        """The code before and after as programs; None if they are parts of a larger one."""
        if self.given is None:
            return None
        begin = f"import torch\n{self.given}\n"
        return f"{begin}{self.before}\n", f"{begin}{self.after}\n"

    @property
    def row(self) -> str:
        """The question as a row of a table."""
        seen = " <br> ".join(filter(None, [self.message and f"`{self.message}`", self.saw]))
        links = " <br> ".join(section.link for section in self.read)
        return f"| {seen} | {self.cure} | {links} |"


def questions() -> list[Question]:
    """The entries of `QUESTIONS`.

    Raises:
        TypeError: an entry lacks a field or has an unknown one.
    """
    entries = tomllib.loads(QUESTIONS.read_text(encoding="utf-8"))["entry"]
    return [
        Question(read=tuple(Section(*one) for one in entry.pop("read")), **{"message": "", **entry})
        for entry in entries
    ]


class Explanation:
    """What `explain` found: the entries whose message is in the text, none if it cannot tell."""

    def __init__(self, found: Sequence[Question]) -> None:
        self.found = tuple(found)

    def lines(self) -> list[tuple[str, str]]:
        """Pairs of a label and a text."""
        if not self.found:
            return [("cannot tell", "no message that the course knows is in this text")]
        lines = []
        if len(self.found) > 1:
            lines.append(("cannot tell", "it could be any of these:"))
        for each in self.found:
            lines += [("message", each.message), ("cause", each.cause), ("fix", each.cure)]
            if each.before:
                lines += [("before", each.before), ("after", each.after)]
            lines.append(("read", places(each)))
        messages = {each.message for each in self.found}
        for each in questions():
            if each.prints in messages:
                lines.append(("or", f"{each.saw} → {each.cure} ({places(each)})"))
        return lines

    def __repr__(self) -> str:
        return "\n".join(f"{label + ':':13}{text}" for label, text in self.lines())

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><th style='text-align:left'>{label}</th>"
            f"<td style='text-align:left'>{html.escape(text)}</td></tr>"
            for label, text in self.lines()
        )
        return f"<table>{''.join(rows)}</table>"


def places(question: Question) -> str:
    """The sections to read, as text."""
    return "; ".join(f"{each.file}, {each.heading}" for each in question.read)


def sentence(text: str) -> str:
    """`text` as a sentence, with its pieces of code between backticks."""
    code = CODE.sub(r"`\1`", text)
    return f"{code[0].upper()}{code[1:]}."


def fragment(heading: str) -> str:
    """The fragment that GitHub makes of a heading."""
    return re.sub(r"[^\w-]", "", heading.lower().replace(" ", "-"))


def explain(message: str | BaseException) -> Explanation:
    """Say what an error or a warning of PyTorch or minigrad means: its cause, the fix, the section.

    If the course does not know the message, or if the text fits several, the answer says so.

    Args:
        message: the text, with or without a traceback around it, or the exception itself.
    """
    text = plain(str(message))
    known = [each for each in questions() if each.message]
    spans = [(match.span(), each) for each in known if (match := pattern(each).search(text))]
    found = [
        each
        for span, each in spans
        if not any(a <= span[0] and span[1] <= b and (a, b) != span for (a, b), _ in spans)
    ]
    if not found and len(text.split()) >= FEWEST_WORDS:
        found = [each for each in known if text.rstrip(".") in plain(each.message)]
    return Explanation(found if len(found) <= MOST_SHOWN else ())


def plain(text: str) -> str:
    """`text` in one line."""
    return " ".join(text.split())


def pattern(question: Question) -> re.Pattern[str]:
    """What the message of a question looks like with other numbers, shapes and types."""
    words = re.escape(plain(question.message).rstrip(".,"))
    words = re.sub(r"\\\[.*?\\\]", r"\\[.*?\\]", words)  # a shape
    words = re.sub(r"\d+th\b", r"\\d+(st|nd|rd|th)", words)
    words = re.sub(r"(?<!\\)\b\d+\b", r"\\d+", words)
    words = re.sub(r"(of\\ type\\ )\w+", r"\1\\S+", words)
    return re.compile(words)
