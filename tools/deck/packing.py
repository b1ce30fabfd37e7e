"""From beats to slides: the rule.

One beat, one slide, if it fits: stacked, or in two columns with what the code shows at the right.
The largest type is taken for which it does. If none does, prose is cut to what leads (all of it is
in the notes), then what the code shows gets a slide of its own, then code goes on overleaf. Printed
lines are cut at the end of a slide. A picture shares a slide if it is hardly smaller there than
alone; where type in it stays too small even so, close-ups follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from tools.deck.cells import Beat, all_flows
from tools.deck.flow import (
    CODE,
    CODE_LINE,
    INNER,
    MONO,
    ROOM,
    SMALLEST,
    Card,
    Flow,
    Lines,
    Picture,
    Table,
    Text,
    plain_of,
)
from tools.deck.replay import Replay

SCALES = (1.25, 1.2, 1.15, 1.1, 1.05, 1.0, 0.95, 0.9, 0.85, 0.8, 0.76)
"""At the last, code has 18 pixels."""
SHARES = (0.36, 0.42, 0.48, 0.54, 0.6)
"""Parts of the width that the right column may have."""
BETWEEN = 36.0
"""Pixels between two columns."""
GOOD = 0.85
"""What fits at this scale is not parted."""
SMALL = 0.8
"""At this scale a slide is fuller than it should be, and yet better than two of one thought."""
WORDS = 60
"""Words of prose that stand on a slide with code; without code, half as many more."""
LEAD = 45
"""Words that are left of longer prose."""
TALL = 668.0
"""Pixels of a picture that stands beside everything else, title included."""
ENOUGH = 25.0
"""Pixels of type in a picture beyond which it need not grow."""
CLOSE_UP = 16.5
"""Pixels of type in a picture below which there are close-ups."""
CLOSER = (22.0, 20.0, 18.1)
"""Pixels of type in close-ups: of these with the fewest, the largest."""
ECHO = 4
"""Lines of code that are repeated above what they show, if that is on the next slide."""


SENTENCE_END = re.compile(r"(?:(?<=[.!?:])|(?<=[.!?:]</em>)|(?<=[.!?:]</strong>))\s+(?=[A-Z`<(\"])")
NEXT = "<p><b>Ask</b> before each step: which node runs next, and what does it hand on?</p>"


@dataclass
class Slide:
    """One slide: what stands on it, how large, and what the teacher says."""

    title: str
    left: list[Flow]
    right: list[Flow] = field(default_factory=list)
    scale: float = 1.0
    width: float = float(INNER)
    """Of the left column, or of the only one."""
    box: tuple[float, float] = (0.0, 0.0)
    """What a picture or a replay has."""
    notes: list[str] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    anchor: str = ""
    stack: bool = False
    kind: str = "talk"
    seconds: int = 0
    minutes: float = 0.0

    @property
    def flows(self) -> list[Flow]:
        """All that is seen."""
        return [*self.left, *self.right]

    @property
    def beside(self) -> bool:
        """Whether a picture has the right side from top to bottom."""
        return any(isinstance(flow, Picture | Replay) for flow in self.right)

    def words(self) -> int:
        """Words of prose."""
        return words_in(self.flows)

    def height(self) -> float:
        """Pixels that the taller column takes, without a picture's."""
        right = INNER - self.width - BETWEEN
        return max(
            height_of(self.left, self.width, self.scale), height_of(self.right, right, self.scale)
        )


def words_in(flows: Iterable[Flow]) -> int:
    """Words of prose; not of code, tables and cards."""
    loose = [flow for flow in flows if not isinstance(flow, Card)]
    return sum(len(flow.plain.split()) for flow in all_flows(loose) if isinstance(flow, Text))


def height_of(flows: Iterable[Flow], width: float, scale: float) -> float:
    """Pixels of what is stacked; pictures take what is left."""
    return sum(
        flow.height(width, scale) for flow in flows if not isinstance(flow, Picture | Replay)
    )


def slides(beats: Sequence[Beat]) -> list[Slide]:
    """The slides of a chapter."""
    made: list[Slide] = []
    for beat in merged(beats):
        new = pack(beat)
        new[0].anchor, new[0].stack = beat.anchor, beat.stack or not made
        new[0].cells = beat.cells
        new[0].notes = [*new[0].notes, *beat.notes]
        for slide in new:
            slide.kind, slide.minutes = beat.kind, beat.minutes / len(new)
        if len(new) > 1:
            for index, slide in enumerate(new):
                slide.title += f" <small>{index + 1}/{len(new)}</small>"
        made += new
    return made


# --- beats that share a slide ---------------------------------------------------------------------


