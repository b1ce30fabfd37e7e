"""`diagnose(loss, model)`: why a parameter or a tensor gets no gradient, for minigrad and PyTorch.

    from minigrad.doctor import diagnose

    diagnose(loss, model)  # what the graph of this loss says
    diagnose(lambda: loss_of(batch), model)  # runs it once, and names the line

`graph` reads a graph, `watching` watches a pass, and `causes` has the words. No other module of the
library knows of this one, and PyTorch is never imported here.
"""

from __future__ import annotations

import html
import sys
import textwrap
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import FrameType
from typing import Any

from ..viz.protocol import is_module, is_tensor
from ..viz.recording import names_in
from .causes import ALIKE, CAUSES, Cause
from .graph import REACHED, Graph, judge, judge_loss, kind_of, name_of
from .watching import (
    Backward,
    Cut,
    Event,
    Forward,
    left_as_it_was,
    run_backward,
    watching,
    without_gradients,
)

__all__ = ["Cause", "Diagnosis", "Finding", "diagnose"]

GOOD = (REACHED, "passes")
RAISED = {"already been freed": "freed", "modified by an inplace operation": "edited"}
NOT_REACHED = (
    ALIKE, ("checkpoint", *ALIKE), ("no graph",), ("loss is a leaf",), ("memory",),
)  # fmt: skip
ELSEWHERE = ("unused", "another tensor", "outside")  # what no watched operation shows
LIBRARIES = {"minigrad", "torch"}
HEADINGS = ("tensor", "gradient", "why, and what to change")
WIDTHS = (28, 8, 64)
MOST_NAMED, MOST_PLACES = 3, 3


