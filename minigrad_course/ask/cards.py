"""Boxes that a notebook shows: HTML for readers, and the same as text for consoles and nbval.

In a notebook that it does not trust, JupyterLab strips scripts, style sheets, inline SVG and CSS
variables, but keeps `<details>` and simple inline styles. GitHub strips the styles too. So a card
says in words whatever its color says, inherits the color of its text, and tints the background
only slightly, because the text has to be readable in light and in dark themes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from IPython.display import display

# RGB colors of the left border and, much lighter, of the background.
ASK = (76, 120, 168)
RIGHT = (27, 140, 90)
WRONG = (209, 73, 91)
OPEN = (190, 130, 30)

LEFT = '<td style="text-align: left">'  # because JupyterLab's default is to the right

# `Code`, or *text* that may have `code` in it.
MARKED = re.compile(r"`([^`]+)`|(?<!\w)\*(?=\S)((?:`[^`]*`|[^*`])+)(?<=\S)\*(?!\w)")


@dataclass(frozen=True, repr=False)
class Card:
    """Something to show; `html` and `text` have the same content."""

    html: str
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def show(card: Card) -> None:
    """Show the card below the cell, even if this is not the last line; print it in a console."""
    display(card)  # type: ignore[no-untyped-call]


def box(colour: tuple[int, int, int], *parts: str) -> str:
    """HTML of a block with a colored left border around `parts`, which are HTML."""
    rgb = ", ".join(map(str, colour))
    style = (
        f"border-left: 4px solid rgb({rgb}); background-color: rgba({rgb}, 0.08); "
        "padding: 8px 14px; margin: 4px 0; max-width: 52em"
    )
    return f'<div style="{style}">{"".join(parts)}</div>'


def paragraphs(text: str) -> str:
    """HTML of plain text, with `backticks` for code and blank lines between paragraphs."""
    parts = re.split(r"\n\s*\n", text.strip())
    return "".join(f'<p style="margin: 4px 0">{inline(part)}</p>' for part in parts if part)


def inline(text: str) -> str:
    """HTML of plain text within a line, with `backticks` for code and *stars* for emphasis."""
    return _tagged(escape(text.strip(), quote=False))


def _tagged(html: str) -> str:
    def tag(piece: re.Match[str]) -> str:
        code, text = piece.groups()
        return f"<code>{code}</code>" if code else f"<em>{_tagged(text)}</em>"

    return MARKED.sub(tag, html)


def preformatted(text: str) -> str:
    """HTML of code or of an error message, with its line breaks."""
    return (
        '<pre style="white-space: pre-wrap; word-break: normal; overflow-wrap: break-word; '
        "background-color: transparent; margin: 4px 0; "
        f'padding: 0">{escape(text, quote=False)}</pre>'
    )


def html_table(rows: Iterable[Sequence[object]], others: str = "") -> str:
    """HTML of a table; its first column is on the left, and `others` styles the other ones."""
    lines = (f"<td{others}>".join(f"{cell}</td>" for cell in row) for row in rows)
    return f"<table>{''.join(f'<tr>{LEFT}{line}</tr>' for line in lines)}</table>"


def reveal(summary: str, body: str) -> str:
    """HTML that shows `summary` (plain text), which the reader can open to see `body` (HTML)."""
    return (
        '<details style="margin: 4px 0"><summary style="cursor: pointer">'
        f"{inline(summary)}</summary>"
        f'<div style="margin: 2px 0 6px 18px">{body}</div></details>'
    )
