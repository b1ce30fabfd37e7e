"""Steppers: pictures that change over time, in the player of `replay`.

    from minigrad_course.pictures.steppers import step_freeing, step_record, step_stations
    from minigrad_course.pictures.steppers import slide_h, step_draft, step_order, step_versions

`step_draft` follows the draft of chapter 01 along each path, and `step_order` visits its tensors
once each. `step_record` runs a program statement by statement and shows how its graph grows, while
`step_versions` shows the memory that tensors share, its version counter, and the version that
backward expects. `step_freeing` runs a backward pass and shows when saved arrays are freed, and
`step_stations` shows where a gradient stops on its way. `slide_h` changes the step of a secant. All
of them read the notebook's own objects again at each step, so if the notebook's engine has a bug,
they show it.
"""

from __future__ import annotations

import ast
import math
import re
import sys
import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from html import escape
from types import SimpleNamespace
from typing import Any

import numpy as np

from minigrad.viz import values
from minigrad.viz.compose import CUT, compose
from minigrad.viz.engines import engine_of, run_backward
from minigrad.viz.palette import BLUE, GRADIENT, GREY, INK, ORANGE
from minigrad.viz.picture import Row
from minigrad.viz.protocol import (
    TensorLike,
    hooks_of,
    is_accumulator,
    library_of,
    memory_of,
    name_of_hook,
    output_of,
    shares_memory,
    variable_of,
)
from minigrad.viz.recording import Recording, names_in, record
from minigrad.viz.replays import Replay
from minigrad.viz.replays.page import Layout, Stills, arrange
from minigrad.viz.replays.story import BoxView, EdgeView, Scene
from minigrad.viz.saved import read_saved

Link = tuple[Hashable, Hashable, int]  # tail, head, and a slot, because there may be several


@dataclass
class Moment:
    """A snapshot: boxes by keys that identify their objects, and links between them."""

    title: str
    boxes: dict[Hashable, BoxView] = field(default_factory=dict)
    links: dict[Link, str] = field(default_factory=dict)
    lines: tuple[str, ...] = ()
    line: int | None = None
    kept: list[Any] = field(default_factory=list)  # alive, so that their ids stay unique


# --- the mechanism --------------------------------------------------------------------------------


def replay_of(
    moments: list[Moment],
    what: str,
    code: Sequence[str] = (),
    *,
    direction: Any = "TB",
    back: Sequence[Link] = (),
    up: bool = False,
    only_last: bool = False,
) -> Replay:
    """Make a replay of moments, with each box in a fixed place and changes marked.

    It opens at the first moment with a box, so that nobody sees an empty frame. A box that acts has
    a frame; where none acts, new and changed boxes have it. Links in `back`, which gradients will
    travel, are drawn thin from the start and point up, because data flows down. With `up` all links
    point up, but appear only in their moment, and until then a box is dashed and has only a title.
    With `only_last` the last moment alone is shown if scripts do not run.
    """
    things = list(dict.fromkeys(key for each in moments for key in each.boxes))
    links = list(dict.fromkeys([*back, *(link for each in moments for link in each.links)]))
    heights = {
        key: max(len(each.boxes[key].rows) for each in moments if key in each.boxes)
        for key in things
    }
    place = {key: number for number, key in enumerate(things)}
    scenes = []
    first = next(number for number, each in enumerate(moments) if each.boxes)
    before = moments[0]
    for number, now in enumerate(moments):
        boxes, fresh = [], []
        acting = [key for key, view in now.boxes.items() if view.state in ("fires", "raises")]
        for key in things:
            view = now.boxes.get(key, BoxView("absent", ()))
            known = before.boxes.get(key, view if number == 0 else None)
            if view.rows and (known is None or view.rows != known.rows):
                fresh.append(key)
                view = replace(view, fresh=not acting)
            if up and view.state == "absent":
                title = next(each.boxes[key].rows[0] for each in moments if key in each.boxes)
                view = BoxView("waits", (title,))
            blank = (Row("value", ""),) * (heights[key] - len(view.rows))
            boxes.append(replace(view, rows=view.rows + blank))
        edges = [
            EdgeView("later", "")
            if link in back and link not in now.links
            else EdgeView(passing(link, before, now, up or link in back), now.links.get(link, ""))
            for link in links
        ]
        scenes.append(
            Scene(
                f"Step {number} of {len(moments) - 1}: {now.title}",
                (*now.lines, *changes(before, now, fresh)),
                None,
                (),
                tuple(boxes),
                tuple(edges),
                place[(acting or fresh)[-1]] if acting or fresh else None,
                now.line,
            )
        )
        before = now
    pairs = [(place[tail], place[head]) for tail, head, _ in links]
    shown = scenes[first:]

    def draw() -> Stills:
        layout = arrange(shown, pairs, direction, up or bool(back))
        return Stills(shown, layout, what, code, only_last)

    return Replay(shown, draw)


