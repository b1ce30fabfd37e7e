"""From scenes to pictures with one layout, and to a player for notebooks.

Graphviz places boxes and arrows once, and the text of each scene is filled in here. So the player's
JavaScript only has to swap the parts that change.
"""

import json
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from minigrad.viz.palette import (
    ACTING,
    BLUE,
    CONSTANT,
    DONE,
    FRAME,
    GOLD,
    GRADIENT,
    GREY,
    GROUND,
    INK,
    LEAF,
    OPERATION,
    ORANGE,
    PALE,
    RED,
    WRONG,
    style_sheet,
)
from minigrad.viz.picture import Box, Row
from minigrad.viz.render import (
    FONT,
    HALO,
    ROW_SIZE,
    ROW_STYLES,
    SVG,
    Direction,
    box_width,
    image_of,
    padded,
    svg_of,
)
from minigrad.viz.replays.story import BoxView, EdgeView, Scene

LINE, PADDING = 17.0, 6.0  # points
HEADING = 700.0
"""The least width of the text above the graph, in points."""
MOST_WRONG = 2
"""How many steps that go wrong are among the pictures without scripts."""
WIDEST = 40
"""Characters in the longest line in the graph; the text beside it shows lines in full."""

# A state has its own frame and ground and is named in the box, so nothing depends on color alone.
BOX_LOOKS = {
    "waits": {"fill": GROUND, "stroke": GREY, "stroke-dasharray": "5 3"},
    "ready": {"fill": OPERATION, "stroke": GOLD, "stroke-width": "2.5"},
    "fires": {"fill": ACTING, "stroke": ORANGE, "stroke-width": "4.5"},
    "done": {"fill": DONE, "stroke": PALE},
    "passed over": {"fill": GROUND, "stroke": PALE, "stroke-dasharray": "1 4"},
    "raises": {"fill": WRONG, "stroke": RED, "stroke-width": "4.5"},
    "wrong": {"fill": WRONG, "stroke": RED, "stroke-width": "4.5", "stroke-dasharray": "9 3"},
    "leaf": {"fill": LEAF, "stroke": BLUE, "stroke-width": "2.2"},
    "tensor": {"fill": GROUND, "stroke": FRAME},
    "constant": {"fill": CONSTANT, "stroke": PALE, "stroke-dasharray": "5 3"},
    "operation": {"fill": OPERATION, "stroke": GOLD},
}
SQUARE = ("leaf", "tensor", "constant")
"""Tensors, which have no rounded corners, as in drawings."""
ARROW_LOOKS = {
    "later": {"stroke": PALE, "stroke-dasharray": "5 3"},
    "now": {"stroke": ORANGE, "stroke-width": "3.5", "font-weight": "bold", "color": GRADIENT},
    "before": {"stroke": ORANGE, "stroke-width": "1.2", "color": GRADIENT},
    "late": {"stroke": RED, "stroke-width": "3", "stroke-dasharray": "2 3"},
    "new": {"stroke": INK, "stroke-width": "3"},
    "data": {"stroke": INK, "stroke-width": "1.2"},
    "weak": {"stroke": GREY, "stroke-width": "1.2", "stroke-dasharray": "5 3"},
}

Place = tuple[float, float, float, float]
"""Left, top, width and height of a box, in points."""
Arrow = tuple[str, str, float, float]
"""The path of an arrow's line, the corners of its head, and the place of its label."""