@dataclass(frozen=True)
class Finding:
    """What was found out about one tensor, or about the loss.

    Attributes:
        name: the tensor's name.
        gradient: "yes"; "passes" for a tensor that is not a leaf; "None", "zeros", "nan" or "inf";
            "raises" if backward does; "unknown" if nothing can be told.
        causes: why; none if all is well.
        certain: whether these are the causes. If not, they are what looks alike from here, most
            likely first, and one of them holds.
        places: the operations and lines where it happened, if the function was watched.
    """

    name: str
    gradient: str
    causes: tuple[Cause, ...] = ()
    certain: bool = True
    places: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Why, where, and what to change."""
        places = [f"  {place}" for place in self.places]
        if self.certain:
            told = [each.why for each in self.causes]
            fixes = [f"→ {each.fix} (chapter {each.chapter})" for each in self.causes]
            return [*told, *places, *fixes]
        told = ["cannot tell which of these, most likely first:"]
        for number, each in enumerate(self.causes, 1):
            told.append(f"{number}. {each.why} (chapter {each.chapter})")
        return [*told, *places]


class Diagnosis:
    """What `diagnose` found; it prints as a table, problems first.

    Attributes:
        findings: a `Finding` for each tensor, in the order in which they were given.
        loss: findings about the loss itself; none if all is well with it.
    """

    def __init__(self, findings: Iterable[Finding], loss: Iterable[Finding]) -> None:
        self.findings, self.loss = tuple(findings), tuple(loss)

    def __getitem__(self, name: str) -> Finding:
        """The finding for the tensor of this name."""
        for finding in self.findings:
            if finding.name == name:
                return finding
        raise KeyError(name)

    def _rows(self) -> Iterator[tuple[str, str, list[str]]]:
        """The rows of the table: tensors for which the same was found share one."""
        groups: dict[tuple[Any, ...], list[Finding]] = {}
        for each in (*self.loss, *self.findings):
            key = (each.gradient, each.causes, each.certain, each.places)
            groups.setdefault(key, []).append(each)
        for group in sorted(groups.values(), key=lambda group: group[0].gradient in GOOD):
            names = [each.name for each in group]
            more = len(names) - MOST_NAMED
            shown = ", ".join(names[:MOST_NAMED]) + (f" and {more} more" if more > 0 else "")
            yield shown, group[0].gradient, group[0].lines()

    def _summary(self) -> str:
        if not self.findings:
            return "There is nothing to run backward from."
        good = sum(each.gradient == REACHED for each in self.findings)
        noun = "tensor" if len(self.findings) == 1 else "tensors"
        return f"A gradient reaches {good} of {len(self.findings)} {noun}."

    def __repr__(self) -> str:
        lines = [self._summary(), ""]
        rows: list[tuple[str, str, list[str]]] = [(*HEADINGS[:2], [HEADINGS[2]]), *self._rows()]
        for name, gradient, told in rows:
            cells = [textwrap.wrap(name, WIDTHS[0]), [gradient]]
            cells.append(
                [
                    part
                    for line in told
                    for part in textwrap.wrap(line, WIDTHS[2], subsequent_indent="    ")
                ]
            )
            for index in range(max(map(len, cells))):
                texts = [cell[index] if index < len(cell) else "" for cell in cells]
                padded = (text.ljust(width) for text, width in zip(texts, WIDTHS, strict=True))
                lines.append("  ".join(padded).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{each}</th>" for each in HEADINGS)
        body = "".join(
            f"<tr><td style='text-align:left'>{html.escape(name)}</td><td>{gradient}</td>"
            f"<td style='text-align:left'>{'<br>'.join(map(html.escape, told))}</td></tr>"
            for name, gradient, told in self._rows()
        )
        return (
            f"<p>{self._summary()}</p><table><thead><tr>{head}</tr></thead>"
            f"<tbody>{body}</tbody></table>"
        )


def diagnose(loss: Any, *given: Any) -> Diagnosis:
    """Find out for each of the given tensors whether a gradient reaches it, and if not, why.

    With a loss, the answer is what its graph says. Several mistakes leave the same graph behind:
    then all of them are listed, most likely first. With a function that computes the loss, one
    forward and one backward pass are watched, so that the line is known where a path was cut, the
    `Function` that returned None, and where nan, inf or exact zeros began.

    Modules, their buffers, the given tensors, every `.grad`, hooks, graphs and random states are
    left as they were. What else the function changes stays changed, and hooks that it meets run.

    Args:
        loss: a tensor of minigrad or PyTorch, or a function without arguments that returns one.
        given: modules, optimizers, tensors, or lists and dictionaries of these; the leaves of the
            graph if there are none.

    Raises:
        TypeError: something else was given.
        Exception: whatever the function raises. What backward raises is reported.
    """
    tensors = dict(_named(given, sys._getframe(1)))
    if callable(loss) and not is_tensor(loss):
        return _watch(loss, tensors, list(_modules(given)))
    if not is_tensor(loss):
        return Diagnosis([], [_note("loss", "raises", ("loss is a number",))])
    graph = Graph(loss)
    trouble, node = graph.trouble()
    notes = [_note("loss", "", *each) for each in judge_loss(loss, graph, tensors.values())]
    if node is not None:
        notes.append(_note("loss", "raises", (trouble,), True, (name_of(node),)))
    tensors = tensors or {f"leaf {n}": leaf for n, leaf in enumerate(graph.leaves.values())}
    return Diagnosis(
        [_note(name, *judge(each, loss, graph, trouble)) for name, each in tensors.items()], notes
    )


def _note(
    name: str,
    gradient: str,
    keys: Iterable[str],
    certain: bool = True,
    places: Iterable[str] = (),
) -> Finding:
    return Finding(name, gradient, tuple(CAUSES[key] for key in keys), certain, tuple(places))


def _named(given: Iterable[Any], frame: FrameType) -> Iterator[tuple[str, Any]]:
    """The names and tensors in what was given to `diagnose`."""
    given = list(given)
    if len(given) == 1 and is_module(given[0]):
        yield from given[0].named_parameters()
        return
    known: dict[int, str] = {}
    for name, tensor in names_in(frame):
        known.setdefault(id(tensor), name)
    seen: dict[int, str] = {}
    for given_name, tensor in _tensors(given, ""):
        if id(tensor) not in seen:
            name = given_name or known.get(id(tensor), "tensor")
            again = sum(each.partition(" #")[0] == name for each in seen.values())
            seen[id(tensor)] = f"{name} #{again + 1}" if again else name
            yield seen[id(tensor)], tensor


def _tensors(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The tensors in a value; those that no dictionary or module names have an empty name."""
    if is_tensor(value):
        yield name, value
    elif is_module(value):
        for path, parameter in value.named_parameters():
            yield f"{name}.{path}" if name else "", parameter
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _tensors(each, str(key))
    elif hasattr(value, "param_groups"):
        for group in value.param_groups:
            yield from _tensors(group["params"], name)
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for each in value:
            yield from _tensors(each, name)
    else:
        kind = type(value).__name__
        raise TypeError(f"diagnose() takes modules, tensors, and lists of them, not {kind}")


