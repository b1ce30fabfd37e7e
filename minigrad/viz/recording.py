"""What is known about a graph: its operations, its tensors, and what the caller calls them."""

import itertools
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import FrameType
from typing import Any

from minigrad.viz.modules import Call, find_calls
from minigrad.viz.protocol import (
    ModuleLike,
    NodeLike,
    TensorLike,
    is_accumulator,
    is_module,
    is_same_data,
    is_tensor,
    output_of,
    variable_of,
)


@dataclass(frozen=True)
class Recording:
    """The part of a graph that is drawn.

    `operations` lists inputs before results, `hidden` counts those beyond `max_nodes`, and
    `all_leaves` includes the leaves behind the hidden ones. `names` are the caller's names, by id
    of the tensor, and `variables` are the tensors with names. `calls` are the calls of modules that
    are drawn as one box, by id of each of their operations.
    """

    roots: tuple[TensorLike, ...]
    operations: tuple[NodeLike, ...]
    hidden: int
    all_leaves: tuple[TensorLike, ...]
    names: Mapping[int, str]
    variables: tuple[TensorLike, ...]
    calls: Mapping[int, Call] = field(default_factory=dict)

    @cached_property
    def results(self) -> dict[tuple[int, int], TensorLike]:
        """Map (id of an operation, output number) to the result, if a variable still holds it.

        A node does not know its results, so we look for them among the variables and roots.
        """
        found: dict[tuple[int, int], TensorLike] = {}
        for tensor in (*self.variables, *self.roots):
            if tensor.grad_fn is not None:
                found.setdefault((id(tensor.grad_fn), output_of(tensor)), tensor)
        return found

    def original(self, tensor: TensorLike) -> TensorLike:
        """Return the caller's object for a saved tensor, which is often a different object.

        A result is identified by its operation, and a constant by its memory if exactly one
        variable has that memory.
        """
        if id(tensor) in self.names:
            return tensor
        if tensor.requires_grad:
            return self.results.get((id(tensor.grad_fn), output_of(tensor)), tensor)
        same = [v for v in self.variables if not v.requires_grad and is_same_data(v, tensor)]
        return same[0] if len(same) == 1 else tensor

    def name_of(self, tensor: TensorLike) -> str | None:
        """Return the caller's name of `tensor`, None if it has none."""
        return self.names.get(id(self.original(tensor)))


def record(
    roots: tuple[TensorLike, ...],
    names: Iterable[tuple[str, TensorLike]],
    max_nodes: int,
    modules: Sequence[ModuleLike] = (),
) -> Recording:
    """Walk the graph behind `roots` and record the `max_nodes` operations nearest to them.

    `names` are pairs (name, tensor); the first name of a tensor wins. A call of one of `modules`
    counts as one operation.
    """
    pairs = list(names)
    by_id: dict[int, str] = {}
    for name, tensor in pairs:
        by_id.setdefault(id(tensor), "".join(filter(str.isprintable, name)))
    reached, leaves = reach(root.grad_fn for root in roots)
    calls = find_calls(_inputs_first(reached), modules, by_id) if modules else {}
    nearest: dict[int, list[NodeLike]] = {}  # the operations of a box, by id of call or operation
    for node in reached:
        nearest.setdefault(id(calls.get(id(node), node)), []).append(node)
    shown = [node for nodes in list(nearest.values())[:max_nodes] for node in nodes]
    return Recording(
        roots=roots,
        operations=tuple(_inputs_first(shown)),
        hidden=len(reached) - len(shown),
        all_leaves=tuple(leaves),
        names=by_id,
        variables=tuple({id(tensor): tensor for _, tensor in pairs}.values()),
        calls=calls,
    )


def reach(starts: Iterable[NodeLike | None]) -> tuple[list[NodeLike], list[TensorLike]]:
    """Return all operations and leaves behind `starts`, breadth first and so nearest first."""
    seen: dict[int, NodeLike] = {}  # keeps the nodes alive, so that their ids stay unique
    queue = deque(starts)
    while queue:
        node = queue.popleft()
        if node is not None and id(node) not in seen:
            seen[id(node)] = node
            queue.extend(_inputs(node))
    operations = [node for node in seen.values() if not is_accumulator(node)]
    return operations, [variable_of(node) for node in seen.values() if is_accumulator(node)]


def _inputs_first(nodes: list[NodeLike]) -> list[NodeLike]:
    """Sort `nodes` so that an operation comes after the operations it depends on."""
    allowed = {id(node) for node in nodes}
    done: dict[int, NodeLike] = {}
    for start in nodes:
        path = [(start, _inputs(start))]
        while path:
            node, inputs = path[-1]
            following = next(inputs, None)
            if following is None:
                done[id(node)] = node
                path.pop()
            elif id(following) in allowed and id(following) not in done:
                path.append((following, _inputs(following)))
    return list(done.values())


def _inputs(node: NodeLike) -> Iterator[NodeLike]:
    return (following for following, _ in node.next_functions if following is not None)


def names_in(frame: FrameType | None) -> Iterator[tuple[str, TensorLike]]:
    """Yield (name, tensor) for the variables that `frame` sees, local ones first.

    Lists and tuples yield `xs[0]`, dictionaries `xs['a']`, modules `model.weight`, and the gradient
    of `x` is `x.grad` if it has a graph. Names that begin with an underscore, and `Out`, are
    private or belong to IPython, so they are skipped.
    """
    for scope in (frame.f_locals, frame.f_globals) if frame else ():
        for name, value in list(scope.items()):
            if not name.startswith("_") and name != "Out":
                yield from _tensors_of(name, value)


def _refuses(tensor: TensorLike) -> bool:
    """Tell whether reading the history raises, as for a view that forbids in-place edits."""
    try:
        _ = tensor.grad_fn
    except RuntimeError:
        return True
    return False


def _tensors_of(name: str, value: Any) -> Iterator[tuple[str, TensorLike]]:
    if is_tensor(value):
        if _refuses(value):
            return
        yield name, value
        gradient = getattr(value, "grad", None) if value.is_leaf else None  # others warn
        if is_tensor(gradient) and gradient.grad_fn is not None:
            yield f"{name}.grad", gradient
    elif isinstance(value, list | tuple | dict):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in itertools.islice(items, 100):  # a longer list is data
            if is_tensor(item) or is_module(item):
                yield from _tensors_of(f"{name}[{key!r}]", item)
    elif callable(getattr(type(value), "named_parameters", None)):
        for path, parameter in value.named_parameters():
            yield f"{name}.{path}", parameter
