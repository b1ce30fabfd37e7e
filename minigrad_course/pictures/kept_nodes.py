"""The picture of chapter 13: which nodes of a graph a pass to some targets keeps."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from minigrad.viz.compose import compose
from minigrad.viz.picture import Row
from minigrad.viz.protocol import is_accumulator, variable_of
from minigrad.viz.recording import names_in, record
from minigrad.viz.render import Drawing


def draw_kept(result: Any, kept: Collection[Any], target: Any) -> Drawing:
    """Draw the graph behind `result`, with the `kept` nodes in green and labeled.

    `target` is one of them and says that it is the target.
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
    return Drawing(replace(picture, boxes=tuple(boxes)))
