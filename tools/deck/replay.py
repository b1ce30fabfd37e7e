"""The frames of a replay, read from the player that a notebook stores."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass, field
from html import escape, unescape

from tools.deck.flow import BODY, GAP, LINE, Flow, lines_of

GRAPH = re.compile(
    r'<svg [^>]*font-family="([^"]*)" font-size="([^"]*)".*?'
    r'(<g transform="translate[^>]*><g [^>]*>)<g data-part=',
    re.DOTALL,
)
"""Of a still: the font, its size, and where the graph begins."""


@dataclass
class Frame:
    """A step: its title, what is said about it, and the graph as SVG."""

    title: str
    lines: list[str]
    svg: str


@dataclass
class Replay(Flow):
    """A backward pass step by step. A click shows the next frame in the place of the one before."""

    frames: list[Frame] = field(default_factory=list)
    width: float = 0.0
    tall: float = 0.0
    type_size: float = 14 * 4 / 3

    @classmethod
    def of_player(cls, html: str) -> Replay:
        """Read what `minigrad.viz.replays.page.player` has written."""
        coded = re.search(r"data:image/svg\+xml;base64,([\w+/=]+)", html)
        assert coded, "a replay without its first picture"
        svg = base64.b64decode(coded[1]).decode()
        found = re.search(r"<metadata>(.*?)</metadata>", svg, re.DOTALL)
        assert found, "a replay without the data of its frames"
        data = json.loads(unescape(found[1]))
        head = GRAPH.search(svg)
        assert head, "a replay without a graph"
        view = " ".join(f"{number:g}" for number in data["view"])
        opening = f'<svg viewBox="{view}" font-family="{head[1]}" font-size="{head[2]}" role="img"'
        looks: dict[str, str] = {}
        frames = []
        for frame in data["frames"]:
            looks.update(frame["parts"])  # the first frame has all parts, in their order
            said = escape(". ".join([frame["title"], *frame["text"]]))
            drawn = "".join(f"<g>{look}</g>" for look in looks.values())
            graph = f'{opening} aria-label="{said}">{head[3]}{drawn}</g></g></svg>'
            frames.append(Frame(frame["title"], list(filter(None, frame["text"])), graph))
        _, _, width, height = data["view"]
        return cls(frames, width * 4 / 3, height * 4 / 3)

    @property
    def plain(self) -> str:
        return "\n".join("\n".join([frame.title, *frame.lines]) for frame in self.frames)

    def text_height(self, width: float, scale: float) -> float:
        """Pixels of the tallest text beside the graph."""
        size = BODY * scale
        return max(
            sum(
                lines_of(line, width, size) * size * LINE + GAP * scale
                for line in [frame.title * 2, *frame.lines]
            )
            for frame in self.frames
        )

    def height(self, width: float, scale: float) -> float:
        return float("inf")  # a slide of its own

    def html(self, width: float, scale: float) -> str:
        raise TypeError("the frames of a replay stand in two columns")

    def texts(self) -> str:
        """The column of words."""
        return self._stacked(
            f"<h3>{escape(frame.title)}</h3>"
            + "".join(f"<p>{escape(line)}</p>" for line in frame.lines)
            for frame in self.frames
        )

    def graphs(self, width: float, height: float) -> str:
        """The column of graphs."""
        scale = self.scale_in(width, height)
        size = f'width="{self.width * scale:.0f}" height="{self.tall * scale:.0f}"'
        return self._stacked(
            frame.svg.replace("<svg ", f"<svg {size} ", 1) for frame in self.frames
        )

    def scale_in(self, width: float, height: float) -> float:
        """How many times its own size the graph has in a room."""
        return min(width / self.width, height / self.tall, 2.6)

    @staticmethod
    def _stacked(contents: object) -> str:
        frames = []
        for index, content in enumerate(contents):  # type: ignore[call-overload]
            step = f' class="frame fragment" data-fragment-index="{index - 1}"'
            frames.append(f"<div{step if index else ' class=frame'}>{content}</div>")
        return f'<div class="frames">{"".join(frames)}</div>'
