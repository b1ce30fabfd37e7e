"""The picture of chapter 13: which nodes of a graph a pass to some targets keeps."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from minigrad.viz.compose import compose
from minigrad.viz.picture import Arrow, Row
from minigrad.viz.protocol import is_accumulator, variable_of
from minigrad.viz.recording import names_in, record
from minigrad.viz.render import Drawing


def draw_kept(result: Any, kept: Collection[Any], target: Any) -> Drawing:
    """Draw the graph behind `result`, with the `kept` nodes in green and labeled.

    `target` is one of them and says that it is the target. The edges between them are drawn as the
    pass follows them, in the color of gradients.
    """
    keys: dict[int, str] = {}
    recording = record((result,), names_in(sys._getframe(1)), sys.maxsize)
    picture = compose(recording, saved=False, keys=keys)
    things = [variable_of(node) if is_accumulator(node) else node for node in kept]
    labels = {keys[id(thing)]: "kept" for thing in things} | {keys[id(target)]: "kept: the target"}
    boxes = (
        replace(box, order=2, rows=(*box.rows, Row("memory", labels[box.key])))
        if box.key in labels
        else box
        for box in picture.boxes
    )
    followed = [
        Arrow(keys[id(following)], keys[id(node)], "gradient")
        for node in sorted(kept)
        for following, _ in node.next_functions
        if following in kept and not is_accumulator(following)
    ]
    ways = {(arrow.tail, arrow.head) for arrow in followed}
    arrows = [arrow for arrow in picture.arrows if (arrow.tail, arrow.head) not in ways]
    return Drawing(replace(picture, boxes=tuple(boxes), arrows=(*arrows, *followed)))
