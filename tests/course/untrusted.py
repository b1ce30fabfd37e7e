"""What JupyterLab leaves of the course's HTML in a notebook that it does not trust."""

from __future__ import annotations

import re
from html.parser import HTMLParser

# What JupyterLab 4.6's sanitizer leaves in the output of a notebook that it does not trust: these
# tags among others, and the declarations of a style attribute that its patterns for CSS know.
SAFE_TAGS = {"div", "p", "b", "i", "code", "pre", "details", "summary"}
SAFE_TAGS |= {"table", "tbody", "tr", "td"}
SAFE_STYLES = {
    "background-color": r"rgba\(\d+, \d+, \d+, 0\.\d+\)|transparent",
    "border-left": r"\d+px solid rgb\(\d+, \d+, \d+\)",
    "cursor": r"pointer",
    "margin": r"(\d+(px)? ?){1,4}",
    "max-width": r"\d+em",
    "padding": r"(\d+(px)? ?){1,4}",
    "white-space": r"pre-wrap",
    "word-break": r"normal",
    "overflow-wrap": r"break-word",
    "text-align": r"left",
    "vertical-align": r"top",
}


class Outline(HTMLParser):
    """The tags of a piece of HTML, and the text that is visible while each <details> is closed."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.closed_text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "details" not in self.open or "summary" in self.open:
            self.closed_text += data


def require_safe(html: str) -> Outline:
    """The outline of `html`, which the sanitizer has to leave unchanged."""
    outline = Outline(html)
    assert outline.open == []
    for tag, attributes in outline.seen:
        assert tag in SAFE_TAGS
        assert set(attributes) <= {"style"}
        for declaration in filter(None, (attributes.get("style") or "").split(";")):
            name, value = declaration.strip().split(": ")
            assert re.fullmatch(SAFE_STYLES[name], value), declaration
    return outline
