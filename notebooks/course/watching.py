"""Chapter 19 looks on: which functions a program calls, and which engine runs which node.

    from course.watching import calls, draw_calls, draw_cases, draw_engines, draw_numbers
    from course.watching import longer, seconds, who_ran

All of it is read from what really runs, with `sys.setprofile`.
"""

from __future__ import annotations

import math
import sys
import time
import timeit
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import minigrad as torch
from course.declare import without_collector
from course.tables import table
from minigrad import Tensor
from minigrad.core.engine import BackwardPass
from minigrad.core.node import Node, gradient_edge
from minigrad.viz.compose import compose
from minigrad.viz.gradients import measure
from minigrad.viz.picture import Row
from minigrad.viz.protocol import is_accumulator, variable_of
from minigrad.viz.recording import names_in, record
from minigrad.viz.render import Drawing

KINDS = {  # of the plain core's work on one operation: in which files, and its colour
    "the operands and their dtypes": (("operands", "dtypes"), "#E69F00"),
    "the result, its node, its edges": (("tensor", "node"), "#56B4E9"),
    "the row's loops": (("operation", "rows"), "#CC79A7"),
    "all else": ((), "#BBBBBB"),
}
LANE, COUNTING = "lane", "counting"
LOOKS = {LANE: "#FBECC8", COUNTING: "#D3EFE4"}  # the yellow and the green of drawings


def look_on(program: Callable[[], Any], look: Callable[[FrameType], None]) -> None:
    """Run `program`, and `look` at each call of a Python function."""
    with without_collector():  # which would call functions of its own in between
        sys.setprofile(lambda frame, event, _: look(frame) if event == "call" else None)
        try:
            program()
        finally:
            sys.setprofile(None)


def calls(program: Callable[[], Any]) -> list[CodeType]:
    """The Python functions that `program` calls when it runs a second time, without NumPy's."""
    found: list[CodeType] = []

    def look(frame: FrameType) -> None:
        numpys = str(frame.f_globals.get("__name__")).startswith("numpy")
        is_comprehension = frame.f_code.co_name.endswith("comp>")  # a call only before Python 3.12
        if not numpys and not is_comprehension:
            found.append(frame.f_code)

    program()  # the first time, something may have to be prepared
    look_on(program, look)
    return found[1:]  # the first is the program itself


def seconds(program: Callable[[], Any]) -> float:
    """How long `program` takes: the shortest of three times, of this process alone."""
    return min(timeit.repeat(program, number=5, repeat=3, timer=time.process_time)) / 5


def longer(slow: float, quick: float, least: float, most: float = math.inf) -> str:
    """A ratio of seconds between bounds so wide that it lies there on each machine."""
    ratio = slow / quick
    if not least < ratio < most:
        return f"{ratio:.1f} times as long on this machine"
    upper = "" if math.isinf(most) else f" and less than {most}"
    return f"more than {least}{upper} times as long"