def merged(beats: Sequence[Beat]) -> list[Beat]:
    """Beats, with short ones of a section on one slide."""
    kept: list[Beat] = []
    for beat in beats:
        if kept and joins(kept[-1], beat):
            kept[-1] = joined(kept[-1], beat)
        else:
            kept.append(beat)
    return kept


def joins(last: Beat, beat: Beat) -> bool:
    """Whether `beat` goes onto the slide of `last`."""
    if beat.override == "-":
        return True
    if beat.override or beat.stack or beat.anchor or beat.title != last.title:
        return False
    if last.kind != "talk" or beat.kind != "talk":
        return False
    if not beat.has_code:  # the last word on what was shown
        return bool(last.after) and words_in(beat.flows) <= WORDS
    if any(isinstance(flow, Picture | Replay) or flow.click for flow in last.flows + beat.flows):
        return False
    both = last.flows + beat.flows
    tiny = min(height_of(each.flows, INNER, 1.0) for each in (last, beat)) < ROOM / 3
    return words_in(both) <= (WORDS if tiny else LEAD) and stacked(both, 0.95) is not None


def joined(last: Beat, beat: Beat) -> Beat:
    """Two beats as one."""
    notes, cells = [*last.notes, *beat.notes], [*last.cells, *beat.cells]
    if beat.has_code:
        return replace(
            last, before=last.flows + beat.before, after=beat.after, notes=notes, cells=cells
        )
    clicks = any(flow.click for flow in last.after)
    for flow in beat.flows:
        flow.click = flow.click or clicks
    return replace(last, after=last.after + beat.flows, notes=notes, cells=cells)


# --- one beat -------------------------------------------------------------------------------------


def pack(beat: Beat) -> list[Slide]:
    """The slides of a beat."""
    before, notes = beat.before, []
    limit = WORDS if beat.has_code else WORDS * 1.5
    if beat.kind == "talk" and words_in(before) > limit:
        before, cut = shortened(before, LEAD if beat.has_code else int(WORDS * 1.5))
        notes = ["<p><b>Say:</b></p>" + "".join(f"<p>{text}</p>" for text in cut)]
    made = [
        replace(slide, title=beat.title, left=list(slide.left), right=list(slide.right))
        for slide in parted(list(before), list(beat.after))
    ]
    made[0].notes = [*notes, *made[0].notes]
    return made


def parted(before: list[Flow], after: list[Flow]) -> list[Slide]:
    """Slides for what is before and what is shown after."""
    flows = [*before, *after]
    for index, flow in enumerate(flows):
        if isinstance(flow, Picture | Replay):
            return around(flows[:index], flow, flows[index + 1 :], len(before))
    short = before and height_of(after, INNER, 1.0) < ROOM / 4
    if whole := on_one(before, after, SMALL if short else GOOD):
        return [whole]
    made = going_on(before) if before else []
    if made and after and (last := on_one(made[-1].left, after, SMALL if short else GOOD)):
        return [*made[:-1], last]
    return [*made, *ending([*echo(before), *after])] if after else made


def echo(before: Sequence[Flow]) -> list[Flow]:
    """The last lines of the code, to stand above what they show on the next slide."""
    code = [flow for flow in before if isinstance(flow, Lines) and flow.look == "code"]
    if not code:
        return []
    last = code[-1].lines
    starts = [
        index
        for index in range(max(len(last) - ECHO, 1), len(last))
        if re.match(r"[\w@*(\[]", plain_of(last[index]))
    ]
    if not starts or not plain_of(last[starts[0]]).strip("# …"):
        return []
    return [Lines(['<span class="left-out">…</span>', *last[starts[0] :]])]


def on_one(before: list[Flow], after: list[Flow], least: float = GOOD) -> Slide | None:
    """The slide with the largest type that holds all of it."""
    below = stacked([*before, *after], least)
    beside = in_columns(before, after, least) if before and after else None
    if below and beside:
        gain = quality(beside) - quality(below)
        return beside if gain > 0.12 and below.scale < 1.0 else below
    return below or beside


def stacked(flows: list[Flow], least: float) -> Slide | None:
    """All below each other, in the largest type for which they fit."""
    for scale in SCALES:
        if scale >= least and height_of(flows, INNER, scale) <= ROOM:
            return Slide("", flows, scale=scale)
    return None


def in_columns(left: list[Flow], right: list[Flow], least: float) -> Slide | None:
    """Two columns, in the largest type for which they fit; of these, with the fewest lines."""
    found = []
    for share in SHARES:
        width = INNER * (1 - share) - BETWEEN / 2
        other = INNER - BETWEEN - width
        if wraps(left, width):
            continue
        for scale in (scale for scale in SCALES if scale >= least):
            height = max(height_of(left, width, scale), height_of(right, other, scale))
            if height <= ROOM and not broken_words(right, other, scale):
                slide = Slide("", left, right, scale, width)
                found.append((quality(slide), -height, slide))
                break
    return max(found, key=lambda fit: fit[:2])[2] if found else None