def passing(link: Link, before: Moment, now: Moment, carries_gradient: bool) -> Any:
    """The state of a link: absent, weak, new, or as before."""
    if link not in now.links:
        return "absent"
    if now.links[link] == CUT:
        return "weak"
    is_new = before.links.get(link) != now.links[link]
    if carries_gradient:
        return "now" if is_new else "before"
    return "new" if is_new else "data"


def changes(before: Moment, now: Moment, fresh: list[Hashable]) -> Iterator[str]:
    """Sentences about what is new, changed or gone, for the text beside the picture."""
    for key in fresh:
        title, *rows = [row.text for row in now.boxes[key].rows]
        if key not in before.boxes:
            yield f"New: {title}" + (f" ({'; '.join(rows)})" if rows else "")
        else:
            old = [row.text for row in before.boxes[key].rows]
            if new := [text for text in rows if text not in old]:
                yield f"{title}: {'; '.join(new)}"
    for key in before.boxes:
        if key not in now.boxes:
            yield f"Gone: {before.boxes[key].rows[0].text}"


def run_stepwise(
    program: str, given: dict[str, Any], look: Callable[[Recording, Moment], None]
) -> tuple[list[Moment], list[str]]:
    """Run a program in a copy of the page's names, and `look` at its graph after each statement.

    An error ends the program and becomes the last moment.
    """
    program = textwrap.dedent(program).strip()
    moments = [Moment("nothing has run yet")]
    space = dict(given)
    for statement in ast.parse(program).body:
        text = (ast.get_source_segment(program, statement) or "").partition("\n")[0]
        now = Moment(text, line=statement.lineno - 1)
        failed = False
        try:
            exec(compile(ast.Module([statement], []), "<stepper>", "exec"), space)
        except Exception as error:
            sentence = str(error).partition(". ")[0].partition("\n")[0]
            now.lines = (f"✗ {type(error).__name__}: {sentence}",)
            failed = True
        own = {name: value for name, value in space.items() if given.get(name) is not value}
        look(recorded(own, given), now)
        moments.append(now)
        if failed:
            break
    return moments, program.splitlines()


def recorded(own: dict[str, Any], given: dict[str, Any]) -> Recording:
    """The graph behind a program's tensors, with names from the program and from the page."""

    def named(names: dict[str, Any]) -> list[tuple[str, Any]]:
        return list(names_in(SimpleNamespace(f_locals=names, f_globals={})))  # type: ignore[arg-type]

    mine = named(own)
    reached = record(tuple(tensor for _, tensor in mine), mine, sys.maxsize)
    known = {id(leaf) for leaf in reached.all_leaves}
    known |= {id(node) for node in reached.operations}
    others = [pair for pair in named(given) if {id(pair[1]), id(pair[1].grad_fn)} & known]
    roots = {id(tensor): tensor for _, tensor in mine}
    return record(tuple(roots.values()), [*mine, *others], sys.maxsize)


def page_of(frame: Any) -> dict[str, Any]:
    """The names that are visible in a cell."""
    return {**frame.f_globals, **frame.f_locals}


def reached(starts: Iterable[Any], following: Callable[[Any], Iterable[Any]]) -> list[Any]:
    """Objects and all that `following` leads to from them, each once, the nearest first."""
    found = list(starts)
    for each in found:  # the loop appends to it
        for other in following(each):
            if not any(other is known for known in found):
                found.append(other)
    return found


def names_of(page: dict[str, Any]) -> dict[int, str]:
    """The names of the objects on a page, by id, except those with a leading underscore."""
    return {id(each): name for name, each in page.items() if name[:1] != "_"}


# --- programs -------------------------------------------------------------------------------------


