"""What a program really runs, for chapter 21: its function calls, and the engine of each node.

    from minigrad_course.pictures.watching import calls, draw_calls, draw_engines, draw_times

Everything is measured on the running program, with `sys.setprofile`.
"""

from __future__ import annotations

import sys
import time
import timeit
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from textwrap import shorten
from types import CodeType, FrameType
from typing import Any

import minigrad as torch
from minigrad import Tensor
from minigrad.core.engine import BackwardPass
from minigrad.core.node import Node, gradient_edge
from minigrad.viz.compose import compose
from minigrad.viz.gradients import measure
from minigrad.viz.picture import Arrow, Picture, Row
from minigrad.viz.protocol import is_accumulator, variable_of
from minigrad.viz.recording import Recording, names_in, record
from minigrad.viz.render import Drawing, to_dot
from minigrad_course.ask.declare import without_collector
from minigrad_course.pictures.tables import table

KINDS = {  # parts of the plain core's work on an operation: their files, and a colour
    "the operands and their dtypes": (("operands", "dtypes", "tensor_like"), "#E69F00"),
    "the result, its node, its edges": (("tensor", "node"), "#56B4E9"),
    "the row's loops": (("operation", "row"), "#CC79A7"),
    "all else": ((), "#BBBBBB"),
}
TIMED = {"forward": "#56B4E9", "backward": "#E69F00"}
LANE, COUNTING = "lane", "counting"
LOOKS = {LANE: "#E3DBF5", COUNTING: "#E6EFC2"}  # colours that other drawings do not use
FRAMES = {LANE: "#5A3E9E", COUNTING: "#566B00"}
LEGEND = {LANE: "the lane ran it", COUNTING: "a counting pass ran it"}
NOT_RUN = "–"
WAITING_COLOUR = "#E9E9E9"
Steps = Sequence[tuple[Any, Sequence[Any]]]  # the running node, those that wait


def profile_calls(program: Callable[[], Any], look: Callable[[FrameType], None]) -> None:
    """Run `program`, and call `look` with the frame of each Python function that starts."""
    with without_collector():  # it would call finalizers in between
        sys.setprofile(lambda frame, event, _: look(frame) if event == "call" else None)
        try:
            program()
        finally:
            sys.setprofile(None)


def calls(program: Callable[..., Any], *args: Any) -> list[CodeType]:
    """The Python functions that `program` calls on its second run, without those of NumPy."""
    found: list[CodeType] = []

    def look(frame: FrameType) -> None:
        numpys = str(frame.f_globals.get("__name__")).startswith("numpy")
        is_comprehension = frame.f_code.co_name.endswith("comp>")  # a call before Python 3.12
        if not numpys and not is_comprehension:
            found.append(frame.f_code)

    program(*args)  # warm up, because the first run may fill caches
    profile_calls(partial(program, *args), look)
    return found[1:]  # the first is the program itself