def quality(slide: Slide) -> float:
    """The scale of the smallest type."""
    code = [flow for flow in slide.left if isinstance(flow, Lines)]
    sizes = [flow.size(slide.width, slide.scale) / CODE for flow in code]
    return min([slide.scale, *sizes])


def broken_words(flows: Iterable[Flow], width: float, scale: float) -> bool:
    """Whether a word of what is printed is longer than a line."""
    printed = (flow for flow in all_flows(flows) if isinstance(flow, Lines))
    longest = max((len(word) for flow in printed for word in flow.plain.split()), default=0)
    return longest * MONO * CODE * scale > width - 46


def wraps(flows: Iterable[Flow], width: float) -> bool:
    """Whether a line of code is wrapped, however small its type."""
    return any(not flow.fits(width) for flow in flows if isinstance(flow, Lines))


def ending(after: list[Flow]) -> list[Slide]:
    """What a cell shows, on slides of its own; what is printed ends with its slide."""
    made: list[Slide] = []
    rest = list(after)
    while rest:
        if whole := on_one(rest, [], SCALES[-1]):
            return [*made, whole]
        for count in range(len(rest) - 1, 0, -1):
            if part := on_one(rest[:count], []):
                made.append(part)
                rest = rest[count:]
                break
        else:
            first, *rest = rest
            room = ROOM
            closing = [flow for flow in rest if isinstance(flow, Text)]
            if len(closing) == len(rest) and height_of(rest, INNER, GOOD) < ROOM / 3:
                room -= height_of(rest, INNER, GOOD)
                rest = []
            else:
                closing = []
            made.append(Slide("", [fitted(first, room), *closing], scale=GOOD))
    return made


def fitted(flow: Flow, room: float) -> Flow:
    """What is left of an output, at a slide's end."""
    if isinstance(flow, Lines):
        return flow.cut(INNER, GOOD, room)
    if isinstance(flow, Card):
        *parts, last = flow.parts
        inside = room - replace(flow, parts=parts).height(INNER, GOOD)
        if isinstance(last, Lines):
            return replace(flow, parts=[*parts, last.cut(INNER - 46, GOOD, inside)])
        if isinstance(last, Table) and (halves := last.split(INNER - 46, GOOD, inside - 40)):
            first, rest = halves
            assert isinstance(first, Table)
            assert isinstance(rest, Table)
            first.left_out = len(rest.rows) - 1 + last.left_out
            return replace(flow, parts=[*parts, first])
    if halves := flow.split(INNER, GOOD, room):
        return halves[0]
    raise ValueError(f"too large for a slide: {flow.plain[:80]!r}")


def going_on(flows: list[Flow]) -> list[Slide]:
    """Prose and code over several slides."""
    made: list[Slide] = []
    rest = list(flows)
    while rest:
        prose = [flow for flow in rest if not isinstance(flow, Lines)]
        brief = prose and height_of(prose, INNER, 1.0) < ROOM / 3
        if whole := on_one(rest, [], SCALES[-1] if brief else SMALL):
            return [*made, whole]
        first, rest = torn(rest)
        made.append(on_one(first, [], SCALES[-1]) or Slide("", first, scale=SCALES[-1]))
    return made


def torn(flows: list[Flow]) -> tuple[list[Flow], list[Flow]]:
    """As much as a slide holds, and the rest."""
    scale = 0.9
    used = 0.0
    for index, flow in enumerate(flows):
        height = flow.height(INNER, scale)
        if used + height > ROOM:
            halves = flow.split(INNER, scale, ROOM - used)
            overleaf = isinstance(flow, Lines) and (
                ROOM - used < 6 * CODE * CODE_LINE * scale
                or (used > ROOM / 3 and on_one([flow], []) is not None)
            )
            if halves and not (overleaf and index):
                return [*flows[:index], halves[0]], [halves[1], *flows[index + 1 :]]
            if not index:
                raise ValueError(f"too tall for a slide: {flow.plain[:80]!r}")
            return flows[:index], flows[index:]
        used += height
    raise ValueError("nothing to tear")


# --- pictures -------------------------------------------------------------------------------------


