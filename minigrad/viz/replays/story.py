"""From a log to scenes: which nodes wait, which are ready, which one fires, and why."""

import math
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from minigrad.viz import labels, values
from minigrad.viz.gradients import Gradient
from minigrad.viz.picture import Row, RowKind
from minigrad.viz.protocol import TensorLike, is_accumulator, output_of, variable_of
from minigrad.viz.recording import Recording
from minigrad.viz.replays.watching import Firing, Log
from minigrad.viz.saved import Saved, read_saved

State = Literal[
    "waits", "ready", "fires", "done", "passed over", "raises", "wrong",
    "absent", "leaf", "tensor", "constant", "operation",
]  # fmt: skip
"""What state a box shows: of a node in a replay, or of an object in another stepper."""

RULE = "A node runs when a gradient has arrived along every arrow that leads to it"
MOST_LINES = 8
"""A scene leaves out further lines, because a node may have hundreds of inputs."""
MOST_SAVED = 3
"""A box counts further saved tensors instead of listing them."""
MOST_PENDING = 3
"""A box counts gradients that have not been taken instead of listing more than these."""


@dataclass(frozen=True)
class BoxView:
    """A node in one scene; it has the same number of rows in every scene.

    `fresh` marks what this scene is about, because it is new or has changed.
    """

    state: State
    rows: tuple[Row, ...]
    fresh: bool = False


Passing = Literal["absent", "later", "now", "before", "late", "new", "data", "weak"]


@dataclass(frozen=True)
class EdgeView:
    """An edge in one scene: whether a gradient passed `before`, passes `now`, or will `later`.

    A `late` one is never used, because the node at its end has run for the last time. In other
    steppers than a replay, data takes the edge, which may be `new`.
    """

    passing: Passing
    label: str


