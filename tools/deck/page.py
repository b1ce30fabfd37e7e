"""The HTML of a deck: slides, notes with the time, contents."""

from __future__ import annotations

from html import escape
from pathlib import Path

from pygments.formatters import HtmlFormatter

from tools import notebooks
from tools.deck.cells import Chapter, chapter
from tools.deck.flow import INNER, Flow, Lines, Picture, letters, plain_of
from tools.deck.packing import BETWEEN, Slide, slides
from tools.deck.replay import Replay

STYLE = "xcode"
"""Of pygments' styles the one with the most contrast on a light ground: at least 4.6 to 1."""


def code_style() -> str:
    """The colours of code."""
    rules = HtmlFormatter(style=STYLE).get_style_defs(".reveal pre").split("\n")
    kept = [rule for rule in rules if rule.startswith(".reveal pre .") and "linenos" not in rule]
    return "\n".join(kept) + "\n"


def read(file: Path) -> tuple[Chapter, list[Slide]]:
    """The chapter in `file` and its slides, with their seconds."""
    found = chapter(notebooks.read(file), file.name)
    made = slides(found.beats)
    share_time(made, found)
    return found, made


# --- time -----------------------------------------------------------------------------------------


def effort(slide: Slide) -> float:
    """How long a slide is talked about, in a unit of its own: about seconds of a quick talk."""
    notes = sum(len(plain_of(note).split()) for note in slide.notes)
    lines = sum(len(flow.lines) for flow in slide.flows if isinstance(flow, Lines))
    pictures = sum(isinstance(flow, Picture) for flow in slide.flows)
    steps = sum(len(flow.frames) for flow in slide.flows if isinstance(flow, Replay))
    asked = 30 if slide.kind == "question" else 0
    return 10 + 0.4 * slide.words() + 0.2 * notes + 2.5 * lines + 20 * pictures + 12 * steps + asked


def share_time(made: list[Slide], found: Chapter) -> None:
    """Share the minutes that the chapter claims among its slides, to the second."""
    tasks = [slide for slide in made if slide.kind == "exercise"]
    others = [slide for slide in made if slide.kind != "exercise"]
    _share(others, [effort(slide) for slide in others], found.reading * 60)
    _share(tasks, [slide.minutes or 1.0 for slide in tasks], found.exercises * 60)


def _share(made: list[Slide], weights: list[float], seconds: int) -> None:
    given, wanted = 0, 0.0
    for slide, weight in zip(made, weights, strict=True):
        wanted += seconds * weight / sum(weights)
        slide.seconds = round(wanted) - given
        given += slide.seconds


def clock(seconds: int) -> str:
    """Minutes and seconds."""
    return f"{seconds // 60}:{seconds % 60:02}"


# --- slides ---------------------------------------------------------------------------------------


def deck(file: Path) -> str:
    """The deck of the notebook in `file`."""
    found, made = read(file)
    total = (found.reading + found.exercises) * 60
    name = found.title
    stacks: list[list[str]] = []
    passed = 0
    count = len(made) + 1
    first = (
        '<section class="opening" style="--s: 1; --width: 1168px" data-timing="0">'
        f"<h1>{escape(name)}</h1><div class=column>{found.opening}</div>{foot(name, 1, count)}"
        f'<aside class="notes"><p>{found.reading} minutes, and {found.exercises} for the '
        "exercises. Keys: space goes on, S opens these notes, O shows all slides, "
        "B darkens the screen.</p></aside></section>"
    )
    for number, slide in enumerate(made, start=2):
        if slide.stack or not stacks:
            stacks.append([])
            spent = section_seconds(made, number - 2)
        note = time_note(slide, passed, total, spent)
        stacks[-1].append(section(slide, name, number, count, note))
        passed += slide.seconds
    body = "\n".join("\n".join(["<section>", *stack, "</section>"]) for stack in stacks)
    return document(name, f"{first}\n{body}", total)


def section_seconds(made: list[Slide], start: int) -> int:
    """Seconds of the section that begins with slide `start`."""
    seconds = made[start].seconds
    for slide in made[start + 1 :]:
        if slide.stack:
            break
        seconds += slide.seconds
    return seconds


def time_note(slide: Slide, passed: int, total: int, section: int) -> str:
    """How long, and where in the chapter."""
    cells = ", ".join(f"[{cell}]" for cell in slide.cells)
    where = f" · notebook {cells}" if cells else ""
    return (
        f"<p><small>{clock(slide.seconds)} for this slide · section {clock(section)} · "
        f"{clock(passed)} of {clock(total)} have passed{where}</small></p>"
    )


def section(slide: Slide, name: str, number: int, count: int, time: str) -> str:
    """The HTML of a slide."""
    long = letters(plain_of(slide.title)) * 36 > slide.width
    title = f"<h2{' class=long' if long and not slide.beside else ''}>{slide.title}</h2>"
    columns = [column(slide, slide.left, "column")]
    if slide.right:
        columns.append(column(slide, slide.right, "column right"))
    anchor = f' id="{escape(slide.anchor)}"' if slide.anchor else ""
    look = ' class="beside"' if slide.beside else ""
    return (
        f'<section{anchor}{look} style="--s: {slide.scale:g}; --width: {slide.width:.0f}px" '
        f'data-timing="{slide.seconds}">{title}{"".join(columns)}{foot(name, number, count)}'
        f'<aside class="notes">{time}{"".join(slide.notes)}</aside></section>'
    )


def column(slide: Slide, flows: list[Flow], look: str) -> str:
    """A column; a picture has the room that the rule has found for it."""
    width = slide.width if look == "column" else INNER - BETWEEN - slide.width
    parts = []
    for flow in flows:
        if isinstance(flow, Picture):
            parts.append(flow.sized(*slide.box))
        elif isinstance(flow, Replay):
            parts.append(flow.graphs(*slide.box))
        else:
            parts.append(flow.html(width, slide.scale))
    if look == "column" and (player := [flow for flow in slide.right if isinstance(flow, Replay)]):
        parts.append(player[0].texts())
    return f'<div class="{look}">{"".join(parts)}</div>'


def foot(name: str, number: int, count: int) -> str:
    """The way back to the contents, and the number of the slide."""
    return f'<footer><a href="index.html">Contents</a> · {escape(name)} · {number}/{count}</footer>'


def document(title: str, body: str, seconds: int) -> str:
    """A whole page."""
    return f"""<!DOCTYPE html>
<html lang="en" data-seconds="{seconds}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<link rel="stylesheet" href="reveal/reveal.css">
<link rel="stylesheet" href="reveal/deck.css">
<link rel="stylesheet" href="reveal/code.css">
</head>
<body>
<div class="reveal"><div class="slides">
{body}
</div></div>
<script src="reveal/reveal.js"></script>
<script src="reveal/notes.js"></script>
<script src="reveal/deck.js"></script>
</body>
</html>
"""


def contents(files: list[Path], folder: Path) -> str:
    """The deck that leads to the others; chapters without a deck are named only."""
    rows = []
    for file in files:
        found = chapter(notebooks.read(file), file.name)
        name = escape(found.title)
        if (folder / f"{file.stem}.html").exists():
            name = f'<a href="{file.stem}.html">{name}</a>'
        rows.append(f"<li>{name}<span>{found.reading} + {found.exercises} min</span></li>")
    body = (
        '<section class="contents" style="--s: 1; --width: 1168px"><h2>minigrad: the slides</h2>'
        f"<div class=column><ol>{''.join(rows)}</ol></div>"
        "<footer>minutes to present + minutes for the exercises</footer></section>"
    )
    return document("minigrad: the slides", body, 0)