def _modules(value: Any) -> Iterator[Any]:
    """The modules in what was given."""
    if is_module(value):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _modules(each)


def _watch(function: Callable[[], Any], tensors: dict[str, Any], modules: list[Any]) -> Diagnosis:
    """Watch a forward and a backward pass, and judge by what was seen."""
    for each in tensors.values():
        if not {kind.__module__.partition(".")[0] for kind in type(each).__mro__} & LIBRARIES:
            raise TypeError(
                "diagnose() watches minigrad and PyTorch; of other tensors, pass the loss"
            )
    forward, backward = Forward(), Backward()
    for name, each in tensors.items():
        forward.keep(each)
        forward.look_at(each, f"{name} itself", [])
    with left_as_it_was(modules, list(tensors.values())):
        with watching(forward):
            loss = function()
        if not is_tensor(loss):
            places = tuple(dict.fromkeys(map(_place, forward.numbers)))[-1:]
            return Diagnosis([], [_note("loss", "raises", ("loss is a number",), True, places)])
        graph = Graph(loss)
        tensors = tensors or {f"leaf {n}": each for n, each in enumerate(graph.leaves.values())}
        verdicts = {name: judge(each, loss, graph) for name, each in tensors.items()}
        with without_gradients([*tensors.values(), *graph.leaves.values()]):
            if loss.requires_grad:
                backward = run_backward(loss, graph)
            findings = [
                _finding(name, each, verdicts[name], loss, graph, forward, backward)
                for name, each in tensors.items()
            ]
        return Diagnosis(
            findings, _about_loss(loss, list(tensors.values()), graph, forward, backward)
        )


def _about_loss(
    loss: Any, given: list[Any], graph: Graph, forward: Forward, backward: Backward
) -> list[Finding]:
    """What is wrong with the loss itself, and what backward raised."""
    notes = []
    for keys, certain in judge_loss(loss, graph, given):
        places: tuple[str, ...] = ()
        if keys == ("loss is nan",) and id(loss) in forward.origins:
            keys, places = ("loss became nan",), (forward.origins[id(loss)][1],)
        elif "no input" in keys or keys in (("integer",), ("loss is a leaf",)):
            cuts = _sorted(_last(forward.cuts.get(id(loss), ())))
            places = tuple(dict.fromkeys(map(_place, cuts)))[:MOST_PLACES]
            if cuts and not certain:
                keys, certain = tuple(dict.fromkeys(cut.reason for cut in cuts)), True
            elif not cuts and forward.numbers:
                keys = keys if certain else (*dict.fromkeys(("number", *keys)),)
                perhaps = (f"perhaps {_place(number)}" for number in forward.numbers)
                places = tuple(dict.fromkeys(perhaps))[-MOST_PLACES:]
            elif not certain and id(loss) in forward.cuts:
                keys, certain = ("no input",), True
        notes.append(_note("loss", "", keys, certain, places))
    if backward.error is not None:
        text = str(backward.error).partition(". ")[0].partition("\n")[0]
        cause = Cause(
            f"backward() raises {type(backward.error).__name__}: {text}",
            "look the message up: minigrad-course explain 'MESSAGE'",
            "20",
        )
        known = [key for words, key in RAISED.items() if words in str(backward.error)]
        node = backward.running[-1] if backward.running else None
        where = [Event("", node, None)] if node is not None else []
        causes = tuple(CAUSES[key] for key in known) or (cause,)
        notes.append(Finding("loss", "raises", causes, True, _places(where, forward, graph)))
    return notes