@dataclass(frozen=True)
class Scene:
    """One moment: what has just happened, and the state of everything after it.

    `at` is the box where it happened. The node that fires next is first in `ready`, which is None
    if no engine is running. `line` is the number of the line of code that has run, if any.
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
        """The ready queue on one line, if there is one."""
        ready = self.ready
        return [] if ready is None else [f"Ready queue: {', '.join(ready) or 'empty'}"]

    def twin(self) -> str:
        """Write the scene as text."""
        waiting = [f"Waiting: {', '.join(self.waiting)}"] if self.waiting else []
        return "\n  ".join([self.title, *self.lines, *self.queue, *waiting])


@dataclass(eq=False)
class NodeTask:
    """A node and its counters: what it waits for, what has arrived, and what it has taken."""

    node: Any
    index: int
    name: str
    rows: list[Row]
    kept: Saved = field(default_factory=Saved)  # before the pass
    grad: str = ""  # of the leaf, for an AccumulateGrad
    retaining: dict[int, str] = field(default_factory=dict)  # names of tensors, by output
    edges: list["Edge | None"] = field(default_factory=list)  # as in `next_functions`
    needed: int = 0
    arrived: int = 0
    state: State = "waits"
    turn: float = math.inf  # when it will fire
    left: int = 0  # how often it will still fire
    pending: dict[int, list[Gradient]] = field(default_factory=dict)  # by output
    took: str = ""
    wrong: bool = False  # whether its last run was a mistake of the engine
    lost: list[Gradient] = field(default_factory=list)  # what arrived after its last run
    freed: bool = False

    def take(self, firing: Firing) -> Iterator[str]:
        """Take what is pending; say so, and whether a hook has changed it."""
        self.took = self.holds()
        yield f"Receives {self.took or 'nothing'}"
        seen = _seen(firing)
        if any(_differ(_total(parts), seen.get(n)) for n, parts in self.pending.items()):
            self.took = _by_output({number: each.text for number, each in seen.items()})
            yield f"A hook changes it to {self.took}"
        self.pending = {}
        yield from self.retain(firing)

    def retain(self, firing: Firing) -> Iterator[str]:
        """Say which tensors retain the gradient that the node ran with."""
        seen = _seen(firing)
        for number, name in self.retaining.items():
            if number in seen:
                yield f"{name} retains its gradient: {name}.grad = {seen[number].text}"

    def take_in_draft(self, firing: Firing) -> Iterator[str]:
        """Take what the reader's engine has passed, and say what is wrong with it.

        An engine of one's own may run a node before everything has arrived, or once more for what
        it has passed on already. Nobody tells us, so we compare what it runs the node with to what
        is pending.
        """
        again = bool(self.took)
        for number, gradient in _seen(firing).items():
            pending = self.pending.get(number, [])
            taken = _parts_of(gradient, pending)
            self.took = labels.sum_of(taken, gradient) if taken else gradient.text
            if not taken:
                self.wrong = True
                new = f"only {_sum_of(pending)} is new" if pending else "nothing new has arrived"
                yield f"✗ Runs again with {gradient.text}, although {new}"
                self.pending[number] = []
            else:
                yield f"{'Runs again, and receives' if again else 'Receives'} {self.took}"
                used = set(map(id, taken))
                self.pending[number] = [each for each in pending if id(each) not in used]
        rest = [each for parts in self.pending.values() for each in parts]
        if not self.left and self.arrived < self.needed:
            self.wrong = True
            count = f"only {self.arrived} of {self.needed} had arrived"
            yield f"✗ Runs too early: {count}, and it never runs again"
        elif not self.left and rest:
            self.wrong = True
            yield f"✗ Leaves out {_sum_of(rest)}, and never runs again"

    def holds(self) -> str:
        """Write what is pending, and each sum with its parts."""
        return _by_output({n: _sum_of(parts) for n, parts in self.pending.items() if parts})

    def to_come(self) -> str:
        """Write what is pending one by one, because an engine of one's own need not add it up."""
        texts = [each.text for parts in self.pending.values() for each in parts]
        return f"{len(texts)} gradients" if len(texts) > MOST_PENDING else ", ".join(texts)

    def saved(self) -> list[str]:
        """Return the names of what the node has saved."""
        texts = [row.text.removeprefix("saved ") for row in self.rows if row.kind == "saved"]
        return [text.partition(" =")[0] for text in texts]

    def view(self, adds: bool) -> BoxView:
        """Return the box as it is now; `adds` says whether the engine adds up what is pending."""
        kind: RowKind = "wrong" if self.wrong or self.lost else "gradient"
        state: State = "wrong" if self.wrong and self.state == "fires" else self.state
        words = [{"fires": "runs", "raises": "✗ raises"}.get(self.state, str(self.state))]
        if self.state == "waits":
            waits = f"waits: {self.arrived} of {self.needed} arrived"
            words = [waits if adds else f"needs {self.needed}, {self.arrived} arrived"]
        if self.took:
            words.append(f"received {self.took}")
        if self.lost:
            words = [f"✗ {words[-1]}", f"too late: {_sum_of(self.lost)}"]
        elif any(self.pending.values()):
            words.append(f"holds {self.holds()}" if adds else f"pending: {self.to_come()}")
        rows = [
            Row("gone" if self.freed and row.kind == "saved" else row.kind, row.text)
            for row in self.rows
        ]
        rows.append(Row("wrong" if self.state == "raises" else kind, ", ".join(words)))
        if self.grad:
            rows.append(Row("value", f"{self.name.split()[-1]}.grad = {self.grad}"))
        return BoxView(state, tuple(rows))


@dataclass(eq=False)
class Edge:
    """An edge from box number `source` to an output of the node of `target`, for a gradient."""

    source: int
    target: NodeTask
    output: int
    label: str | None = None  # the gradient that has passed
    late: bool = False  # whether it came after the target's last run