def step_record(program: str) -> Replay:
    """Run `program` statement by statement, and show how its graph grows.

    The program can use the page's names, but does not rebind them.
    """
    kinds = {"leaf": "leaf", "tensor": "tensor", "operation": "operation"}

    def look(recording: Recording, now: Moment) -> None:
        keys: dict[int, str] = {}
        picture = compose(recording, hooks=False, keys=keys)
        things: dict[str, Hashable] = {key: number for number, key in keys.items()}
        for arrow in picture.arrows:  # an unnamed constant is identified by what uses it
            box = next(box for box in picture.boxes if box.key == arrow.tail)
            if box.kind == "constant" and box.ref.startswith("("):
                things[box.key] = (things[arrow.head], arrow.slot)
        for box in picture.boxes:
            rows = tuple(row for row in box.rows if row.text != "grad = None")
            now.boxes[things[box.key]] = BoxView(kinds.get(box.kind, "constant"), rows)  # type: ignore[arg-type]
        for arrow in picture.arrows:
            label = CUT if arrow.kind == "cut" else ""
            now.links[things[arrow.tail], things[arrow.head], arrow.slot or 0] = label
        if not recording.operations:
            now.lines += ("No operation is recorded",)
        now.kept = [*recording.variables, *recording.operations, *recording.all_leaves]

    moments, code = run_stepwise(program, page_of(sys._getframe(1)), look)
    return replay_of(moments, "A graph is recorded", code)


def step_versions(program: str) -> Replay:
    """Run `program` statement by statement, and show each memory, its holders and its version.

    A node shows at which version it saved a tensor and, after an edit, the version it finds now.
    """
    memories: list[Any] = []  # one tensor for each memory
    seen: dict[tuple[int, str], str] = {}  # what a node saved originally
    links: dict[Link, str] = {}  # from nodes to the memories of their saved tensors

    def memory(tensor: Any) -> tuple[str, int] | None:
        """The key of the memory that a tensor shares with a named tensor; None if there is none."""
        same = (
            n for n, each in enumerate(memories) if each is tensor or shares_memory(each, tensor)
        )
        return next((("memory", number) for number in same), None)

    def look(recording: Recording, now: Moment) -> None:
        counters: dict[tuple[str, int], dict[int, None]] = {}
        named = [t for t in recording.variables if recording.name_of(t)]
        for tensor in named:
            place = memory(tensor) or ("memory", len(memories))
            if place[1] == len(memories):
                memories.append(tensor)
            counters.setdefault(place, {})[getattr(tensor, "_version", 0)] = None
            title = Row("title", str(recording.name_of(tensor)))
            now.boxes[id(tensor)] = BoxView("leaf" if tensor.is_leaf else "tensor", (title,))
            now.links[id(tensor), place, 0] = ""
        for place, versions in counters.items():
            shown = max((t for t in named if memory(t) == place), key=lambda t: math.prod(t.shape))
            letter = chr(ord("A") + place[1])
            rows = [Row("title", f"memory {letter}: {values.short(shown)}")]
            rows += [Row("memory", f"version {', '.join(map(str, versions))}")]
            now.boxes[place] = BoxView("ready", tuple(rows))
        for node in recording.operations:
            saved = read_saved(node)
            texts = {}
            for name, value in saved.tensors().items():
                text = f"saved {name} at version {getattr(value, '_version', 0)}"
                texts[name] = seen.setdefault((id(node), name), text)
                place = memory(value)
                if place in now.boxes:
                    links[id(node), place, 1] = ""
            for name, why in saved.lost.items():
                moved = re.search(r"version \d+ → (\d+)", why)
                texts[name] = (
                    f"{seen.get((id(node), name), name)}, now {moved[1] if moved else why}"
                )
            texts |= {"freed": "saved tensors: freed"} if saved.freed else {}
            if texts:
                now.links |= {link: "" for link in links if link[0] == id(node) and not saved.freed}
                rows = [Row("title", type(node).__name__)]
                rows += [
                    Row("wrong", f"✗ {text}") if name in saved.lost else Row("saved", text)
                    for name, text in texts.items()
                ]
                now.boxes[id(node)] = BoxView("raises" if saved.lost else "operation", tuple(rows))
        now.kept = [*recording.variables, *recording.operations]

    moments, code = run_stepwise(program, page_of(sys._getframe(1)), look)
    # The last moment is enough, because it shows what every write has spoiled.
    return replay_of(moments, "Memory and its versions", code, direction="LR", only_last=True)


