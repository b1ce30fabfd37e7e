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
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, starmap, zip_longest
from types import FrameType
from typing import Any

from ..viz.protocol import is_module, is_tensor, library_of
from ..viz.recording import names_in
from .causes import CAUSES, Cause
from .graph import (
    RAISED,
    REACHED,
    Graph,
    judge,
    judge_loss,
    keeps_grad,
    kind_of,
    name_of,
    of_itself,
)
from .watching import (
    Backward,
    Cut,
    Forward,
    in_turn,
    leave_as_it_is,
    put_gradients_aside,
    run_backward,
    watching,
)

__all__ = ["Cause", "Diagnosis", "Finding", "diagnose"]

GOOD = (REACHED, "reaches", "passes")
ELSEWHERE = ("unused", "another tensor", "outside")  # what no watched operation shows
HEADINGS = ("tensor", "gradient", "why, and what to change")
WIDTHS = (28, 8, 72)
MOST_NAMED, MOST_PLACES = 3, 3


@dataclass(frozen=True)
class Finding:
    """What was found out about one tensor, or about the loss.

    Attributes:
        name: the tensor's name.
        gradient: "yes", if a pass was watched, else "reaches", which may also be zeros, nan or inf;
            "perhaps" if a Function of yours decides; "passes" for a tensor that is not a leaf;
            "None", "zeros", "nan" or "inf"; "raises" if backward does; "unknown".
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
            fixes = [f"→ {each.fix} (chapter {each.chapter})" for each in self.causes]
            return [*(each.why for each in self.causes), *places, *fixes]
        numbered = enumerate(self.causes, 1)
        told = [f"{n}. {each.why} (chapter {each.chapter})" for n, each in numbered]
        return ["cannot tell which of these, most likely first:", *told, *places]


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
        return {each.name: each for each in self.findings}[name]

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
        gradients = [each.gradient for each in self.findings]
        good, total = sum(each in (REACHED, "reaches") for each in gradients), len(gradients)
        unless = f", perhaps {good + gradients.count('perhaps')}" if "perhaps" in gradients else ""
        return f"A gradient reaches {good} of {total} tensor{'s' * (total != 1)}{unless}."

    def __repr__(self) -> str:
        lines = [self._summary(), ""]
        for name, gradient, told in ((*HEADINGS[:2], [HEADINGS[2]]), *self._rows()):
            wrapped = (textwrap.wrap(each, WIDTHS[2], subsequent_indent="    ") for each in told)
            cells = textwrap.wrap(name, WIDTHS[0]), [gradient], list(chain(*wrapped))
            for row in zip_longest(*cells, fillvalue=""):
                padded = (text.ljust(width) for text, width in zip(row, WIDTHS, strict=True))
                lines.append("  ".join(padded).rstrip())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        head = "".join(f"<th style='text-align:left'>{each}</th>" for each in HEADINGS)
        body = "".join(
            f"<tr><td style='text-align:left'>{html.escape(name)}</td><td>{gradient}</td>"
            f"<td style='text-align:left'>{'<br>'.join(map(html.escape, told))}</td></tr>"
            for name, gradient, told in self._rows()
        )
        return f"<p>{self._summary()}</p><table><tr>{head}</tr>{body}</table>"


def diagnose(loss: Any, *given: Any) -> Diagnosis:
    """Find out for each of the given tensors whether a gradient reaches it, and if not, why.

    With a loss, the answer is what its graph says. Several mistakes leave the same graph behind:
    then all of them are listed, most likely first. And a gradient that gets there may still be
    zeros or nan, because nothing is computed: a backward pass would call hooks, and the backward of
    Functions. With a function that computes the loss, one forward and one backward pass are
    watched, so that the line is known where a path was cut, the `Function` that returned None, and
    where nan, inf or exact zeros began.

    Modules, their buffers, optimizers, the given tensors, every `.grad`, hooks, graphs and random
    states are left as they were, also if the function takes a step: then give the optimizer too.
    What else the function changes stays changed, and hooks that it meets run.

    Args:
        loss: a tensor of minigrad or PyTorch, or a function without arguments that returns one.
        given: modules, optimizers, tensors, or lists and dictionaries of these; the leaves of the
            graph if there are none.

    Raises:
        TypeError: something else was given.
        RuntimeError: the loss has more than one element.
        Exception: whatever the function raises. What backward raises is reported.
    """
    parts = list(_parts(given))
    tensors = _named(parts, sys._getframe(1))
    if callable(loss) and not is_tensor(loss):
        return _watch(loss, tensors, [part for _, part in parts if not is_tensor(part)])
    if not is_tensor(loss):
        return Diagnosis([], [_note("loss", "raises", ("loss is a number",))])
    _check_scalar(loss)
    graph = Graph(loss)
    trouble, node = graph.trouble()
    notes = [_note("loss", "", *each) for each in judge_loss(loss, tensors.values())]
    if node is not None:
        notes.append(_note("loss", "raises", (trouble,), True, (name_of(node),)))
    tensors = tensors or _leaves(graph)
    return Diagnosis([_read(name, each, graph, trouble) for name, each in tensors.items()], notes)


def _check_scalar(loss: Any) -> None:
    """RuntimeError, with PyTorch's message, for a loss that `backward()` needs a gradient for."""
    if loss.requires_grad and loss.numel() != 1:
        error = RuntimeError("grad can be implicitly created only for scalar outputs")
        error.add_note(f"The loss has shape {tuple(loss.shape)}: diagnose its sum() or mean().")
        raise error