class Story:
    """The graph that a backward pass will run through, and the scenes of that pass.

    Operations are numbered in the order in which they were recorded. They are followed by the
    AccumulateGrads and by the call of `backward()`, which is not a node but passes the root its
    gradient.

    Create it before the pass, let `watch` log its `nodes`, and then make the scenes from the log.
    `engine` is the name of the reader's function that runs the pass, if there is one.
    """

    def __init__(self, recording: Recording, engine: str = "") -> None:
        root: Any = recording.roots[0]
        operations: list[Any] = list(recording.operations)
        with suppress(AttributeError):  # chapter 03 does not number its nodes, so inputs come first
            operations.sort(key=lambda node: node._sequence_nr())
        ends = [end for node in operations for end, _ in node.next_functions]
        leaves = {id(end): end for end in ends if end is not None and is_accumulator(end)}
        self.nodes: list[Any] = [*operations, *leaves.values()]
        self.tasks = [_task_of(node, n, recording) for n, node in enumerate(self.nodes)]
        self._at = {id(task.node): task for task in self.tasks}
        for task in self.tasks:
            task.edges = [
                None if end is None else Edge(task.index, self._at[id(end)], output)
                for end, output in task.node.next_functions
            ]
        self._start = Edge(len(self.nodes), self._at[id(root.grad_fn)], output_of(root))
        edges = [edge for task in self.tasks for edge in task.edges]
        self.edges = [*filter(None, edges), self._start]
        for edge in self.edges:
            edge.target.needed += 1
        call = ".".join(filter(None, [recording.name_of(root), "backward()"]))
        self._name = f"{engine}()" if engine else "backward()"
        self._call = [Row("title", self._name if engine else call), *_value_rows(root, recording)]
        self._has_queue = not engine
        self._scenes: list[Scene] = []

    @property
    def links(self) -> list[tuple[int, int]]:
        """The edges as pairs of boxes, in the direction of the gradients."""
        return [(edge.source, edge.target.index) for edge in self.edges]

    def make_scenes(
        self, log: Log, start: Gradient, *, retain_graph: bool, is_draft: bool = False
    ) -> list[Scene]:
        """Turn `log` into scenes: the start, one for each node that fired, the end.

        If an engine that `is_draft` runs a node too early, too often or never, the scenes say so.

        Raises RuntimeError if a node of any other engine fired that was not ready, for example
        because a hook has started another backward pass through the same graph.
        """
        self._is_draft = is_draft
        for turn, firing in enumerate(log.firings):
            task = self._at[id(firing.node)]
            task.turn = min(task.turn, turn)
            task.left += 1
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
            f"This pass has already run: .grad has changed{' and the graph is freed' * freed}",
            *([RULE] if self._has_queue else []),
            "The numbers show the order of recording",
            *self._hand_on(self._start, gradient, gradient.text),
        ]
        self._scene(f"{self._call[0].text} starts", lines, self._start.source, [self._start])

    def _fire(self, task: NodeTask, firing: Firing) -> None:
        """Let a node take what is pending for it, and pass gradients on or write `.grad`."""
        task.left -= 1
        task.wrong = False
        again = bool(task.took)
        if self._is_draft:
            lines = [*self._why(task), *task.take_in_draft(firing)]
            if self._has_queue:  # a library's engine; nobody knows whether a function retains
                lines += task.retain(firing)
        elif task.state == "ready":
            lines = [*self._why(task), *task.take(firing)]
        else:
            raise RuntimeError(
                f"{task.name} ran when it was not ready: another backward pass ran through the"
                " same graph in between (in a hook or a Function), and replay() shows one at a time"
            )
        if firing.leaving is None:
            task.state = "raises"
            return
        task.state = "fires"
        passed = []
        node, saved = task.node, task.kept
        for slot, (edge, gradient) in enumerate(zip(task.edges, firing.leaving, strict=False)):
            if edge is not None:
                label = labels.passed_gradient(node, saved, slot, firing.arriving, gradient)
                lines += self._hand_on(edge, gradient, label)
                passed.append(edge)
        if task.grad:
            how = "Overwrites" if firing.replaced else "Adds it to"
            if firing.replaced and again:  # what another path has brought in the same pass
                task.wrong, how = True, f"✗ {how}"
            lines.append(f"{how} .grad: {task.grad} → {firing.grad}")
            task.grad = firing.grad
        task.freed = firing.freed and bool(task.saved())
        if task.freed:
            lines.append(f"Frees what it saved: {', '.join(task.saved())}")
        self._scene(f"{task.name} runs", lines, task.index, passed)
        task.state = "done"

    def _fail(self, error: str) -> None:
        failed = self._in_state("raises")
        other = "The engine" if self._is_draft else "A hook"  # a draft has no hooks
        title = f"{failed[0].name if failed else other} raises"
        lines = [f"✗ {error}", "Nothing else runs, and every .grad stays as it is"]
        self._scene(title, lines, failed[0].index if failed else None)

    def _end(self, retain_graph: bool) -> None:
        left = [*self._in_state("waits"), *self._in_state("ready")]
        names = ", ".join(task.name for task in left)
        if left and not self._is_draft:
            raise RuntimeError(f"backward() has ended, but did not run {names}")
        lines = [f"✗ It never ran {names}"] if left else []
        lines += [
            f"✗ {_sum_of(task.lost)} reached {task.name} after its last run, and was lost"
            for task in self.tasks
            if task.lost
        ]
        lines += [task.view(self._has_queue).rows[-1].text for task in self.tasks if task.grad]
        if any(task.freed for task in self.tasks):
            lines.append("What the nodes saved is freed: a second backward() would fail")
        elif retain_graph:
            lines.append("retain_graph=True has kept what the nodes saved for another backward()")
        self._scene(f"{self._name} {'ends too early' if left else 'is done'}", lines)

    def _why(self, task: NodeTask) -> Iterator[str]:
        """Say why this node was first, if several were ready."""
        ready = self._in_state("ready") if self._has_queue else []
        leaves = [other for other in ready if other.grad]
        if task in leaves and len(leaves) < len(ready):
            yield f"Of {len(ready)} ready nodes, an AccumulateGrad runs first"
        elif not leaves and len(ready) > 1 and task is ready[-1]:
            yield f"Of {len(ready)} ready nodes, the newest runs first"

    def _hand_on(self, edge: Edge, gradient: Gradient | None, label: str) -> Iterator[str]:
        """Let a gradient pass an edge, and say what follows for the node at its end."""
        task, edge.label = edge.target, label
        edge.late = False
        if gradient is not None and task.took and not task.left:  # possible in a draft only
            edge.late = True
            task.lost.append(gradient)
            yield f"✗ Passes {label} to {task.name} too late: it has run for the last time"
            return
        if gradient is not None:
            task.pending.setdefault(edge.output, []).append(gradient)
        passed_over = self._arrive(task)
        means = {"waits": ", which waits", "ready": ", which is now ready"}.get(task.state, "")
        means = means if self._has_queue else ""
        counts = task.needed > 1 and task.arrived <= task.needed
        counted = f" ({task.arrived} of {task.needed} arrived)" if counts else ""
        *rule, last = label.split("\n")
        if last.startswith("sum over") and gradient is not None:
            yield from (f"Computes {each}" for each in rule)
            yield f"Sums it on the edge, {last.removeprefix('sum ').partition(' = ')[0]}"
            last = gradient.text
        yield f"Passes {last} to {task.name}{means}{counted}"
        yield from (f"Skips {name}, which gets no gradient" for name in passed_over)

    def _arrive(self, task: NodeTask) -> list[str]:
        """Count an arrival, and return the names of the nodes that are passed over.

        The last arrival makes a node ready. If only None has arrived, the node is passed over,
        which counts as an arrival at the nodes behind it.
        """
        names, arrivals = [], [task]
        while arrivals:
            task = arrivals.pop()
            task.arrived += 1
            if task.arrived < task.needed or task.state == "done":
                continue
            if task.pending or task.turn < math.inf:
                task.state = "ready"
            else:
                task.state = "passed over"
                names.append(task.name)
                arrivals += [edge.target for edge in task.edges if edge is not None]
        return names

    def _in_state(self, state: State) -> list[NodeTask]:
        return [task for task in self.tasks if task.state == state]

    def _scene(
        self, title: str, lines: list[str], at: int | None = None, passed: Sequence[Edge] = ()
    ) -> None:
        ready = sorted(self._in_state("ready"), key=lambda each: (each.turn, -each.index))
        waiting = self._in_state("waits")
        several = [
            f"{each.name} ({each.arrived} of {each.needed})" for each in waiting if each.needed > 1
        ]
        others = len(waiting) - len(several)
        rest = [f"{others} other{'s' * (others > 1)}" if several else f"{others}"] * bool(others)
        call = BoxView("fires" if at == self._start.source else "done", tuple(self._call))
        edges = []
        for edge in self.edges:
            passing: Passing = "late" if edge.late else "now" if edge in passed else "before"
            view = EdgeView("later", "") if edge.label is None else EdgeView(passing, edge.label)
            edges.append(view)
        self._scenes.append(
            Scene(
                title,
                (*lines[:MOST_LINES], *(["…"] if len(lines) > MOST_LINES else [])),
                tuple(task.name for task in ready) if self._has_queue else None,
                (*several, *rest) if self._has_queue else (),
                (*(task.view(self._has_queue) for task in self.tasks), call),
                tuple(edges),
                at,
            )
        )