# --- a backward pass ------------------------------------------------------------------------------


def run_watched(
    tensor: Any, nodes: Sequence[Any], before: Callable[[Any], None], *, retain_graph: bool
) -> str:
    """Run `tensor.backward()`, call `before` ahead of each node, and return the error or ""."""
    engine = engine_of(tensor) if library_of(tensor) is None else None
    see = (lambda node, _: before(node)), (lambda *_: None)
    try:
        run_backward(tensor, None, nodes, *see, engine=engine, retain_graph=retain_graph)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).partition('. ')[0]}"
    return ""


def nodes_of(recording: Recording) -> list[Any]:
    """The operations and the AccumulateGrads of a graph."""
    ends = [end for node in recording.operations for end, _ in node.next_functions]
    leaves = {id(end): end for end in ends if end is not None and is_accumulator(end)}
    return [*recording.operations, *leaves.values()]


def step_draft(result: Any) -> Replay:
    """Run `result.backward()` of chapter 01's draft, and show each call, one path after another.

    A tensor of the draft has a `value`, a `grad`, and pairs of a tensor and a slope in `made_from`.
    The pass is real, so gradients are added to `grad`. The notebook replaces `backward` later, but
    keeps the one that follows paths as `every_path`.
    """
    kind, original = type(result), type(result).backward
    every_path = getattr(kind, "every_path", original)
    page = page_of(sys._getframe(1))
    names = names_of(page)
    tensors = draft_tensors(result)
    called = {id(each): draft_name(each, names) for each in tensors}
    moments: list[Moment] = []
    calls: list[tuple[Any, float, Iterator[int]]] = []  # the path from the result to here
    pending: list[tuple[str, str, Any, float]] = []  # the last call, shown once it has set `grad`
    links: dict[Link, str] = {}

    def look(title: str, *lines: str) -> None:
        acting = calls[-1][0] if calls else None
        moments.append(draft_moment(tensors, names, links, title, acting, *lines))

    def show_pending() -> None:
        if pending:
            title, line, called_on, before = pending.pop()
            lines = [line]
            if before and called_on.grad == calls[-1][1]:
                lines.append(f"the {values.number(before)} that was there is lost")
            look(title, *lines)

    def traced(self: Any, grad: float = 1.0) -> None:
        show_pending()
        incoming, name = values.number(float(grad)), called[id(self)]
        line = f"{name} receives {incoming}"
        if calls:
            above, sent, slots = calls[-1]
            for slot in slots:
                slope = float(above.made_from[slot][1])
                product = f"{values.number(float(sent))} × {values.number(slope)}"
                links[id(above), id(self), slot] = product
                line = f"{name} receives {product} = {incoming}"
                break
        calls.append((self, grad, iter(range(len(self.made_from)))))
        pending.append((f"backward of {name}", line, self, float(self.grad)))
        every_path(self, grad)
        show_pending()
        calls.pop()

    look("before backward()")
    kind.backward = traced
    try:
        result.backward()
    finally:
        kind.backward = original
    return replay_of(moments, "backward() follows each path", back=draft_links(tensors))


def step_order(result: Any) -> Replay:
    """Run the ordered `result.backward()` of chapter 01, and show each tensor as it is visited.

    A visit is an assignment to `grad`. The pass is real, so gradients are added to `grad`.
    """
    kind: Any = type(result)
    names = names_of(page_of(sys._getframe(1)))
    tensors = draft_tensors(result)
    sent: dict[int, float] = {}
    links: dict[Link, str] = {}

    moments = [draft_moment(tensors, names, links, "before backward()")]

    def traced(self: Any, attribute: str, value: Any) -> None:
        before = getattr(self, attribute, 0.0)
        object.__setattr__(self, attribute, value)
        if attribute != "grad":
            return
        products = []
        for above in tensors:
            for slot, (tensor, slope) in enumerate(above.made_from):
                if tensor is self and id(above) in sent:
                    sending = values.number(sent[id(above)])
                    products.append(f"{sending} × {values.number(float(slope))}")
                    links[id(above), id(self), slot] = products[-1]
        sent[id(self)] = float(value) - float(before)
        received = " = ".join(filter(None, [" + ".join(products), values.number(sent[id(self)])]))
        name = draft_name(self, names)
        visit = f"visit {name}", self, f"{name} receives {received}"
        moments.append(draft_moment(tensors, names, links, *visit))

    kind.__setattr__ = traced
    try:
        result.backward()
    finally:
        del kind.__setattr__
    return replay_of(moments, "backward() visits each tensor", back=draft_links(tensors))


