"""What a log means: scene by scene, which nodes wait, which are ready, which one fires, and why."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from minigrad.viz import labels, values
from minigrad.viz.gradients import Gradient
from minigrad.viz.picture import Row
from minigrad.viz.protocol import TensorLike, is_accumulator, output_of, variable_of
from minigrad.viz.recording import Recording
from minigrad.viz.replays.watching import Firing, Log, grad_of
from minigrad.viz.saved import Saved, read_saved

State = Literal[
    "waits", "ready", "fires", "done", "passed over", "raises",
    "absent", "leaf", "tensor", "constant", "operation",
]  # fmt: skip
"""How a box looks: a node at work in a replay, or a thing in another stepper."""

MOST_LINES = 8
"""A scene leaves out further lines: a node may have hundreds of inputs."""
MOST_SAVED = 3
"""A box counts further saved tensors in its last line about them."""


@dataclass(frozen=True)
class BoxView:
    """A node in one scene; it has the same number of rows in every scene.

    `fresh` is what this scene is about: it came, or changed.
    """

    state: State
    rows: tuple[Row, ...]
    fresh: bool = False


@dataclass(frozen=True)
class EdgeView:
    """An edge in one scene: whether a gradient has passed it `before`, passes `now`, or `later`."""

    passing: Literal["absent", "later", "now", "before", "weak"]
    label: str


@dataclass(frozen=True)
class Scene:
    """One moment: what has just happened, and how everything stands after it.

    `at` is the box where it happened. The next to fire stands first in `ready`, which is None where
    there is no engine at work. `line` is the number of the line of code that has run, if any.
    """

    title: str
    lines: tuple[str, ...]
    ready: tuple[str, ...] | None
    waiting: tuple[str, ...]
    boxes: tuple[BoxView, ...]
    edges: tuple[EdgeView, ...]
    at: int | None
    line: int | None = None

    @property
    def queue(self) -> list[str]:
        """The ready queue in one line, if there is one."""
        ready = self.ready
        return [] if ready is None else [f"Ready queue: {', '.join(ready) or 'empty'}"]

    def twin(self) -> str:
        """Write the scene as text."""
        waiting = [f"Waiting: {', '.join(self.waiting)}"] if self.waiting else []
        return "\n  ".join([self.title, *self.lines, *self.queue, *waiting])


@dataclass(eq=False)
class Station:
    """A node and its books: what it waits for, what has arrived and is pending, what it took."""

    node: Any
    index: int
    name: str
    rows: list[Row]
    kept: Saved = field(default_factory=Saved)  # before the pass
    grad: str = ""  # of the leaf, for an AccumulateGrad
    retaining: dict[int, str] = field(default_factory=dict)  # the tensors that do, by output
    ways: list["Edge | None"] = field(default_factory=list)  # as in `next_functions`
    needed: int = 0
    here: int = 0
    state: State = "waits"
    turn: float = math.inf  # when it will fire
    pending: dict[int, list[Gradient]] = field(default_factory=dict)  # by output
    took: str = ""
    freed: bool = False

    def take(self, firing: Firing) -> Iterator[str]:
        """Take what is pending; say so, and whether a hook has changed it on the way."""
        self.took = self.holds()
        yield f"Takes {self.took or 'nothing'}"
        seen = {number: each for number, each in enumerate(firing.arriving) if each is not None}
        if any(_differ(_total(parts), seen.get(n)) for n, parts in self.pending.items()):
            self.took = _by_output({number: each.text for number, each in seen.items()})
            yield f"A hook has made {self.took} of it"
        for number, name in self.retaining.items():
            if number in seen:
                yield f"{name} retains its gradient: {seen[number].text} goes into {name}.grad"

    def holds(self) -> str:
        """Write what is pending, each sum with its parts."""
        sums = {n: labels.sum_of(parts, _total(parts)) for n, parts in self.pending.items()}
        return _by_output(sums)

    def saved(self) -> list[str]:
        """Return the names of what the node has saved."""
        texts = [row.text.removeprefix("saved ") for row in self.rows if row.kind == "saved"]
        return [text.partition(" =")[0] for text in texts]

    def view(self) -> BoxView:
        """Return the box as it is now."""
        words: list[str] = [self.state]
        if self.state == "waits":
            words = [f"waits: {self.here} of {self.needed} arrived"]
        if self.took:
            words.append(f"took {self.took}")
        elif self.pending:
            words.append(f"holds {self.holds()}")
        rows = [
            Row("gone" if self.freed and row.kind == "saved" else row.kind, row.text)
            for row in self.rows
        ]
        rows.append(Row("gradient", ", ".join(words)))
        if self.grad:
            rows.append(Row("value", f"{self.name.split()[-1]}.grad = {self.grad}"))
        return BoxView(self.state, tuple(rows))


@dataclass(eq=False)
class Edge:
    """The way of a gradient from the box number `source` to an output of the node at `target`."""

    source: int
    target: Station
    output: int
    label: str | None = None  # what has passed


class Story:
    """The graph that a backward pass will run through, and the scenes of that pass.

    Operations are numbered as they were recorded; behind them come the AccumulateGrads, and last
    the call of `backward()`, which is no node but hands the root its gradient.

    Make it before the pass, let `watch` look at its `nodes`, then `tell` it from the log.
    """

    def __init__(self, recording: Recording) -> None:
        root: Any = recording.roots[0]
        operations: list[Any] = sorted(recording.operations, key=lambda node: node._sequence_nr())
        ends = [end for node in operations for end, _ in node.next_functions]
        leaves = {id(end): end for end in ends if end is not None and is_accumulator(end)}
        self.nodes: list[Any] = [*operations, *leaves.values()]
        self.stations = [_station(node, n, recording) for n, node in enumerate(self.nodes)]
        self._at = {id(station.node): station for station in self.stations}
        for station in self.stations:
            station.ways = [
                None if end is None else Edge(station.index, self._at[id(end)], output)
                for end, output in station.node.next_functions
            ]
        self._start = Edge(len(self.nodes), self._at[id(root.grad_fn)], output_of(root))
        ways = [edge for station in self.stations for edge in station.ways]
        self.edges = [*filter(None, ways), self._start]
        for edge in self.edges:
            edge.target.needed += 1
        call = ".".join(filter(None, [recording.name_of(root), "backward()"]))
        self._call = [Row("title", call), *_value_rows(root, recording)]
        self._scenes: list[Scene] = []

    @property
    def links(self) -> list[tuple[int, int]]:
        """The edges as pairs of boxes, in the way that gradients go."""
        return [(edge.source, edge.target.index) for edge in self.edges]

    def tell(
        self, log: Log, start: Gradient, *, retain_graph: bool, is_draft: bool = False
    ) -> list[Scene]:
        """Turn `log` into scenes: the start, one for each node that fired, the end.

        Where an engine that `is_draft` runs a node too early, or never, the scenes say so.

        Raises RuntimeError if a node of another engine fired that was not ready, as when a hook has
        started another backward pass through the same graph.
        """
        self._is_draft = is_draft
        for turn, firing in enumerate(log.firings):
            station = self._at[id(firing.node)]
            station.turn = min(station.turn, turn)
        self._begin(start, freed=any(firing.freed for firing in log.firings))
        for firing in log.firings:
            self._fire(self._at[id(firing.node)], firing)
        if log.error is None:
            self._end(retain_graph)
        else:
            self._fail(log.error)
        last = len(self._scenes) - 1
        return [
            replace(scene, title=f"Step {number} of {last}: {scene.title}")
            for number, scene in enumerate(self._scenes)
        ]

    def _begin(self, gradient: Gradient, *, freed: bool) -> None:
        lines = [
            f"This pass has run: .grad has changed{', and the graph is freed' if freed else ''}",
            "A node fires when a gradient has arrived along every arrow that leads to it",
            "The numbers tell in which order the operations were recorded",
            *self._hand_on(self._start, gradient, gradient.text),
        ]
        self._scene(f"{self._call[0].text} starts", lines, self._start.source, [self._start])

    def _fire(self, station: Station, firing: Firing) -> None:
        """Let a node take what is pending for it, and hand gradients on or write `.grad`."""
        early = []
        if station.state != "ready" and self._is_draft:
            early = [f"It fires too early: {station.here} of {station.needed} arrived"]
        elif station.state != "ready":
            raise RuntimeError(
                f"{station.name} fired when it was not ready: another backward pass ran through the"
                " same graph in between (in a hook or a Function), and replay() shows one at a time"
            )
        lines = [*early, *self._why(station), *station.take(firing)]
        if firing.leaving is None:
            station.state = "raises"
            return
        station.state = "fires"
        passed = []
        node, saved = station.node, station.kept
        for slot, (edge, gradient) in enumerate(zip(station.ways, firing.leaving, strict=False)):
            if edge is not None:
                label = labels.handed_on(node, saved, slot, firing.arriving, gradient)
                lines += self._hand_on(edge, gradient, label)
                passed.append(edge)
        if station.grad:
            lines.append(f"Adds it to .grad, which was {station.grad} and is {firing.grad} now")
            station.grad = firing.grad
        station.freed = firing.freed and bool(station.saved())
        if station.freed:
            lines.append(f"Frees what it saved: {', '.join(station.saved())}")
        self._scene(f"{station.name} fires", lines, station.index, passed)
        station.state = "done"

    def _fail(self, error: str) -> None:
        failed = self._in_state("raises")
        other = "The engine" if self._is_draft else "A hook"  # a draft has no hooks yet
        title = f"{failed[0].name if failed else other} raises"
        lines = [error, "Nothing more fires, and every .grad stays as it is"]
        self._scene(title, lines, failed[0].index if failed else None)

    def _end(self, retain_graph: bool) -> None:
        left = [*self._in_state("waits"), *self._in_state("ready")]
        names = ", ".join(station.name for station in left)
        if left and not self._is_draft:
            raise RuntimeError(f"backward() has ended, but did not run {names}")
        lines = [f"It never ran {names}"] if left else []
        lines += [station.view().rows[-1].text for station in self.stations if station.grad]
        if any(station.freed for station in self.stations):
            lines.append("What the nodes saved is freed: a second backward() would fail")
        elif retain_graph:
            lines.append("retain_graph=True has kept what the nodes saved for another backward()")
        self._scene("backward() ends too early" if left else "backward() is done", lines)

    def _why(self, station: Station) -> Iterator[str]:
        """Say why this node came first, where several were ready."""
        ready = self._in_state("ready")
        leaves = [other for other in ready if other.grad]
        if station in leaves and len(leaves) < len(ready):
            yield f"Of {len(ready)} ready nodes an AccumulateGrad goes first"
        elif not leaves and len(ready) > 1 and station is ready[-1]:
            yield f"Of {len(ready)} ready nodes the one recorded last goes first"

    def _hand_on(self, edge: Edge, gradient: Gradient | None, label: str) -> Iterator[str]:
        """Let a gradient pass an edge, and say what that means for the node at its end."""
        station, edge.label = edge.target, label
        if gradient is not None:
            station.pending.setdefault(edge.output, []).append(gradient)
        passed_over = self._arrive(station)
        means = {"waits": ", which waits", "ready": ", which is ready"}.get(station.state, "")
        counted = f": {station.here} of {station.needed} arrived" if station.needed > 1 else ""
        yield f"Hands {label} to {station.name}{means}{counted}"
        yield from (f"Passes over {name}, which gets no gradient" for name in passed_over)

    def _arrive(self, station: Station) -> list[str]:
        """Count an arrival; the last makes a node ready.

        Where only None has arrived, nothing flows on: the node is passed over, and that counts as
        an arrival at those behind it. Returns the names of the nodes passed over.
        """
        names, arrivals = [], [station]
        while arrivals:
            station = arrivals.pop()
            station.here += 1
            if station.here < station.needed:
                continue
            if station.pending or station.turn < math.inf:
                station.state = "ready"
            else:
                station.state = "passed over"
                names.append(station.name)
                arrivals += [edge.target for edge in station.ways if edge is not None]
        return names

    def _in_state(self, state: State) -> list[Station]:
        return [station for station in self.stations if station.state == state]

    def _scene(
        self, title: str, lines: list[str], at: int | None = None, passed: Sequence[Edge] = ()
    ) -> None:
        ready = sorted(self._in_state("ready"), key=lambda each: (each.turn, -each.index))
        waiting = self._in_state("waits")
        several = [
            f"{each.name} ({each.here} of {each.needed})" for each in waiting if each.needed > 1
        ]
        others = len(waiting) - len(several)
        call = BoxView("fires" if at == self._start.source else "done", tuple(self._call))
        edges = [
            EdgeView("later", "")
            if edge.label is None
            else EdgeView("now" if edge in passed else "before", edge.label)
            for edge in self.edges
        ]
        self._scenes.append(
            Scene(
                title,
                (*lines[:MOST_LINES], *(["…"] if len(lines) > MOST_LINES else [])),
                tuple(station.name for station in ready),
                (*several, *([f"{others} for one"] if others else [])),
                (*(station.view() for station in self.stations), call),
                tuple(edges),
                at,
            )
        )


def _station(node: Any, index: int, recording: Recording) -> Station:
    if is_accumulator(node):
        leaf = variable_of(node)
        name = f"AccumulateGrad of {recording.name_of(leaf) or f'leaf{index}'}"
        rows = [Row("title", "AccumulateGrad"), *_value_rows(leaf, recording)]
        return Station(node, index, name, rows, grad=grad_of(leaf))
    saved = read_saved(node)
    sign, name = labels.sign_of(node, saved), f"#{index + 1} {type(node).__name__}"
    made = {n: t for (owner, n), t in recording.results.items() if owner == id(node)}
    names = ", ".join(filter(None, map(recording.name_of, made.values())))
    rows = [Row("title", name), Row("value", f"{sign} → {names}" if names else sign)]
    retaining = {
        number: recording.name_of(tensor) or "the result"
        for number, tensor in made.items()
        if getattr(tensor, "retains_grad", False)
    }
    rows += _saved_rows(saved, recording)
    return Station(node, index, name, rows, saved, retaining=retaining)


def _saved_rows(saved: Saved, recording: Recording) -> list[Row]:
    """Say what a node has saved; if that is much, the last line counts the rest."""
    if saved.freed:
        return [Row("gone", "saved tensors: freed")]
    texts = [
        f"saved {name} = {recording.name_of(value) or values.short(value)}"
        for name, value in saved.tensors().items()
    ]
    if len(texts) > MOST_SAVED:
        texts[MOST_SAVED - 1 :] = [f"saved {len(texts) - MOST_SAVED + 1} more"]
    return [Row("saved", text) for text in texts]


def _value_rows(tensor: TensorLike, recording: Recording) -> list[Row]:
    """Return the name and the value of a tensor as drawings write them."""
    name = recording.name_of(tensor)
    rows = labels.value_rows(name, values.lines(tensor))
    return [Row("value", row.text) for row in rows]


def _by_output(texts: dict[int, str]) -> str:
    """Join what is there for each output of a node; a single first output needs no number."""
    if list(texts) == [0]:
        return texts[0]
    return "; ".join(f"output {output}: {texts[output]}" for output in sorted(texts))


def _total(parts: list[Gradient]) -> Gradient:
    """Add up gradients of one shape; large ones are only described, and all alike."""
    arrays = [np.reshape(part.numbers, part.shape) for part in parts if part.numbers is not None]
    return Gradient.of(np.sum(arrays, axis=0)) if len(arrays) == len(parts) else parts[0]


def _differ(one: Gradient, other: Gradient | None) -> bool:
    """Tell whether two gradients differ by more than rounding, as far as they are known."""
    if other is None or one.numbers is None or other.numbers is None:
        return False
    return not np.allclose(one.numbers, other.numbers, rtol=1e-4, atol=1e-12, equal_nan=True)
