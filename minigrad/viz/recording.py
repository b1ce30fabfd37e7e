"""What is known about a graph: its operations, its tensors, and what the caller calls them."""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import FrameType
from typing import Any

from minigrad.viz.protocol import (
    NodeLike,
    TensorLike,
    is_accumulator,
    is_same_data,
    is_tensor,
    output_of,
    variable_of,
)


@dataclass(frozen=True)
class Recording:
    """The part of a graph that is drawn.

    `operations` lists inputs before what is made of them, `hidden` counts those beyond `max_nodes`,
    `all_leaves` includes the leaves behind these. `names` are the caller's names, by id of the
    tensor, and `variables` the tensors they stand for.
    """

    roots: tuple[TensorLike, ...]
    operations: tuple[NodeLike, ...]
    hidden: int
    all_leaves: tuple[TensorLike, ...]
    names: Mapping[int, str]
    variables: tuple[TensorLike, ...]

    @cached_property
    def results(self) -> dict[tuple[int, int], TensorLike]:
        """Map (id of an operation, output number) to what came out, where someone still holds it.

        A node does not know its results, so they are looked for among the variables and roots.
        """
        found: dict[tuple[int, int], TensorLike] = {}
        for tensor in (*self.variables, *self.roots):
            if tensor.grad_fn is not None:
                found.setdefault((id(tensor.grad_fn), output_of(tensor)), tensor)
        return found

    def held(self, tensor: TensorLike) -> TensorLike:
        """Return the caller's own object for a saved tensor, which is often another object.

        A result is known by its operation, a constant by its memory if just one variable has it.
        """
        if id(tensor) in self.names:
            return tensor
        if tensor.requires_grad:
            return self.results.get((id(tensor.grad_fn), output_of(tensor)), tensor)
        same = [v for v in self.variables if not v.requires_grad and is_same_data(v, tensor)]
        return same[0] if len(same) == 1 else tensor

    def name_of(self, tensor: TensorLike) -> str | None:
        """Return the caller's name of `tensor`, None if it has none."""
        return self.names.get(id(self.held(tensor)))


def record(
    roots: tuple[TensorLike, ...], names: Iterable[tuple[str, TensorLike]], max_nodes: int
) -> Recording:
    """Walk the graph behind `roots` and note the `max_nodes` operations nearest to them.

    `names` are pairs (name, tensor); the first name of a tensor wins.
    """
    pairs = list(names)
    by_id: dict[int, str] = {}
    for name, tensor in pairs:
        by_id.setdefault(id(tensor), "".join(filter(str.isprintable, name)))
    reached, leaves = reach(root.grad_fn for root in roots)
    shown = reached[:max_nodes]
    return Recording(
        roots=roots,
        operations=tuple(_inputs_first(shown)),
        hidden=len(reached) - len(shown),
        all_leaves=tuple(leaves),
        names=by_id,
        variables=tuple({id(tensor): tensor for _, tensor in pairs}.values()),
    )


def reach(starts: Iterable[NodeLike | None]) -> tuple[list[NodeLike], list[TensorLike]]:
    """Return all operations and all leaves behind `starts`, breadth first, so the nearest first."""
    seen: dict[int, NodeLike] = {}  # holds the nodes too: an id is unique while its object lives
    queue = deque(starts)
    while queue:
        node = queue.popleft()
        if node is not None and id(node) not in seen:
            seen[id(node)] = node
            queue.extend(_inputs(node))
    operations = [node for node in seen.values() if not is_accumulator(node)]
    return operations, [variable_of(node) for node in seen.values() if is_accumulator(node)]


def _inputs_first(nodes: list[NodeLike]) -> list[NodeLike]:
    """Sort `nodes` so that what an operation depends on stands before it."""
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

    Lists and tuples give `xs[0]`, modules `model.weight`. Names that begin with an underscore are
    IPython's own (`_`, `_12`) or private, and are skipped.
    """
    if frame is None:
        return
    for scope in (frame.f_locals, frame.f_globals):
        for name, value in list(scope.items()):
            if not name.startswith("_"):
                yield from _tensors_of(name, value)


def _tensors_of(name: str, value: Any) -> Iterator[tuple[str, TensorLike]]:
    if is_tensor(value):
        yield name, value
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value[:100]):  # a list of thousands is data, not names
            if is_tensor(item):
                yield f"{name}[{index}]", item
    elif callable(getattr(type(value), "named_parameters", None)):
        for path, parameter in value.named_parameters():
            yield f"{name}.{path}", parameter