def draft_moment(
    tensors: list[Any],
    names: dict[int, str],
    links: dict[Link, str],
    title: str,
    acting: Any = None,
    *lines: str,
) -> Moment:
    """A draft's tensors with their gradients; the one that acts is framed."""
    boxes: dict[Hashable, BoxView] = {}
    for each in tensors:
        leaf = "leaf" if id(each) in names else "constant"
        state = "fires" if each is acting else "tensor" if each.made_from else leaf
        grad = Row("gradient", f"grad = {values.number(float(each.grad))}")
        boxes[id(each)] = BoxView(state, (*draft_rows(each, names), grad))  # type: ignore[arg-type]
    return Moment(title, boxes, dict(links), lines, kept=tensors)


def draft_links(tensors: list[Any]) -> list[Link]:
    """The ways from each tensor of the draft to those that it was made from."""
    return [
        (id(each), id(tensor), slot)
        for each in tensors
        for slot, (tensor, _) in enumerate(each.made_from)
    ]


def draft_tensors(result: Any) -> list[Any]:
    """A tensor of the draft, and all tensors that it was computed from."""
    return reached([result], lambda each: [tensor for tensor, _ in each.made_from])


def draft_rows(tensor: Any, names: dict[int, str]) -> tuple[Row, ...]:
    """A tensor of the draft: its variable, or else the operation that made it, and its value."""
    value = values.number(float(tensor.value))
    name = names.get(id(tensor))
    if name or not tensor.made_from:
        return (Row("title", f"{name or 'constant'} = {value}"),)
    return Row("title", draft_operation(tensor)), Row("value", f"value = {value}")


def draft_name(tensor: Any, names: dict[int, str]) -> str:
    """A tensor of the draft in a sentence: its variable, its operation, or "constant"."""
    return draft_rows(tensor, names)[0].text.partition(" =")[0]


def draft_operation(tensor: Any) -> str:
    """The sign of the operation that made a tensor, or "f" for one that is not known.

    The draft notes no operation, but the value and the slopes of a result tell which one it was.
    """
    inputs = [float(each.value) for each, _ in tensor.made_from]
    slopes = [float(slope) for _, slope in tensor.made_from]
    x, value = inputs[0], float(tensor.value)
    exponent = round(slopes[0] * x / value, 9) if value else 0.0
    known: dict[str, Callable[[], tuple[float, list[float]]]] = {
        "+": lambda: (sum(inputs), [1.0] * len(inputs)),
        "×": lambda: (x * inputs[1], [inputs[1], x]),
        "log": lambda: (math.log(x), [1 / x]),
        "sigmoid": lambda: (1 / (1 + math.exp(-x)), [value * (1 - value)]),
        f"** {values.number(exponent)}": lambda: (x**exponent, [exponent * x ** (exponent - 1)]),
    }
    for sign, compute in known.items():
        with suppress(ArithmeticError, IndexError, TypeError, ValueError):
            expected, factors = compute()
            if np.allclose([value, *slopes], [expected, *factors]):
                return sign
    return "f"