def per_thousand(program: Callable[..., Any], *args: Any) -> Counter[str]:
    """How often `program` calls each function per step, by name, if it has a thousand steps."""
    counts = Counter(code.co_name for code in calls(program, *args))
    return Counter({name: count // 1000 for name, count in counts.items() if count >= 1000})


def seconds(program: Callable[..., Any], *args: Any) -> float:
    """The CPU time of `program` in seconds, the best of three measurements."""
    run = partial(program, *args)
    return min(timeit.repeat(run, number=5, repeat=3, timer=time.process_time)) / 5


def draw_calls(bars: Mapping[str, Sequence[CodeType]]) -> None:
    """Draw the number of calls that `calls` found as bars, split by what the functions do."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 0.42 * len(bars) + 0.9), layout="constrained")
    texts = []
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
        texts.append(f"{[*bars][height]}: {left} ({parts})")
    figure.set_label("\n".join(texts))
    axes.set_yticks(range(len(bars)), [*bars])
    axes.invert_yaxis()
    axes.set(xlabel="calls of Python functions")
    axes.spines[["top", "right"]].set_visible(False)
    handles = [plt.Rectangle((0, 0), 1, 1, color=color) for _, color in KINDS.values()]
    axes.legend(handles, [*KINDS], loc="lower right", fontsize=8)
    plt.show()


def draw_times(times: Mapping[str, tuple[float, float]]) -> None:
    """Draw the times of each program: pairs of seconds for forward alone and with backward."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7.2, 0.42 * len(times) + 0.9), layout="constrained")
    parts = {name: (forward, both - forward) for name, (forward, both) in times.items()}
    left = [0.0] * len(times)
    for number, (part, colour) in enumerate(TIMED.items()):
        widths = [each[number] * 1e3 for each in parts.values()]
        axes.barh([*times], widths, left=left, color=colour, edgecolor="white", label=part)
        left = [before + width for before, width in zip(left, widths, strict=True)]
    texts = []
    for (name, (forward, backward)), end in zip(parts.items(), left, strict=True):
        words = f"{forward * 1e3:.2f} forward + {backward * 1e3:.2f} backward = {end:.2f} ms"
        axes.text(end + max(left) / 90, name, words, va="center")
        texts.append(f"{name}: {words}")
    figure.set_label("\n".join(texts))
    axes.set(xlabel="milliseconds", xlim=(0, 2 * max(left)))
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", fontsize=8)
    plt.show()


class Ran(dict[Any, str]):
    """The nodes that ran, in order, each with the engine that ran it.

    `handed_over` maps nodes to the gradients that they had when the lane ended.
    """

    def __init__(self) -> None:
        super().__init__()
        self.handed_over: dict[Any, Tensor | None] = {}


def who_ran(program: Callable[[], Any]) -> Ran:
    """The nodes that the last backward pass in `program` runs, each with its engine.

    The lane calls a node's `run`, or `accumulate` for a leaf. A counting pass calls `run_node` for
    each node, after `execute` has received what the lane left over. A nested pass, which a hook may
    start, counts as part of the outer one.
    """
    ran = Ran()

    def look(frame: FrameType) -> None:
        code = frame.f_code  # f_locals only where needed, because reading it keeps the values alive
        if code is BackwardPass.run.__code__ and not is_inside(frame):
            ran.clear()
            ran.handed_over = {}
        elif code is BackwardPass.run_node.__code__:  # a target that need not run is skipped before
            ran.setdefault(frame.f_locals["node"], COUNTING)
        elif code is BackwardPass.execute.__code__ and ran and not ran.handed_over:
            nodes = [node for node, _ in frame.f_locals["edges"]]
            ran.handed_over = dict(zip(nodes, frame.f_locals["grads"], strict=True))
        elif code.co_name == "run_node" and Path(code.co_filename).parent.name == "fast":
            ran.setdefault(frame.f_locals["node"], LANE)
        elif code.co_name in ("run", "run_graph") and isinstance(
            node := first_argument(frame), Node
        ):
            ran.setdefault(node, LANE)  # unless `run_node` has set it to COUNTING
        elif code.co_name == "accumulate" and isinstance(leaf := first_argument(frame), Tensor):
            ran.setdefault(gradient_edge(leaf)[0], LANE)

    profile_calls(program, look)
    return ran


def first_argument(frame: FrameType) -> Any:
    """The first argument of the function that runs in `frame`."""
    names = frame.f_code.co_varnames
    return frame.f_locals[names[0]] if names else None


def is_inside(frame: FrameType) -> bool:
    """Whether the function of `frame` is running recursively, possibly through other functions."""
    outer = frame.f_back
    while outer is not None and outer.f_code is not frame.f_code:
        outer = outer.f_back
    return outer is not None


def draw_numbers(result: Any) -> Drawing:
    """Draw the way back from `result`, with operations numbered by age: 1 is the oldest."""
    recording, keys, picture = recorded(result, gradients=True)
    rows = {keys[id(node)]: (Row("memory", text),) for node, text in numbers(recording).items()}
    return Drawing(with_rows(picture, rows))


def draw_engines(result: Any, ran: Ran) -> Drawing:
    """Draw the way back from `result`: when each node ran and in which engine, and the gradients
    that the lane handed over.
    """
    recording, keys, picture = recorded(result, gradients=False)
    boxes = {id(node): box_of(node, keys) for node in ran}
    known = numbers(recording)
    rows = {}
    for turn, (node, engine) in enumerate(ran.items(), 1):
        before = f"{known[node]}: " if node in known else ""
        more = [Row("memory", f"{before}turn {turn}, {engine}")]
        grad = ran.handed_over.get(node)
        if grad is not None:
            more.append(Row("gradient", f"from the lane: {grad.item():g}"))
        rows[boxes[id(node)]] = tuple(more)
    arrows = [
        Arrow(box_of(following, keys), keys[id(node)], "gradient")
        for node in recording.operations
        for following, _ in node.next_functions
        if following is not None
    ]
    leaves = {box.key for box in picture.boxes if box.kind == "leaf"}
    data = [replace(each, slot=None) for each in picture.arrows if each.tail not in leaves]
    picture = replace(with_rows(picture, rows), arrows=(*arrows, *data))
    return Painted(picture, {boxes[id(node)]: engine for node, engine in ran.items()})


class Painted(Drawing):
    """A drawing with a legend, in which the colour of a box is the engine that ran the node."""

    def __init__(self, picture: Picture, engines: Mapping[str, str]) -> None:
        super().__init__(picture)
        self.engines = engines

    @cached_property
    def dot(self) -> str:
        lines = [f"{key} [{colours(engine)}]" for key, engine in self.engines.items()]
        for engine, meaning in LEGEND.items():
            lines.append(f'{engine} [label="  {meaning}  " {colours(engine)}]')
        lines.append(f"{{rank=sink; {'; '.join(LEGEND)}}}")
        return "\n\t".join([to_dot(self.shown, self.direction).rstrip().rstrip("}"), *lines, "}"])


def colours(engine: str) -> str:
    """The colours of a box as Graphviz attributes."""
    return f'fillcolor="{LOOKS[engine]}" color="{FRAMES[engine]}" penwidth=2.2'


def draw_cases(cases: str, page: Mapping[str, Any]) -> None:
    """Run each line of `cases` with the names of `page`, and draw which engine runs its nodes.

    Each line starts from a new `y = x * b` and `z = y.exp()`, and may rebind these names. Its row
    shows the last of several passes, or the error that the line raised.
    """
    columns = "node of z", "node of y", "leaf x", "leaf b"
    rows: dict[str, Sequence[str]] = {}
    for case in cases.strip().splitlines():
        x, b = torch.tensor(3.0, requires_grad=True), torch.tensor(4.0, requires_grad=True)
        y = x * b
        names = {**page, "x": x, "b": b, "y": y, "z": y.exp()}
        try:
            ran = who_ran(partial(exec, case, names))
            rows[case] = [ran.get(gradient_edge(names[each])[0], NOT_RUN) for each in "zyxb"]
        except Exception as error:  # whatever the reader's line raises
            rows[case] = shorten(f"{type(error).__name__}: {error}", 50, placeholder=" …")
    texts = [", ".join(columns)]
    for case, row in rows.items():
        texts.append(f"{case} → {row if isinstance(row, str) else ', '.join(row)}")
    table(columns, rows, LOOKS | {NOT_RUN: "white"}, width=9.0, text="\n".join(texts))


def show_steps(
    tensors: Mapping[str, Any], lanes: Mapping[str, tuple[Steps, Mapping[Any, Tensor]]]
) -> None:
    """Draw, for each lane and step, which node runs and which wait, and the gradients at the end.

    `tensors` are the columns: names, and the tensors whose nodes they show.
    """
    nodes = [gradient_edge(each)[0] for each in tensors.values()]
    rows, looks = {}, {"runs": LOOKS[LANE], "waits": WAITING_COLOUR}
    for lane, (steps, end) in lanes.items():
        for number, (ran, waiting) in enumerate(steps):
            fates = dict.fromkeys(waiting, "waits") | {ran: "runs"}
            rows[f"{lane}, step {number}"] = [fates.get(node, "") for node in nodes]
        gradients = {node: f"{grad.item():g}" for node, grad in end.items()}
        rows[f"{lane}, the end"] = [gradients.get(node, "") for node in nodes]
        looks |= dict.fromkeys(gradients.values(), WAITING_COLOUR)
    texts = []
    for step, row in rows.items():
        words = [f"{name} {word}" for name, word in zip(tensors, row, strict=True) if word]
        texts.append(f"{step}: {', '.join(words)}")
    table([*tensors], rows, looks, text="\n".join(texts))


def numbers(recording: Recording) -> dict[Any, str]:
    """The nodes of operations with their numbers, by age."""
    found: Iterable[Any] = sorted(recording.operations, key=lambda node: node._seq)
    return {node: f"node {number}" for number, node in enumerate(found, 1)}


def recorded(result: Any, gradients: bool) -> tuple[Recording, dict[int, str], Picture]:
    """The graph behind `result`, its box keys by the ids of objects, and its picture."""
    keys: dict[int, str] = {}
    recording = record((result,), names_in(sys._getframe(2)), sys.maxsize)
    flow = measure(recording, [None]) if gradients else None
    picture = compose(recording, flow, saved=False, hooks=not gradients, keys=keys)
    return recording, keys, picture


def box_of(node: Any, keys: Mapping[int, str]) -> str:
    """The key of a node's box; for an AccumulateGrad, that of its leaf."""
    return keys[id(variable_of(node) if is_accumulator(node) else node)]


def with_rows(picture: Picture, rows: Mapping[str, tuple[Row, ...]]) -> Picture:
    """`picture` with more rows in its boxes, by their keys."""
    boxes = (replace(box, rows=(*box.rows, *rows.get(box.key, ()))) for box in picture.boxes)
    return replace(picture, boxes=tuple(boxes))
