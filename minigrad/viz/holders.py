"""Who holds whom: which tensors and nodes keep which others alive.

We follow the attributes of Python objects, so a drawing shows what any version of the library does:
if its nodes hold their results, the drawing shows the cycle. PyTorch's objects are not made of
Python, so we read `grad_fn`, `next_functions`, `variable` and `_saved_*` instead; there, a leaf
refers weakly to its AccumulateGrad
(https://docs.pytorch.org/docs/2.13/notes/autograd.html, torch/csrc/autograd/variable.h).
"""

import inspect
import sys
import weakref
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from minigrad.viz import labels, values
from minigrad.viz.picture import Arrow, ArrowKind, Box, BoxKind, Picture, Row
from minigrad.viz.protocol import (
    TensorLike,
    is_accumulator,
    is_node,
    is_same_data,
    is_tensor,
    variable_of,
)
from minigrad.viz.recording import Recording, names_in, record
from minigrad.viz.render import Drawing
from minigrad.viz.saved import read_saved

WORDS = {"_node": "grad_fn", "_accumulator": "its AccumulateGrad"}
"""Attributes under the names that readers know from PyTorch."""
Reference = tuple[str, Any, bool]
"""The label of a reference, the object that it leads to, and whether it is weak."""


def draw_holders(
    *tensors: TensorLike,
    names: Mapping[str, TensorLike] | None = None,
) -> Drawing:
    """Draw who holds whom behind `tensors`: an arrow leads from an object to one that it holds.

    Whatever can be reached from a variable along solid arrows stays alive. A dashed arrow is a weak
    reference, which keeps nothing alive. Tensors are square and nodes rounded, as in `draw`, and
    have the same places; every arrow begins with a dot, because it is no way that data takes.

    Args:
        tensors: where to begin, of minigrad or of PyTorch.
        names: names to use before those of the caller's variables.

    Raises:
        TypeError: there is no tensor, or an argument is not one.
    """
    if not tensors or not all(map(is_tensor, tensors)):
        raise TypeError("draw_holders() draws tensors, and needs at least one")
    known = chain((names or {}).items(), names_in(sys._getframe(1)))
    recording = record(tensors, known, sys.maxsize)
    boxes: dict[int, Box] = {}
    links: list[tuple[int, int, str, bool]] = []
    reached = {id(node) for node in recording.operations}
    made = [each for (node, _), each in recording.results.items() if node in reached]
    ahead: list[Any] = [*tensors, *made]
    kept = []  # keeps the objects alive, so that their ids stay unique
    while ahead:
        thing = ahead.pop(0)
        if id(thing) in boxes:
            continue
        kept.append(thing)
        held: dict[int, Reference] = {}
        ways = set()
        for how, target, weak in _holdings(thing):
            if target is None or (how.startswith("saved ") and _is_row(target, recording)):
                continue
            before = held.get(id(target))
            if before is None or before[2] > weak:  # a strong reference wins over a weak one
                held[id(target)] = how, target, weak
            else:  # one arrow says `saved self, other`, or `next_functions[0], [1]`
                for kind in ("saved ", "next_functions"):
                    if how.startswith(kind) and before[0].startswith(kind) and how not in ways:
                        held[id(target)] = f"{before[0]}, {how.removeprefix(kind)}", target, weak
            ways.add(how)
        boxes[id(thing)] = _box(f"b{len(boxes)}", thing, recording, ways)
        ahead += [target for _, target, _ in held.values()]
        links += [(id(thing), id(target), how, weak) for how, target, weak in held.values()]
    arrows = [
        Arrow(boxes[holder].key, boxes[target].key, *_look(how, weak))
        for holder, target, how, weak in links
    ]
    return Drawing(Picture(tuple(boxes.values()), tuple(arrows)))


def _look(how: str, weak: bool) -> tuple[ArrowKind, str]:
    """The kind of an arrow, and its label."""
    if weak and how.startswith("retaining "):  # `retain_grad`: a gradient goes this way
        return "retains", how.replace("retaining", "retains gradient of output")
    return "weak" if weak else "holds", how


def _is_row(saved: Any, recording: Recording) -> bool:
    """Tell whether a saved tensor is a row of its node: an array, or a constant without a name."""
    return is_tensor(saved) and not saved.requires_grad and recording.name_of(saved) is None


def _box(key: str, thing: Any, recording: Recording, ways: set[str]) -> Box:
    """Describe a tensor, or a node and what it keeps that has no box of its own."""
    if is_tensor(thing):
        name = recording.name_of(thing)
        kind: BoxKind = "leaf" if thing.is_leaf else "tensor"
        rows = labels.value_rows(name, values.lines(thing))
        return Box(key, kind if thing.requires_grad else "constant", name or key, tuple(rows))
    rows = [Row("title", type(thing).__name__)]
    for name, value in () if is_accumulator(thing) else read_saved(thing).tensors().items():
        if f"saved {name}" not in ways:
            (first, *_) = values.lines(value)
            what = f"a tensor of {first}" if first.startswith("shape") else "a tensor"
            if name.startswith("result"):  # of its own result a node keeps only the array
                what = "its result" if value.grad_fn is thing else what
                same = (each for each in recording.variables if is_same_data(each, value))
                what = f"the array of {recording.name_of(next(same, value)) or what}"
            rows.append(Row("saved", f"saved {name}: {what}"))
    return Box(key, "operation", key, tuple(rows))


def _holdings(thing: Any) -> Iterator[Reference]:
    """Yield the tensors and nodes that `thing` holds: through public attributes, then the rest."""
    fields = [] if type(thing).__module__.partition(".")[0] == "torch" else _fields(thing)
    yield from _of_tensor(thing, not fields) if is_tensor(thing) else _of_node(thing, not fields)
    while fields:
        how, value = fields.pop(0)
        weak = isinstance(value, weakref.ref)
        target = value() if weak else value
        if is_tensor(target) or is_node(target):
            yield how, target, weak
        elif isinstance(value, Mapping):
            fields += [(f"{how} {key}", item) for key, item in value.items()]
        elif isinstance(value, list | tuple):
            fields += [(how, item) for item in value]
        elif type(value).__name__ == "SavedTensor":
            own = (item for _, item in _fields(value))  # its weak references are shortcuts
            fields += [(how, item) for item in own if not isinstance(item, weakref.ref)]


def _of_tensor(tensor: Any, is_closed: bool) -> Iterator[Reference]:
    yield "grad_fn", tensor.grad_fn, False
    if tensor.is_leaf:  # reading the `.grad` of a non-leaf warns
        yield "grad", tensor.grad, False
        if is_closed and tensor.requires_grad:
            view = tensor.view_as(tensor)
            yield WORDS["_accumulator"], view.grad_fn.next_functions[0][0], True


def _of_node(node: Any, is_closed: bool) -> Iterator[Reference]:
    for number, (following, _) in enumerate(node.next_functions):
        yield f"next_functions[{number}]", following, False
    if is_accumulator(node):
        yield "variable", variable_of(node), False
    elif is_closed:
        for name, value in read_saved(node).tensors().items():
            if value.grad_fn is not node:  # a node keeps only the array of its own result
                yield f"saved {name}", value, False


def _fields(thing: Any) -> list[tuple[str, Any]]:
    """Return the attributes of a Python object."""
    names = [*getattr(thing, "__dict__", ())]
    for base in type(thing).__mro__:
        names += [*vars(base).get("__slots__", ()), *inspect.get_annotations(base)]
    own = [(name, getattr(thing, name, None)) for name in names if not name.startswith("__")]
    return [(WORDS.get(name, name.strip("_").replace("_", " ")), value) for name, value in own]