def step_freeing(tensor: Any, *, retain_graph: bool = False) -> Replay:
    """Run `tensor.backward()`, and show before each node what the graph still holds, in bytes.

    The pass is real, so gradients are added to `.grad` and saved tensors are freed.
    """
    recording = record((tensor,), names_in(sys._getframe(1)), sys.maxsize)
    nodes = nodes_of(recording)
    ways = {
        id(node): [
            (id(node), id(following), slot)
            for slot, (following, _) in enumerate(node.next_functions)
            if following is not None
        ]
        for node in nodes
    }
    moments: list[Moment] = []
    first: dict[int, list[str]] = {}
    ran: list[Any] = []

    def look(title: str, running: Any = None) -> None:
        now = Moment(title)
        held = []
        for node in nodes:
            if is_accumulator(node):
                leaf = variable_of(node)
                name = recording.name_of(leaf) or "a leaf"
                grad = "None" if leaf.grad is None else values.short(leaf.grad)
                rows = [
                    Row("title", f"AccumulateGrad of {name}"),
                    Row("gradient", f"grad = {grad}"),
                ]
            else:
                saved = read_saved(node).tensors()
                held += saved.values()
                texts = {
                    name: f"{name} = {recording.name_of(each) or values.short(each)}: "
                    f"{bytes_of([each])} bytes"
                    for name, each in saved.items()
                }
                known = first.setdefault(id(node), list(texts.values()))
                rows = [Row("title", type(node).__name__)]
                rows += [
                    Row("saved", text) if text in texts.values() else Row("gone", f"{text}, let go")
                    for text in known
                ]
            state = "fires" if node is running else "operation"
            now.boxes[id(node)] = BoxView(state, tuple(rows))  # type: ignore[arg-type]
        now.links = {way: "" for node in ran for way in ways[id(node)]}
        now.lines = (f"The graph keeps {bytes_of(held) if held else 0} bytes for backward",)
        moments.append(now)

    def look_at_last() -> None:
        """Show the last node once it has run, because the engine frees what it saved after that."""
        if ran:
            look(f"{type(ran[-1]).__name__} runs", ran[-1])

    def before(node: Any) -> None:
        look_at_last()
        ran.append(node)

    look("before backward()")
    error = run_watched(tensor, nodes, before, retain_graph=retain_graph)
    look_at_last()
    look(f"✗ {error}" if error else "backward() is done")
    back = [way for each in ways.values() for way in each]
    return replay_of(moments, "Backward frees what was saved", back=back)


def step_stations(tensor: Any, *along: Any) -> Replay:
    """Run `tensor.backward()`, and show where the gradients of the tensors `along` stop.

    The stations are hooks, `retain_grad`, the node's rule and `.grad`, in the order of the pass.

    Raises:
        ValueError: `tensor` was not computed from one of `along`.
    """
    names = record((tensor,), names_in(sys._getframe(1)), sys.maxsize)
    stations = Stations()
    spies = [GradientSpy(stations, each, names) for each in along]
    stations.spies = spies
    try:
        tensor.backward()
    finally:
        for undo in reversed(stations.undo):
            undo()
    for each in spies:
        each.look()
    # The last moment is enough, because it contains all others.
    return replay_of(stations.moments, "Stations of one gradient", up=True, only_last=True)


def text_of(grads: Any) -> str:
    """A gradient, or several, as one line of text."""
    several = grads if isinstance(grads, list | tuple) else [grads]
    texts = ["None" if each is None else values.short(each) for each in several]
    return ", ".join(texts) or "no gradient"


class Stations:
    """The stations so far, in a column per tensor, and how to remove the spies."""

    def __init__(self) -> None:
        self.moments = [Moment("backward() starts")]
        self.undo: list[Callable[[], object]] = []
        self.spies: list[GradientSpy] = []

    def add(
        self, tensor: str, what: str, incoming: str, outgoing: str = "", state: Any = "operation"
    ) -> None:
        """Add a station `what` to a tensor's column, with the gradient before and after it.

        A column begins where that of a tensor ends whose node passes the gradient to this one.
        """
        passing = f"{incoming} → {outgoing}" if outgoing not in ("", incoming) else incoming
        boxes, links = dict(self.moments[-1].boxes), dict(self.moments[-1].links)
        above = [key for key in boxes if key[0] == tensor]  # type: ignore[index]
        boxes[tensor, len(boxes)] = BoxView(state, (Row("title", what), Row("gradient", passing)))
        if not above:
            senders = [each.name for each in self.spies if each.passes_to(tensor)]
            above = [key for key in boxes if key[0] in senders]  # type: ignore[index]
        if above:
            links[above[-1], (tensor, len(boxes) - 1), 0] = ""
        self.moments.append(Moment(what, boxes, links))


