"""What stands on a slide, and how tall it will be.

A deck is written without a browser, so heights are computed from the sizes in `deck.css`, which
has the same numbers, and from the widths of Arial's letters. Everything on a slide is multiplied
by the slide's scale. `tests/browser/test_slides.py` compares with what Chromium makes of it.
"""

from __future__ import annotations

import base64
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from html import escape, unescape

INNER = 1168
"""Pixels between the margins."""
ROOM = 582
"""Pixels below the title and above the foot."""
SMALLEST = 18.0
"""Pixels of the smallest type: 2.5 % of the slide's height."""

BODY, TABLE, CODE = 28.0, 26.0, 24.0
"""Pixels of type at scale 1."""
LEAST_CODE = 18.05
"""Pixels of code with long lines."""
LINE = 1.35
CODE_LINE = 1.25
GAP = 14.0
MONO = 0.605
"""The advance of a letter of the widest of the usual fonts for code, in sizes."""

CELL = "\ue000"
"""Stands for a letter of code within prose."""
_SLIM = set(" .,:;'|!()[]/\\ijlt·f`I")
_WIDE = set("mwMW@%→—≠✓✗★☆…")


@cache
def letters(text: str) -> float:
    """The width of `text` in Arial, in sizes; a little more than it is."""
    slim = sum(letter in _SLIM for letter in text)
    wide = sum(letter in _WIDE for letter in text)
    upper = sum(letter.isupper() and letter not in _WIDE | _SLIM for letter in text)
    return 0.31 * slim + 0.9 * wide + 0.7 * upper + 0.56 * (len(text) - slim - wide - upper)


def plain_of(html: str) -> str:
    """The words of a piece of HTML."""
    return unescape(re.sub(r"<[^>]+>", "", html))


def measured(html: str) -> str:
    """The words of a piece of HTML, with the letters of code as wide as they are."""
    return plain_of(re.sub(r"<code>(.*?)</code>", _cells, html, flags=re.DOTALL))


def _cells(code: re.Match[str]) -> str:
    return re.sub(r"\S", CELL, plain_of(code[1]))