def _read(name: str, tensor: Any, graph: Graph, trouble: str) -> Finding:
    """What the graph says about one tensor."""
    gradient, keys, certain = judge(tensor, graph, trouble)
    functions = graph.functions_before(tensor) if gradient in GOOD else []
    if functions:
        return _note(name, "perhaps", (*keys, "Function"), certain, functions[:MOST_PLACES])
    if gradient == REACHED:
        return _note(name, "reaches", ("path",))
    return _note(name, gradient, keys, certain)


def _leaves(graph: Graph) -> dict[str, Any]:
    return {f"leaf {n}": leaf for n, leaf in enumerate(graph.leaves.values())}


def _note(
    name: str,
    gradient: str,
    keys: Iterable[str],
    certain: bool = True,
    places: Iterable[str] = (),
) -> Finding:
    causes = tuple(CAUSES[key] for key in dict.fromkeys(keys))
    return Finding(name, gradient, causes, certain, tuple(dict.fromkeys(places)))


def _parts(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The tensors, modules and optimizers that were given, by their names in dictionaries."""
    if is_tensor(value) or is_module(value) or hasattr(value, "param_groups"):
        yield name, value
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from _parts(each, str(key))
    elif isinstance(value, Iterable) and not isinstance(value, str):
        for each in value:
            yield from _parts(each, name)
    else:
        kind = type(value).__name__
        raise TypeError(f"diagnose() takes modules, tensors, and lists of them, not {kind}")


def _tensors(name: str, part: Any) -> Iterator[tuple[str, Any]]:
    """The tensors of a part, and their names if these are known."""
    if is_tensor(part):
        yield name, part
    elif is_module(part):
        for path, parameter in part.named_parameters():
            yield f"{name}.{path}" if name else "", parameter
    else:
        for group in part.param_groups:
            yield from _parts(group["params"], name)


def _named(parts: list[tuple[str, Any]], frame: FrameType) -> dict[str, Any]:
    """The tensors that were given to `diagnose`, by their names, or those of its caller."""
    if len(parts) == 1 and is_module(parts[0][1]):
        return dict(parts[0][1].named_parameters())
    known = {id(tensor): name for name, tensor in reversed([*names_in(frame)])}
    named: dict[str, Any] = {}
    for name, tensor in chain.from_iterable(starmap(_tensors, parts)):
        if not any(tensor is each for each in named.values()):
            name = name or known.get(id(tensor), "tensor")
            named[f"{name} #{len(named) + 1}" if name in named else name] = tensor
    return named


def _watch(function: Callable[[], Any], tensors: dict[str, Any], parts: list[Any]) -> Diagnosis:
    """Watch a forward and a backward pass, and judge by what was seen."""
    if None in map(library_of, tensors.values()):
        raise TypeError("diagnose() watches minigrad and PyTorch; of other tensors, pass the loss")
    forward = Forward()
    for name, each in tensors.items():
        forward.keep(each)
        forward.look_at(each, f"{name} itself", [], False)
    with ExitStack() as stack:
        leave_as_it_is(stack, parts, tensors.values())
        with watching(forward):
            loss = function()
        if not is_tensor(loss):
            places = [each.place for each in forward.numbers[-1:]]
            return Diagnosis([], [_note("loss", "raises", ("loss is a number",), True, places)])
        _check_scalar(loss)
        graph = Graph(loss)
        tensors = tensors or _leaves(graph)
        put_gradients_aside(stack, [*tensors.values(), *graph.leaves.values()])
        seen = _Pass(forward, run_backward(graph), graph)
        findings = [seen.finding(name, each) for name, each in tensors.items()]
        return Diagnosis(findings, seen.about_loss(tensors.values()))


@dataclass
class _Pass:
    """A forward and a backward pass that were watched."""

    forward: Forward
    backward: Backward
    graph: Graph

    def about_loss(self, given: Iterable[Any]) -> list[Finding]:
        """What is wrong with the loss itself, and what backward raised."""
        notes, loss, forward = [], self.graph.loss, self.forward
        for keys, certain in judge_loss(loss, given):
            places: Iterable[str] = ()
            if keys == ("loss is nan",):
                places = forward.origins(loss)
            elif loss.grad_fn is None:
                cuts = _sorted(forward.cuts.get(id(loss), ()))
                places = [each.place for each in cuts][:MOST_PLACES]
                if cuts and not certain:
                    keys, certain = tuple(each.reason for each in cuts), True
                elif forward.numbers and not cuts:
                    keys = keys if certain else ("number", *keys)
                    places = _perhaps(forward.numbers)
                elif not certain and id(loss) in forward.cuts:
                    keys, certain = ("no input",), True
            notes.append(_note("loss", "", keys, certain, places))
        if self.backward.error is not None:
            notes.append(self._raised(self.backward.error))
        return notes

    def _raised(self, error: Exception) -> Finding:
        """What backward raised, and in which node."""
        node = self.backward.running
        places = [self.forward.place_of_node(node, self.graph)] if node is not None else []
        for words, key in RAISED.items():
            if words in str(error):
                if key == "freed" and self.forward.made(node):
                    key, places = "freed inside", self.forward.ran or places
                return _note("loss", "raises", (key,), True, places)
        text = str(error).partition(". ")[0].partition("\n")[0]
        why = f"backward() raises {type(error).__name__}: {text}"
        other = Cause(why, "look the message up: minigrad-course explain 'MESSAGE'", "20")
        return Finding("loss", "raises", (other,), True, tuple(places))

    def finding(self, name: str, tensor: Any) -> Finding:
        """What was found out about one tensor."""
        gradient, keys, _ = judge(tensor, self.graph)
        if of_itself(tensor, self.graph):
            return _note(name, gradient, keys)
        if gradient in GOOD and self.backward.error is not None:
            return _note(name, "raises", ("raises",))
        if gradient == "passes" and id(tensor.grad_fn) in self.backward.reached:
            return _note(name, gradient, keys)
        of_results = () if keeps_grad(tensor) else ("not a leaf",)
        if keeps_grad(tensor) and tensor.grad is not None:
            kind = kind_of(tensor.grad)
            if kind in ("nan", "inf") and kind_of(self.graph.loss) in ("nan", "inf"):
                return _note(name, kind, ("nan",), True, self.forward.origins(self.graph.loss))
            return self._in_backward(name, tensor, kind) if kind else Finding(name, REACHED)
        if gradient in GOOD:
            return self._in_backward(name, tensor, "None", of_results)
        return self._in_forward(name, tensor, of_results)

    def _in_backward(
        self, name: str, tensor: Any, kind: str, of_results: tuple[str, ...] = ()
    ) -> Finding:
        """Where the gradient of a tensor became None, zeros, or nan or inf."""
        key = {"None": "returned None", "zeros": "zeros"}.get(kind, "nan")
        kinds = {"nan", "inf"} if key == "nan" else {kind}
        end = id(tensor.grad_fn or tensor)
        if kind == "zeros" and end in self.backward.behind_cancelled:
            return _note(name, kind, ("no operation",))
        events = [e for e in self.backward.events if e.kind in kinds and end in e.behind]
        places = [self.forward.place_of_node(each.node, self.graph) for each in events]
        shown = in_turn(places) if key == "nan" else places[:MOST_PLACES]
        return _note(name, kind, (*of_results, key if events else "no operation"), True, shown)

    def _in_forward(self, name: str, tensor: Any, of_results: tuple[str, ...]) -> Finding:
        """Where the forward pass lost the graph of a tensor."""
        cuts = _relevant(self.forward.cuts.get(id(self.graph.loss), ()), tensor)
        if cuts:
            why = (*(each.reason for each in cuts), *of_results)
            return _note(name, "None", why, True, [each.place for each in cuts])
        numbers = _relevant(self.forward.numbers, tensor)
        if numbers:
            keys = (*of_results, "number", *ELSEWHERE)
            return _note(name, "None", keys, False, _perhaps(numbers))
        used = self.forward.uses.get(id(tensor))
        places = [f"last used: {used}"] if used else []
        return _note(name, "None", (*of_results, *ELSEWHERE), False, places)


def _perhaps(numbers: list[Cut]) -> list[str]:
    return list(dict.fromkeys(f"perhaps {each.place}" for each in numbers))[-MOST_PLACES:]


def _relevant(cuts: Iterable[Cut], tensor: Any) -> list[Cut]:
    """The cuts on the paths from a tensor to what has passed `cuts`, in the order of the program.

    Gradients flow from the first cut of a path back to it, so those before it do not matter.
    Nor does a path that passes all the cuts of another and more, because fixing that one is enough.
    """
    paths: list[frozenset[Cut]] = []
    ahead, seen = deque((cut, frozenset({cut})) for cut in cuts), set[Cut]()
    while ahead:
        cut, path = ahead.popleft()
        if id(tensor.grad_fn or tensor) in cut.behind:
            paths.append(path)
        elif cut not in seen:
            ahead.extend((each, path | {each}) for each in cut.before)
        seen.add(cut)
    shortest = [path for path in paths if not any(other < path for other in paths)]
    return _sorted(frozenset[Cut]().union(*shortest))


def _sorted(cuts: Iterable[Cut]) -> list[Cut]:
    """Cuts in the order of the program; last the integers, because masks are often meant to be."""
    return sorted(cuts, key=lambda cut: (cut.reason == "integer", cut.number))