class GradientSpy:
    """Watches the gradient of a tensor at each stop, by wrapping all hooks on its way."""

    def __init__(self, stations: Stations, tensor: Any, names: Recording) -> None:
        self.stations, self.tensor = stations, tensor
        self.name = names.name_of(tensor) or "the tensor"
        ends = {id(variable_of(node)): node for node in nodes_of(names) if is_accumulator(node)}
        node = tensor.grad_fn or ends.get(id(tensor))
        if node is None:
            raise ValueError(f"backward does not reach {self.name}: run the cell that makes it")
        self.node = node
        self.last_grad = self.grad()  # as last seen
        self.incoming = ""
        self.spy(tensor, "register_hook", "tensor hook")
        self.spy(node, "register_prehook", "pre-hook")
        if tensor.is_leaf:
            self.spy(tensor, "register_post_accumulate_grad_hook", "post-accumulate hook")
        self.spy(node, "register_hook", "post-hook")
        self.put_first(tensor, self.arrive)
        stations.undo.append(node.register_prehook(self.before_rule).remove)
        self.put_first(node, partial(self.after_rule, type(node).__name__))

    def passes_to(self, tensor: str) -> bool:
        """Whether this tensor's node passes a gradient to the node of the tensor called that."""
        others = [each.node for each in self.stations.spies if each.name == tensor]
        return any(end is node for end, _ in self.node.next_functions for node in others)

    def grad(self) -> str:
        """The text of `.grad`; "" if it is None."""
        keeps = self.tensor.is_leaf or getattr(self.tensor, "retains_grad", False)
        return text_of(self.tensor.grad) if keeps and self.tensor.grad is not None else ""

    def look(self) -> None:
        """Add a station if `.grad` has changed since the last one."""
        if self.grad() != self.last_grad:
            self.last_grad = self.grad()
            how = "" if self.tensor.is_leaf else "retain_grad: "
            state = "leaf" if self.tensor.is_leaf else "tensor"
            self.stations.add(self.name, f"{how}{self.name}.grad", self.last_grad, state=state)

    def spy(self, thing: Any, register: str, kind: str) -> None:
        """Wrap each hook; the wrappers are removed after the pass."""
        hooks = hooks_of(thing, register)
        for key, hook in list(hooks.items()):
            hooks[key] = partial(self.call, hook, kind)
            self.stations.undo.append(partial(hooks.__setitem__, key, hook))

    def call(self, hook: Any, kind: str, *args: Any) -> Any:
        """Call a hook, and record the gradient before and after it."""
        self.look()
        gets_leaf = kind == "post-accumulate hook"  # the others get gradients
        incoming, result = self.last_grad if gets_leaf else text_of(args[0]), hook(*args)
        outgoing = self.grad() if gets_leaf else text_of(args[0] if result is None else result)
        name = name_of_hook(hook)
        title = name if name.startswith(kind.removesuffix(" hook")) else f"{kind}: {name}"
        self.stations.add(self.name, title, incoming, outgoing)
        self.last_grad = self.grad() if gets_leaf else self.last_grad
        return result

    def put_first(self, thing: Any, hook: Any) -> None:
        """Register a hook that runs before all others."""
        hooks = hooks_of(thing, "register_hook")
        handle = thing.register_hook(hook)
        others = dict(hooks)
        hooks.clear()
        hooks.update({handle.id: others.pop(handle.id)} | others)
        self.stations.undo.append(handle.remove)

    def arrive(self, grad: Any) -> None:
        self.stations.add(self.name, f"arrives at {self.name}", text_of(grad), state="tensor")

    def before_rule(self, grads: Any) -> None:
        self.look()
        self.incoming = text_of(grads[output_of(self.tensor)])

    def after_rule(self, node: str, outgoing: Any, incoming: Any) -> None:
        if self.tensor.is_leaf:
            self.look()
        else:
            self.stations.add(self.name, f"the rule of {node}", self.incoming, text_of(outgoing))


# --- sliders --------------------------------------------------------------------------------------

WIDTH, HEIGHT, EDGE = 480.0, 300.0, 20.0


def slide_h(f: Callable[[float], Any], x: float, steps: Sequence[float], slope: float) -> Replay:
    """A slider for the step h: the line through f(x) and f(x + h), beside the true `slope`."""
    what, number = "A slider for the step h", values.number
    secants = [(float(f(x + h)) - float(f(x))) / h for h in steps]
    scenes = []
    for place, (h, secant) in enumerate(zip(steps, secants, strict=True)):
        lines = (
            f"(f(x + h) − f(x)) / h = {number(secant)}",
            f"the derivative is {number(slope)}, so the error is {number(abs(secant - slope))}",
        )
        title = f"{place} of {len(steps) - 1}: h = {number(h)}"
        scenes.append(Scene(title, lines, None, (), (), (), None))
    others = [x + h for h in steps]
    return Replay(scenes, lambda: Plots(f, x, slope, others, secants, scenes, what))