@dataclass(frozen=True)
class Layout:
    """Where boxes and arrows are in a drawing of `width` × `height` points."""

    width: float
    height: float
    transform: str
    boxes: tuple[Place, ...] = ()
    arrows: tuple[Arrow, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    """For each arrow the boxes that it links, in the direction of the gradients."""


def arrange(
    scenes: list[Scene],
    links: Sequence[tuple[int, int]],
    direction: Direction = "TB",
    back: bool = True,
) -> Layout:
    """Let Graphviz place the boxes, each large enough for its text in every scene.

    Data flows down as in other drawings, or to the right for a `direction` of "LR", so gradients
    flow the other way; links that do not go `back` lead down themselves. RuntimeError if there is
    nothing to draw with.
    """
    import graphviz  # on first use: importing minigrad must not need it

    graph = graphviz.Digraph(
        graph_attr={"rankdir": direction, "nodesep": "0.2", "ranksep": "0.25"},
        node_attr={"shape": "box", "fixedsize": "true", "label": ""},
        edge_attr={
            "fontname": FONT,
            "fontsize": f"{ROW_SIZE:g}",
            "dir": "back" if back else "forward",
        },
    )
    for index, views in enumerate(zip(*(scene.boxes for scene in scenes), strict=True)):
        rows = [Row(row.kind, _clipped(row.text)) for view in views for row in view.rows]
        width = box_width(Box("", "operation", "", tuple(rows)))
        height = (len(views[0].rows) * LINE + 2 * PADDING) / 72
        graph.node(f"b{index}", id=f"b{index}", width=f"{width:.2f}", height=f"{height:.2f}")
    for number, (source, target) in enumerate(links):
        longest = max((scene.edges[number].label for scene in scenes), key=len)
        label = padded([f" {_clipped(line)} " for line in longest.split("\n")])  # bold as it passes
        ends = (f"b{target}", f"b{source}") if back else (f"b{source}", f"b{target}")
        graph.edge(*ends, id=f"e{number}", label=label)
    root = ET.fromstring(svg_of(graph.source))
    found = {group.get("id", ""): group for group in root.iter(f"{{{SVG}}}g")}
    _, _, full_width, full_height = map(float, root.attrib["viewBox"].split())
    return Layout(
        full_width,
        full_height,
        root[0].attrib["transform"],
        tuple(_place(found[f"b{index}"]) for index in range(len(scenes[0].boxes))),
        tuple(_arrow(found[f"e{number}"]) for number in range(len(links))),
        tuple(links),
    )


def _place(group: ET.Element) -> Place:
    corners = [corner.split(",") for corner in _attributes(group, "polygon")["points"].split()]
    left, top = (min(float(corner[axis]) for corner in corners) for axis in (0, 1))
    right, bottom = (max(float(corner[axis]) for corner in corners) for axis in (0, 1))
    return left, top, right - left, bottom - top


def _arrow(group: ET.Element) -> Arrow:
    label = _attributes(group, "text")  # there is none if it is empty
    line, head = _attributes(group, "path")["d"], _attributes(group, "polygon")["points"]
    return line, head, float(label.get("x", 0)), float(label.get("y", 0))


def _attributes(group: ET.Element, tag: str) -> dict[str, str]:
    found = group.find(f"{{{SVG}}}{tag}")
    return {} if found is None else found.attrib


class Stills:
    """The pictures of all scenes, in one layout.

    `what` is what a screen reader calls the player, and `code` the lines of the program that runs
    beside it. With `only_last`, just the last picture is shown if scripts do not run.
    """

    def __init__(
        self,
        scenes: list[Scene],
        layout: Layout,
        what: str = "Replay of backward",
        code: Sequence[str] = (),
        only_last: bool = False,
    ) -> None:
        self.scenes, self.layout = scenes, layout
        self.what, self.code, self.only_last = what, code, only_last
        self.width = max(layout.width, HEADING)
        self.left = (self.width - layout.width) / 2
        rows = max(len(self._heading_lines(scene)) for scene in scenes)
        self.top = 46 + LINE * 1.2 * rows
        """The space above the graph in points, the same in every scene."""

    def svg(self, number: int, extra: str = "") -> str:
        """Return one scene as SVG, with its twin as description and with `extra` elements."""
        scene, parts = self.scenes[number], self.parts(number)
        width, height = f"{self.width:.0f}", f"{self.top + self.layout.height:.0f}"
        ground = _tag("rect", width="100%", height="100%", rx=10, fill=GROUND)
        groups = "".join(_tag("g", part, data_part=key) for key, part in parts.items())
        graph = _tag("g", groups, transform=self.layout.transform, text_anchor="middle")
        graph = _tag("g", graph, transform=f"translate({self.left:g} {self.top:g})")
        return _tag(
            "svg",
            _tag("desc", escape(scene.twin())) + _tag("style", escape(style_sheet(), quote=False))
            + extra + ground + self._heading(scene) + graph,
            xmlns=SVG, role="img", class_="minigrad", width=f"{width}pt", height=f"{height}pt",
            viewBox=f"0 0 {width} {height}", font_family=FONT, font_size=ROW_SIZE,
        )  # fmt: skip

    def image(self, number: int, extra: str = "") -> str:
        """Return one scene as an `<img>`."""
        return image_of(self.svg(number, extra), self.scenes[number].twin().replace("\n", "; "))

    def parts(self, number: int) -> dict[str, str]:
        """Return the SVG of each arrow and box of a scene; boxes cover the ends of arrows."""
        scene = self.scenes[number]
        arrows = zip(self.layout.arrows, scene.edges, strict=True)
        boxes = zip(self.layout.boxes, scene.boxes, strict=True)
        return {
            **{f"e{index}": _arrow_svg(*each) for index, each in enumerate(arrows)},
            **{f"b{index}": _box_svg(*each) for index, each in enumerate(boxes)},
        }

    def player_data(self) -> str:
        """Return the player's data as an SVG element: for each scene, what changes."""
        frames = []
        shown: dict[str, str] = {}
        for number, scene in enumerate(self.scenes):
            parts = self.parts(number)
            changed = {key: part for key, part in parts.items() if shown.get(key) != part}
            frames.append(
                {
                    "title": scene.title, "text": scene.lines, "queue": scene.queue,
                    "parts": changed, "at": scene.at, "line": scene.line,
                }
            )  # fmt: skip
            shown = parts
        view = [self.left, self.top, self.layout.width, self.layout.height]
        shown_once = {"view": view, "what": self.what, "code": self.code}
        data = json.dumps({**shown_once, "frames": frames}, ensure_ascii=False)
        return _tag("metadata", escape(data))

    def _heading_lines(self, scene: Scene) -> list[tuple[str, str]]:
        """Return the lines above the graph, each with its font weight."""
        width = int(self.width / (ROW_SIZE * 0.56))
        texts = [*((line, "normal") for line in scene.lines), *((q, "bold") for q in scene.queue)]
        return [
            (line, weight)
            for text, weight in texts
            for line in textwrap.wrap(text, width, subsequent_indent="    ")
        ]

    def _heading(self, scene: Scene) -> str:
        lines = [_text(16, 28, scene.title, fill=INK, font_size=17, font_weight="bold")]
        for row, (line, weight) in enumerate(self._heading_lines(scene)):
            look = {"fill": INK, "font_size": 13.5, "font_weight": weight}
            lines.append(_text(16, 50 + LINE * 1.2 * row, line, **look))
        return "".join(lines)


def _box_svg(place: Place, view: BoxView) -> str:
    if view.state == "absent":
        return ""
    left, top, width, height = place
    look = BOX_LOOKS[view.state]
    if view.fresh:
        look = look | {"stroke": ORANGE, "stroke-width": "4.5"}
    round_by = 0 if view.state in SQUARE else 7
    drawn = [_tag("rect", x=left, y=top, width=width, height=height, rx=round_by, **look)]
    for number, row in enumerate(view.rows):
        y = top + PADDING + LINE * (number + 0.75)
        drawn.append(_text(left + width / 2, y, _clipped(row.text), **ROW_STYLES[row.kind]))
    return "".join(drawn)


def _arrow_svg(arrow: Arrow, view: EdgeView) -> str:
    if view.passing == "absent":
        return ""
    line, head, x, y = arrow
    look = ARROW_LOOKS[view.passing]
    color, weight = look["stroke"], look.get("font-weight", "normal")
    style = {key: each for key, each in look.items() if key.startswith("stroke")}
    drawn = _tag("path", d=line, fill="none", **style) + _tag("polygon", points=head, fill=color)
    ink = {"fill": look.get("color", color), "font_weight": weight}
    for number, text in enumerate(view.label.split("\n")):
        drawn += _text(x, y + LINE * number, _clipped(text), **ink, **HALO)
    return drawn


def _clipped(text: str) -> str:
    return text if len(text) <= WIDEST else f"{text[: WIDEST - 1]}…"


def _text(x: float, y: float, text: str, **style: Any) -> str:
    return _tag("text", escape(text), x=x, y=y, **style) if text else ""


def _tag(element: str, inside: str = "", **attributes: Any) -> str:
    """Write an SVG element; `_` in the name of an attribute becomes `-`, except at the end."""
    texts = {key.rstrip("_").replace("_", "-"): value for key, value in attributes.items()}
    written = "".join(
        f' {key}="{f"{value:g}" if isinstance(value, float) else value}"'
        for key, value in texts.items()
    )
    return f"<{element}{written}>{inside}</{element}>" if inside else f"<{element}{written}/>"


def player(stills: Stills) -> str:
    """Return the player as HTML that needs nothing else.

    If scripts do not run, and in print, it consists of the first scene that shows anything, of the
    first scenes in which something goes wrong, and of the last, or only of the last. The first
    picture carries the data of the script, so the HTML around it is the same on every machine,
    whatever its fonts and its version of Graphviz.
    """
    last = len(stills.scenes) - 1
    which, those, numbers = "last", "", [last]
    if not stills.only_last:
        shown = (any(box.state != "absent" for box in scene.boxes) for scene in stills.scenes)
        begin = next((number for number, anything in enumerate(shown) if anything), 0)
        goes_wrong = [any(line.startswith("✗") for line in each.lines) for each in stills.scenes]
        wrong = [number for number in range(begin + 1, last) if goes_wrong[number]][:MOST_WRONG]
        which, numbers = "first and the last", [begin, *wrong, last]
        those = ", and the first that go wrong" if wrong else ""
    script = Path(__file__).with_name("player.js").read_text(encoding="utf-8").strip()
    first, *others = numbers
    images = [stills.image(first, stills.player_data()), *map(stills.image, others)]
    return (
        '<div class="minigrad-replay"><div class="minigrad-stills">'
        f"<p>The {which} of {last + 1} steps{those}; in a trusted notebook they play.</p>"
        f"{''.join(f'<p>{image}</p>' for image in images)}</div>"
        f"<script>{script}</script></div>"
    )