def around(before: list[Flow], shown: Flow, rest: list[Flow], code_ends: int) -> list[Slide]:
    """A picture or a replay, with what leads to it if there is room for both."""
    if isinstance(shown, Replay):
        own = replay_slide(shown)
        first = parted(before[:code_ends], before[code_ends:]) if before else []
        return [*first, own, *(parted([], rest) if rest else [])]
    assert isinstance(shown, Picture)
    best_type = max(type_on(slide, shown) for slide in candidates([], shown, []))
    enough = min(ENOUGH, max(0.85 * best_type, min(SMALLEST, best_type)))
    tail = [] if any(isinstance(flow, Picture | Replay) for flow in rest) else rest
    again = echo(before[:code_ends])
    for lead, end in (
        (before, tail),
        (again, tail),
        ([], tail),
        (before, []),
        (again, []),
        ([], []),
    ):
        slide = max(
            (each for each in candidates(lead, shown, end) if type_on(each, shown) >= enough),
            key=lambda each: min(type_on(each, shown), ENOUGH) / ENOUGH + each.scale / 2,
            default=None,
        )
        if slide is None:
            continue
        made = [slide, *close_ups(shown, slide)]
        if before and lead is not before:
            made = [*parted(before[:code_ends], before[code_ends:]), *made]
        if rest and not end:
            made += parted([], rest)
        return made
    raise ValueError(f"no room for a picture: {shown.alt[:80]!r}")


def candidates(before: list[Flow], shown: Picture, tail: list[Flow]) -> list[Slide]:
    """Slides with a picture below its words, and beside them."""
    if not before and not tail:
        width = 300.0
        return [
            Slide("", [shown], box=(float(INNER), float(ROOM))),
            Slide("", [], [shown], 1.0, width, (INNER - BETWEEN - width, TALL)),
        ]
    found = []
    words = [*before, *tail]
    good = [scale for scale in SCALES if scale >= GOOD]
    for scale in good:
        room = ROOM - height_of(words, INNER, scale)
        if room > 120:
            flows = [*before, shown, *tail]
            found.append(Slide("", flows, scale=scale, box=(float(INNER), room)))
    for share in (0.3, *SHARES, 0.66):
        width = INNER * (1 - share) - BETWEEN / 2
        for scale in good:
            if not wraps(words, width) and height_of(words, width, scale) <= ROOM - 50:
                room = INNER - BETWEEN - width
                found.append(Slide("", words, [shown], scale, width, (room, TALL)))
    return found


def type_on(slide: Slide, shown: Picture) -> float:
    """Pixels of the type in the picture."""
    return shown.type_in(*slide.box)


def close_ups(shown: Picture, slide: Slide) -> list[Slide]:
    """Parts of a picture that is too large for one slide."""
    if type_on(slide, shown) >= CLOSE_UP:
        return []
    choices = [shown.close_ups(float(INNER), float(ROOM), size) for size in CLOSER]
    wide = min(choices, key=len)
    return [
        Slide("", [part], box=(float(INNER), float(ROOM)), notes=["<p>A part of the picture.</p>"])
        for part in wide
    ]


def replay_slide(shown: Replay) -> Slide:
    """The frames at the right, their words at the left."""
    found = []
    for width in (340.0, 380.0, 420.0, 460.0, 500.0, 560.0):
        for scale in SCALES:
            if shown.text_height(width, scale) <= ROOM - 30 and scale <= 1.0:
                box = (INNER - BETWEEN - width, TALL)
                graph = shown.scale_in(*box) * shown.type_size
                slide = Slide("", [], [shown], scale, width, box, notes=[NEXT])
                found.append((min(graph / SMALLEST, 1.2) + scale, slide))
                break
    return max(found, key=lambda pair: pair[0])[1]


# --- prose ----------------------------------------------------------------------------------------


def shortened(flows: list[Flow], limit: int) -> tuple[list[Flow], list[str]]:
    """Prose cut to what leads, and the whole of it for the notes."""
    whole = [flow.inner for flow in flows if isinstance(flow, Text)]
    left = limit - words_in(flow for flow in flows if not isinstance(flow, Text))
    kept: list[Flow] = []
    for flow in flows:
        if not isinstance(flow, Text):
            kept.append(flow)
            continue
        lead = ""
        for sentence in sentences(flow.inner):
            count = len(plain_of(sentence).split())
            if count > left and (lead or any(isinstance(item, Text) for item in kept)):
                left = 0
                break
            lead, left = f"{lead} {sentence}".strip(), left - count
        if lead:
            kept.append(replace(flow, inner=lead))
    return kept, whole


def sentences(html: str) -> list[str]:
    """The sentences of a paragraph; tags stay closed."""
    found, current = [], ""
    for piece in SENTENCE_END.split(html):
        current = f"{current} {piece}".strip()
        if current.count("<") == 2 * current.count("</") + current.count("<br"):
            found.append(current)
            current = ""
    return [*found, current] if current else found