def lines_of(html: str, width: float, size: float) -> int:
    """How many lines a piece of HTML takes in Arial."""
    count = 0
    for part in re.split(r"<br\s*/?>", html):
        count, used = count + 1, 0.0
        for word in measured(part).split():
            length = letters(word) * size
            if used and used + 0.31 * size + length > width:
                count, used = count + 1, 0.0
            elif used:
                used += 0.31 * size
            count += int(length // width)
            used += length % width
    return count


def code_lines(text: str, width: float, size: float) -> int:
    """How many lines a line of code takes; long ones are wrapped, and spaces are kept."""
    columns = max(int(width / (MONO * size) + 0.001), 1)
    count, used = 1, 0
    for space, word in re.findall(r"(\s*)(\S+)", text):
        if used + len(space) + len(word) > columns and used + len(space):
            count, used = count + 1, 0
        else:
            used += len(space)
        count += (len(word) - 1) // columns
        used = used + len(word) if len(word) <= columns else len(word) % columns
    return count


@dataclass
class Flow:
    """Something that takes a height on a slide; `click`: it appears when the teacher goes on."""

    click: bool = field(default=False, kw_only=True)

    def height(self, width: float, scale: float) -> float:
        """Pixels, the gap below included."""
        raise NotImplementedError

    def html(self, width: float, scale: float) -> str:
        """What the slide holds."""
        raise NotImplementedError

    def split(self, width: float, scale: float, room: float) -> tuple[Flow, Flow] | None:
        """Two parts of which the first is no taller than `room`, if it can be parted so."""
        return None

    @property
    def plain(self) -> str:
        """The words."""
        return ""

    def attributes(self, *names: str) -> str:
        """The class of the element."""
        names = (*names, "fragment") if self.click else names
        return f' class="{" ".join(names)}"' if names else ""


@dataclass
class Text(Flow):
    """A paragraph."""

    inner: str
    size: float = BODY

    @property
    def plain(self) -> str:
        return plain_of(self.inner)

    def height(self, width: float, scale: float) -> float:
        size = self.size * scale
        return lines_of(self.inner, width, size) * size * LINE + GAP * scale

    def html(self, width: float, scale: float) -> str:
        return f"<p{self.attributes()}>{self.inner}</p>"


@dataclass
class Listing(Flow):
    """A list; each item is a sequence of flows."""

    items: list[list[Flow]]
    ordered: bool = False
    start: int = 1

    @property
    def plain(self) -> str:
        return "\n".join(part.plain for item in self.items for part in item)

    def height(self, width: float, scale: float) -> float:
        inner = width - 38 * scale
        heights = [self._height(item, inner, scale) for item in self.items]
        return sum(heights) + 4 * scale

    @staticmethod
    def _height(item: Sequence[Flow], width: float, scale: float) -> float:
        return sum(part.height(width, scale) for part in item) - 4 * scale

    def html(self, width: float, scale: float) -> str:
        inner = width - 38 * scale
        items = "".join(
            f"<li>{''.join(part.html(inner, scale) for part in item)}</li>" for item in self.items
        )
        start = f' start="{self.start}"' if self.ordered and self.start != 1 else ""
        tag = "ol" if self.ordered else "ul"
        return f"<{tag}{start}{self.attributes()}>{items}</{tag}>"

    def split(self, width: float, scale: float, room: float) -> tuple[Flow, Flow] | None:
        for count in range(len(self.items) - 1, 0, -1):
            first = replace(self, items=self.items[:count])
            if first.height(width, scale) <= room:
                rest = replace(self, items=self.items[count:], start=self.start + count)
                return first, rest
        return None


@dataclass
class Table(Flow):
    """A table: rows of cells, each of them HTML; the first row is the heading if `headed`."""

    rows: list[list[str]]
    headed: bool = True
    left_out: int = 0

    PADDING = 9.0
    SIDES = 20.0

    @property
    def plain(self) -> str:
        return "\n".join(plain_of(cell) for row in self.rows for cell in row)

    def columns(self, width: float, size: float) -> list[float]:
        """The widths of the columns, as browsers share them out."""
        cells = [
            [measured(line) for cell in column for line in re.split(r"<br\s*/?>", cell)]
            for column in zip(*self._even(), strict=True)
        ]
        wish = [max(letters(text) for text in column) * size * 1.03 for column in cells]
        least = [
            max(letters(word) for text in column for word in (text.split() or [""])) * size
            for column in cells
        ]
        room = width - self.SIDES * len(cells)
        if sum(wish) <= room:
            return wish
        spare = max(room - sum(least), 0)
        more = [wanted - needed for wanted, needed in zip(wish, least, strict=True)]
        total = sum(more) or 1.0
        return [needed + spare * extra / total for needed, extra in zip(least, more, strict=True)]

    def _even(self) -> list[list[str]]:
        most = max(map(len, self.rows))
        return [[*row, *[""] * (most - len(row))] for row in self.rows]

    def height(self, width: float, scale: float) -> float:
        size = TABLE * scale
        columns = self.columns(width, size)
        rows = [
            max(lines_of(cell, column + 1, size) for cell, column in zip(row, columns, strict=True))
            for row in self._even()
        ]
        more = size * LINE if self.left_out else 0
        padding = self.PADDING * scale * len(rows)
        return sum(rows) * size * LINE + padding + more + GAP * scale

    def html(self, width: float, scale: float) -> str:
        head, body = "", self.rows
        if self.headed:
            cells = "".join(f"<th>{cell}</th>" for cell in self.rows[0])
            head, body = f"<thead><tr>{cells}</tr></thead>", self.rows[1:]
        lines = ["".join(f"<td>{cell}</td>" for cell in row) for row in body]
        rows = "".join(f"<tr>{line}</tr>" for line in lines)
        if self.left_out:
            rows += f'<tr><td class="left-out" colspan="9">{more_lines(self.left_out)}</td></tr>'
        return f"<table{self.attributes()}>{head}<tbody>{rows}</tbody></table>"

    def split(self, width: float, scale: float, room: float) -> tuple[Flow, Flow] | None:
        fixed = 1 if self.headed else 0
        for count in range(len(self.rows) - 1, fixed, -1):
            first = replace(self, rows=self.rows[:count], left_out=0)
            if first.height(width, scale) <= room:
                return first, replace(self, rows=self.rows[:fixed] + self.rows[count:])
        return None


def more_lines(count: int) -> str:
    """What stands where lines were left out."""
    return f"… {count} more {'line' if count == 1 else 'lines'} in the notebook"


@dataclass
class Lines(Flow):
    """Lines of code, or of what a program printed; `look` is the class of the block."""

    lines: list[str]
    """Each of them HTML."""
    look: str = "code"
    left_out: int = 0

    @property
    def plain(self) -> str:
        return "\n".join(map(plain_of, self.lines))

    @property
    def longest(self) -> int:
        """Letters of the longest line."""
        return max((len(plain_of(line)) for line in self.lines), default=0)

    def fits(self, width: float) -> bool:
        """Whether no line need be wrapped."""
        return self.look == "message" or self.longest * MONO * LEAST_CODE <= width - 32

    def size(self, width: float, scale: float) -> float:
        """Pixels of the type: smaller than the scale says, if no line is wrapped then."""
        if self.look == "message" or not self.fits(width):
            return CODE * scale
        return max(min(CODE * scale, (width - 32) / (self.longest * MONO or 1)), LEAST_CODE)

    def height(self, width: float, scale: float) -> float:
        size = self.size(width, scale)
        rows = sum(code_lines(plain_of(line), width - 32, size) for line in self.lines)
        rows += 1 if self.left_out else 0
        return rows * size * CODE_LINE + 20 + GAP * scale

    def html(self, width: float, scale: float) -> str:
        lines = [*self.lines]
        if self.left_out:
            lines.append(f'<span class="left-out">{more_lines(self.left_out)}</span>')
        size = f' style="font-size: {self.size(width, scale):.2f}px"'
        return f"<pre{self.attributes(self.look)}{size}>" + "\n".join(lines) + "</pre>"

    def split(self, width: float, scale: float, room: float) -> tuple[Flow, Flow] | None:
        best, best_cost = 0, float("inf")
        whole = self.height(width, scale)
        for count in range(2, len(self.lines) - 1):
            first = replace(self, lines=self.lines[:count], left_out=0)
            tall = first.height(width, scale)
            if tall > room:
                break
            two = whole <= 1.8 * room  # two slides do: the halves are about equally long
            far = abs(count / len(self.lines) - 0.5) * 20 if two else (room - tall) / room * 20
            cost = far + self._cost_of_break(count)
            if cost < best_cost:
                best, best_cost = count, cost
        if not best:
            return None
        first, rest = self.lines[:best], self.lines[best:]
        while first and not plain_of(first[-1]).strip():
            first.pop()
        while rest and not plain_of(rest[0]).strip():
            rest.pop(0)
        if not first or not rest:
            return None
        return replace(self, lines=first, left_out=0), replace(self, lines=rest)

    def _cost_of_break(self, index: int) -> float:
        """How bad it is to break before line `index`: best at a blank line or a definition."""
        line, before = plain_of(self.lines[index]), plain_of(self.lines[index - 1])
        if sum(plain_of(each).count('"""') for each in self.lines[:index]) % 2:
            return 40.0  # within a docstring
        if before.lstrip().startswith("@") or before.rstrip().endswith((":", "(", "[", "{", ",")):
            return 12.0
        if not before.strip() and not line.startswith("        "):
            return 0.0
        indent = len(line) - len(line.lstrip())
        if not before.strip() or line.lstrip().startswith(("def ", "class ", "@")):
            return 1.0
        return 2.0 if not indent else 8.0 + indent / 2

    def cut(self, width: float, scale: float, room: float) -> Lines:
        """As many lines as `room` holds, and a word on the others."""
        for count in range(len(self.lines), 0, -1):
            left_out = len(self.lines) - count + self.left_out
            shorter = replace(self, lines=self.lines[:count], left_out=left_out)
            if shorter.height(width, scale) <= room:
                return shorter
        return replace(self, lines=self.lines[:1], left_out=len(self.lines) - 1)


@dataclass
class Card(Flow):
    """A box with a coloured border around other things."""

    colour: str
    parts: list[Flow]
    look: str = ""

    @property
    def plain(self) -> str:
        return "\n".join(part.plain for part in self.parts)

    def height(self, width: float, scale: float) -> float:
        inner = sum(part.height(width - 46, scale) for part in self.parts)
        return inner + 20 + GAP * scale

    def html(self, width: float, scale: float) -> str:
        inner = "".join(part.html(width - 46, scale) for part in self.parts)
        look = self.attributes("card", *filter(None, [self.look]))
        return f'<div{look} style="--card: {self.colour}">{inner}</div>'

    def split(self, width: float, scale: float, room: float) -> tuple[Flow, Flow] | None:
        room -= 20 + GAP * scale
        for count in range(len(self.parts) - 1, -1, -1):
            used = sum(part.height(width - 46, scale) for part in self.parts[:count])
            if used > room:
                continue
            parted = self.parts[count].split(width - 46, scale, room - used)
            if parted:
                first, rest = (
                    [*self.parts[:count], parted[0]],
                    [parted[1], *self.parts[count + 1 :]],
                )
            elif count:
                first, rest = self.parts[:count], self.parts[count:]
            else:
                return None
            return replace(self, parts=first), replace(self, parts=rest)
        return None


@dataclass
class Picture(Flow):
    """A drawing or a plot: a data URI, its own size in pixels and that of the type in it."""

    source: str
    alt: str
    width: float
    tall: float
    type_size: float
    window: tuple[float, float, float, float] = (0.0, 0.0, 1.0, 1.0)
    """The part that is shown: left, top, width and height, in parts of the whole."""

    LARGEST = 2.6
    """Pictures are not enlarged more than so: plots are made of pixels."""

    @classmethod
    def of_svg(cls, coded: str, alt: str) -> Picture:
        """The drawing in base64."""
        text = base64.b64decode(coded).decode()
        tag = text[: text.index(">") + 1] if text.startswith("<svg") else text[:2000]
        size = re.search(r'\bwidth="([\d.]+)(?:pt)?"\s+height="([\d.]+)(?:pt)?"', tag)
        assert size, "a drawing without a size"
        sizes = [float(found) for found in re.findall(r'font-size="([\d.]+)', text)]
        points = 4 / 3
        return cls(
            f"data:image/svg+xml;base64,{coded}",
            alt,
            float(size[1]) * points,
            float(size[2]) * points,
            min(sizes, default=14.0) * points,
        )

    @classmethod
    def of_png(cls, coded: str, alt: str) -> Picture:
        """The plot in base64; matplotlib writes 10 points at 100 dots an inch, unless told else."""
        coded = coded.replace("\n", "")
        width, height = struct.unpack(">II", base64.b64decode(coded[:64])[16:24])
        return cls(f"data:image/png;base64,{coded}", alt, width, height, 10 / 72 * 100)

    @property
    def shape(self) -> tuple[float, float]:
        """Width and height of the part that is shown."""
        return self.width * self.window[2], self.tall * self.window[3]

    def scale_in(self, width: float, height: float) -> float:
        """How many times its own size it has in a room."""
        own_width, own_height = self.shape
        return min(width / own_width, height / own_height, self.LARGEST)

    def type_in(self, width: float, height: float) -> float:
        """Pixels of the type in the picture, in a room."""
        return self.scale_in(width, height) * self.type_size

    def sized(self, width: float, height: float) -> str:
        """HTML of the picture as large as the room allows."""
        scale = self.scale_in(width, height)
        own_width, own_height = self.shape
        left, top, _, _ = self.window
        whole = f'width="{self.width * scale:.0f}" height="{self.tall * scale:.0f}"'
        image = f'<img alt="{escape(self.alt)}" src="{self.source}" {whole}'
        if self.window == (0.0, 0.0, 1.0, 1.0):
            return f"<div{self.attributes('picture')}>{image}></div>"
        aside, up = left * self.width * scale, top * self.tall * scale
        move = f"margin-left:-{aside:.0f}px;margin-top:-{up:.0f}px"
        frame = f"width:{own_width * scale:.0f}px;height:{own_height * scale:.0f}px"
        return (
            f'<div{self.attributes("picture")}><div class="close-up" style="{frame}">'
            f'{image} style="{move}"></div></div>'
        )

    def close_ups(self, width: float, height: float, type_size: float) -> list[Picture]:
        """Parts that overlap somewhat, in which the type is as large as `type_size`."""
        scale = type_size / self.type_size
        across = self._windows(self.width * scale, width)
        down = self._windows(self.tall * scale, height)
        return [
            replace(self, window=(left, top, wide, high), click=False)
            for top, high in down
            for left, wide in across
        ]

    @staticmethod
    def _windows(length: float, room: float) -> list[tuple[float, float]]:
        if length <= room:
            return [(0.0, 1.0)]
        part = room / length
        count = int(-(-(1 - 0.12 * part) // (part * 0.88)))
        step = (1 - part) / (count - 1)
        return [(index * step, part) for index in range(count)]

    @property
    def plain(self) -> str:
        return ""