def draw_calls(bars: Mapping[str, Sequence[CodeType]]) -> None:
    """Draw what `calls` has found as bars, divided by what the functions are for."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 0.42 * len(bars) + 0.9), layout="constrained")
    said = []
    for height, found in enumerate(bars.values()):
        files = Counter(Path(code.co_filename).stem for code in found)
        counts = {kind: sum(files[name] for name in names) for kind, (names, _) in KINDS.items()}
        counts["all else"] = len(found) - sum(counts.values())
        left = 0
        for kind, count in counts.items():
            axes.barh(height, count, left=left, color=KINDS[kind][1], edgecolor="white")
            if count > 1:
                axes.text(left + count / 2, height, f"{count}", ha="center", va="center")
            left += count
        axes.text(left + 0.5, height, f"{left}", va="center", fontweight="bold")
        parts = ", ".join(f"{count} {kind}" for kind, count in counts.items() if count)
        said.append(f"{[*bars][height]}: {left} ({parts})")
    figure.set_label("\n".join(said))
    axes.set_yticks(range(len(bars)), [*bars])
    axes.invert_yaxis()
    axes.set(xlabel="calls of Python functions")
    axes.spines[["top", "right"]].set_visible(False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=color) for _, color in KINDS.values()]
    axes.legend(handles, [*KINDS], loc="lower right", fontsize=8)
    plt.show()


def who_ran(program: Callable[[], Any]) -> dict[Any, str]:
    """The nodes that a backward pass in `program` runs, in order, and which engine runs each.

    The lane calls a node's `run`, or writes a leaf by `accumulate`; a counting pass hands each of
    its nodes to `run_node`.
    """
    ran: dict[Any, str] = {}

    def look(frame: FrameType) -> None:
        code, values = frame.f_code, frame.f_locals
        first = values.get(code.co_varnames[0]) if code.co_varnames else None
        if code is BackwardPass.run_node.__code__:  # a target that need not run does not get here
            ran.setdefault(values["node"], COUNTING)
        elif code.co_name == "run_node" and Path(code.co_filename).parent.name == "fast":
            ran.setdefault(values["node"], LANE)
        elif code.co_name in ("run", "run_graph") and isinstance(first, Node):
            ran.setdefault(first, LANE)  # in a counting pass `run_node` came before
        elif code.co_name == "accumulate" and isinstance(first, Tensor):
            ran.setdefault(gradient_edge(first)[0], LANE)

    look_on(program, look)
    return ran


def draw_numbers(result: Any) -> Drawing:
    """Draw the way back from `result`, the nodes of operations numbered: 1 is the oldest."""
    return drawn(result, {node: (text, 1) for node, text in numbers(result).items()}, flows=True)


def draw_engines(result: Any, ran: Mapping[Any, str]) -> Drawing:
    """Draw the graph behind `result`: in which order its nodes ran, and who ran each."""
    known = numbers(result)
    order = {LANE: 1, COUNTING: 2}
    said = {}
    for turn, (node, engine) in enumerate(ran.items(), 1):
        before = f"{known[node]}: " if node in known else ""
        said[node] = f"{before}turn {turn}, {engine}", order[engine]
    legend = "yellow: the lane ran it", "green: a counting pass ran it"
    return drawn(result, said, flows=False, notes=legend)


def draw_cases(cases: str, page: Mapping[str, Any]) -> None:
    """Run each line of `cases` with names of the page, and draw who runs the nodes.

    It meets a new `y = x * b` and `z = y.exp()`, and may give these names to others.
    """
    columns = "node of z", "node of y", "leaf x", "leaf b"
    rows = {}
    for case in cases.strip().splitlines():
        x, b = torch.tensor(3.0, requires_grad=True), torch.tensor(4.0, requires_grad=True)
        y = x * b
        names = {**page, "x": x, "b": b, "y": y, "z": y.exp()}
        ran = who_ran(partial(exec, case, names))
        rows[case] = [ran.get(gradient_edge(names[each])[0], "") for each in "zyxb"]
    lines = [f"{case} → {', '.join(word or '–' for word in row)}" for case, row in rows.items()]
    table(columns, rows, LOOKS, width=9.0, said="\n".join([", ".join(columns), *lines]))


def numbers(result: Any) -> dict[Any, str]:
    """The nodes of operations behind `result`, numbered by age."""
    recording = record((result,), (), sys.maxsize)
    found: Iterable[Any] = sorted(recording.operations, key=lambda node: node._seq)
    return {node: f"node {number}" for number, node in enumerate(found, 1)}


def drawn(
    result: Any, said: Mapping[Any, tuple[str, int]], flows: bool, notes: Sequence[str] = ()
) -> Drawing:
    """The graph behind `result` with a line and a colour more for some of its nodes."""
    keys: dict[int, str] = {}
    recording = record((result,), names_in(sys._getframe(2)), sys.maxsize)
    flow = measure(recording, [None]) if flows else None
    picture = compose(recording, flow, saved=False, hooks=not flows, keys=keys)
    more = {
        keys[id(variable_of(node) if is_accumulator(node) else node)]: each
        for node, each in said.items()
    }
    boxes = [
        replace(box, order=more[box.key][1], rows=(*box.rows, Row("memory", more[box.key][0])))
        if box.key in more
        else box
        for box in picture.boxes
    ]
    return Drawing(replace(picture, boxes=tuple(boxes), notes=(*picture.notes, *notes)))