def _finding(
    name: str,
    tensor: Any,
    verdict: tuple[str, tuple[str, ...], bool],
    loss: Any,
    graph: Graph,
    forward: Forward,
    backward: Backward,
) -> Finding:
    """What was found out about one tensor by watching."""
    gradient, keys, certain = verdict
    if not (gradient == REACHED or keys in NOT_REACHED):
        return _note(name, gradient, keys, certain)
    if gradient == REACHED and backward.error is not None:
        return _note(name, "raises", ("raises",))
    if tensor.grad is not None:
        return _received(name, tensor, loss, forward, backward, graph)
    if gradient == REACHED:
        events = _events(tensor, backward, ("None",))
        key = "returned None" if events else "not accumulated"
        return _note(name, "None", (key,), True, _places(events, forward, graph))
    cuts = _relevant(forward.cuts.get(id(loss), ()), tensor)
    if cuts:
        reasons = tuple(dict.fromkeys(cut.reason for cut in cuts))
        return _note(name, "None", reasons, True, dict.fromkeys(map(_place, cuts)))
    numbers = _relevant(forward.numbers, tensor)
    if numbers:
        perhaps = (f"perhaps {_place(number)}" for number in numbers)
        places = tuple(dict.fromkeys(perhaps))[:MOST_PLACES]
        return _note(name, "None", ("number", *ELSEWHERE), False, places)
    if keys == ("memory",):
        return _note(name, "None", keys)
    if id(tensor) in forward.uses:
        places = (f"last used: {forward.uses[id(tensor)]}",)
        return _note(name, "None", ELSEWHERE, False, places)
    return _note(name, "None", ELSEWHERE, False)


def _received(
    name: str, tensor: Any, loss: Any, forward: Forward, backward: Backward, graph: Graph
) -> Finding:
    """What was found out about a leaf that has a gradient."""
    kind = kind_of(tensor.grad)
    if not kind:
        return Finding(name, REACHED)
    if kind == "zeros":
        events = _events(tensor, backward, ("zeros",))
        key = "zeros" if events else "cancels"
        return _note(name, kind, (key,), True, _places(events, forward, graph))
    if id(loss) in forward.origins:
        return _note(name, kind, ("nan in forward",), True, (forward.origins[id(loss)][1],))
    events = _events(tensor, backward, ("nan", "inf"))
    key = "nan in backward" if events else "nan from a hook"
    return _note(name, kind, (key,), True, _places(events[:1], forward, graph))


def _events(tensor: Any, backward: Backward, kinds: tuple[str, ...]) -> list[Event]:
    return [e for e in backward.events if e.kind in kinds and id(tensor) in e.leaves]


def _places(events: list[Event], forward: Forward, graph: Graph) -> tuple[str, ...]:
    """The nodes of events, each with the line of its operation."""
    found = (
        ", ".join(filter(None, [name_of(e.node), forward.place_of_node(e.node, graph)]))
        for e in events
    )
    return tuple(dict.fromkeys(found))[:MOST_PLACES]


def _place(cut: Cut) -> str:
    return f"{cut.name}, {cut.place}"


def _relevant(cuts: Iterable[Cut], leaf: Any) -> list[Cut]:
    """The cuts on the paths from a leaf to what has passed `cuts`, in the order of the program.

    Gradients flow from the first cut of a path back to the leaf, so those before it do not matter.
    Nor does a path that passes all the cuts of another and more, because fixing that one is enough.
    """
    paths: list[frozenset[Cut]] = []
    ahead, seen = deque((cut, frozenset({cut})) for cut in cuts), set[Cut]()
    while ahead:
        cut, path = ahead.popleft()
        if id(leaf) in cut.leaves:
            paths.append(path)
        elif cut not in seen:
            ahead.extend((each, path | {each}) for each in cut.before)
        seen.add(cut)
    shortest = [path for path in paths if not any(other < path for other in paths)]
    return _sorted(frozenset[Cut]().union(*shortest))


def _sorted(cuts: Iterable[Cut]) -> list[Cut]:
    """Cuts in the order of the program; last the integers, because masks are often meant to be."""
    return sorted(cuts, key=lambda cut: (cut.reason == "integer", cut.number))


def _last(cuts: Iterable[Cut]) -> set[Cut]:
    """The cuts that had gradients to lose: without those whose operands had none."""
    found: set[Cut] = set()
    for cut in cuts:
        found |= {cut} if cut.starts else _last(cut.before)
    return found