class Plots(Stills):
    """The plots of a slider, all on the same axes: lines through x and one of the `others`."""

    def __init__(
        self,
        f: Callable[[float], Any],
        x: float,
        slope: float,
        others: Sequence[float],
        secants: Sequence[float],
        scenes: list[Scene],
        what: str,
    ) -> None:
        size = Layout(WIDTH + 2 * EDGE, HEIGHT + 2 * EDGE, f"translate({EDGE:g} {EDGE:g})")
        super().__init__(scenes, size, what)
        self.f, self.x, self.slope, self.others, self.secants = f, x, slope, others, secants
        first, last = min(x, *others), max(x, *others)
        spare = 0.25 * (last - first or 1.0)
        self.start, self.end = first - spare, last + spare
        xs = [self.start + (self.end - self.start) * n / 80 for n in range(81)]
        self.curve = [(x, float(f(x))) for x in xs]
        ys = [y for _, y in self.curve if math.isfinite(y)]
        self.low, self.high = min(ys), max(ys)

    def parts(self, number: int) -> dict[str, str]:
        """The SVG of a frame: the curve, the lines through its point, and their labels."""
        secant = self.secants[number]
        frame = f'<rect width="{WIDTH:g}" height="{HEIGHT:g}" fill="none" stroke="{GREY}"/>'
        curve = self.path(self.curve, INK, 2.5)
        true = self.through(self.slope, BLUE, "true slope", "6 4")
        drawn = [frame, curve, true, self.through(secant, ORANGE, "line")]
        for x in (self.x, self.others[number]):
            left, top = self.at(x, float(self.f(x)))
            drawn.append(f'<circle cx="{left:.1f}" cy="{top:.1f}" r="5" fill="{ORANGE}"/>')
        ends = values.number(round(self.start, 3)), values.number(round(self.end, 3))
        drawn += [
            self.text(6, HEIGHT - 6, f"x = {ends[0]}"),
            self.text(WIDTH - 6, HEIGHT - 6, ends[1]),
        ]
        drawn.append(self.text(6, 18, f"slope of the line: {values.number(secant)}", GRADIENT))
        text = f"dashed, the derivative: {values.number(self.slope)}"
        drawn.append(self.text(6, 36, text, BLUE))
        return {"plot": "".join(drawn)}

    def text(self, x: float, y: float, text: str, colour: str = GREY) -> str:
        """SVG of text at the left or the right edge."""
        anchor = "start" if x < WIDTH / 2 else "end"
        place = f'x="{x:g}" y="{y:g}" fill="{colour}"'
        return f'<text {place} style="text-anchor: {anchor}">{escape(text)}</text>'

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The position of a point in the picture."""
        across = (x - self.start) / (self.end - self.start)
        up = (y - self.low) / ((self.high - self.low) or 1.0)
        return WIDTH * across, HEIGHT * (0.92 - 0.84 * up)

    def path(
        self, points: Sequence[tuple[float, float]], colour: str, width: float, dash: str = ""
    ) -> str:
        """SVG of a line through points."""
        places = " ".join("{:.1f},{:.1f}".format(*self.at(*point)) for point in points)
        return (
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width:g}"'
            f' stroke-dasharray="{dash}"/>'
        )

    def through(self, slope: float, colour: str, name: str, dash: str = "") -> str:
        """SVG of a straight line through the curve at x, clipped to the picture."""
        y = float(self.f(self.x))
        spare = 0.09 * (self.high - self.low)
        inside = [
            (each, y + slope * (each - self.x))
            for each, _ in self.curve
            if self.low - spare <= y + slope * (each - self.x) <= self.high + spare
        ]
        ends = [inside[0], inside[-1]] if inside else []
        return f"<g><title>{escape(name)}</title>{self.path(ends, colour, 2, dash)}</g>"


def bytes_of(tensors: Iterable[TensorLike]) -> int:
    """The bytes of `tensors`, counting shared memory once."""
    held = {id(each): each for each in map(memory_of, tensors)}  # a number has no array of its own
    arrays = [np.asarray(each) for each in held.values()]
    end = total = 0
    for first, last in sorted(np.lib.array_utils.byte_bounds(array) for array in arrays):
        total += max(0, last - max(first, end))
        end = max(end, last)
    return total