def _task_of(node: Any, index: int, recording: Recording) -> NodeTask:
    if is_accumulator(node):
        leaf = variable_of(node)
        name = f"AccumulateGrad of {recording.name_of(leaf) or f'leaf{index}'}"
        rows = [Row("title", "AccumulateGrad"), *_value_rows(leaf, recording)]
        return NodeTask(node, index, name, rows, grad=values.grad_of(leaf))
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
    return NodeTask(node, index, name, rows, saved, retaining=retaining)


def _saved_rows(saved: Saved, recording: Recording) -> list[Row]:
    """Say what a node has saved, with a count of the rest if there is a lot."""
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
    """Return the name and the value of a tensor as in drawings."""
    name = recording.name_of(tensor)
    rows = labels.value_rows(name, values.lines(tensor))
    return [Row("value", row.text) for row in rows]


def _seen(firing: Firing) -> dict[int, Gradient]:
    """Return the gradients that a node ran with, by output."""
    return {number: each for number, each in enumerate(firing.arriving) if each is not None}


def _parts_of(gradient: Gradient, pending: list[Gradient]) -> list[Gradient]:
    """Return which of the pending gradients add up to `gradient`: all, one, or none."""
    for parts in ([pending] if pending else []) + [[each] for each in pending]:
        if not _differ(_total(parts), gradient):
            return parts
    return []


def _sum_of(parts: list[Gradient]) -> str:
    return labels.sum_of(parts, _total(parts)) if parts else "nothing"


def _by_output(texts: dict[int, str]) -> str:
    """Join the texts about the outputs of a node, with numbers unless there is only the first."""
    if list(texts) == [0]:
        return texts[0]
    return "; ".join(f"output {output}: {texts[output]}" for output in sorted(texts))


def _total(parts: list[Gradient]) -> Gradient:
    """Add up gradients of one shape; large ones have no numbers, so the first describes the sum."""
    arrays = [np.reshape(part.numbers, part.shape) for part in parts if part.numbers is not None]
    return Gradient.of(np.sum(arrays, axis=0)) if len(arrays) == len(parts) else parts[0]


def _differ(one: Gradient, other: Gradient | None) -> bool:
    """Tell whether two gradients are known to differ by more than rounding."""
    if other is None or one.numbers is None or other.numbers is None:
        return False
    return not np.allclose(one.numbers, other.numbers, rtol=1e-4, atol=1e-12, equal_nan=True)
