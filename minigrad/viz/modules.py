"""Which operations are one call of a module, and so can be drawn as one box.

A graph knows nothing of modules, but its leaves include their parameters. An operation that uses
parameters of a module belongs to a call of it, and so does what only looks at them in another way
(a transposed weight) and what lies between two such operations (a `relu` in a block). What else is
computed of parameters alone, such as a penalty on their size, belongs to none.

A call begins with one operation, and whatever flows into the call flows in there: an operation that
takes something from elsewhere begins a call of its own. So no path leaves a call and comes back,
and a graph whose calls are boxes has no cycles either. An operation that uses a parameter again
begins a new call too: each step of a recurrent network is a box.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from minigrad.viz.protocol import ModuleLike, NodeLike, TensorLike, is_accumulator, variable_of

VIEWS = {"T", "Transpose", "Permute", "View", "Expand", "Squeeze", "Unsqueeze"}
"""Operations that may stand between a parameter and the operation that uses it."""

SIZES = [("in_features", "out_features"), ("in_channels", "out_channels")]
"""What layers call the sizes that they lead from and to."""


@dataclass(eq=False)
class Part:
    """A module that is drawn as a box: its name, "Linear 64 → 32", its parameters by name."""

    name: str
    kind: str
    parameters: Mapping[str, TensorLike]


@dataclass(eq=False)
class Call:
    """One call of a module, from its `entry` on; `used` are the ids of the parameters it took."""

    part: Part
    entry: NodeLike
    used: set[int] = field(default_factory=set)
    operations: list[NodeLike] = field(default_factory=list)


def children_of(module: ModuleLike) -> list[ModuleLike]:
    """Return the children of `module`, and last itself, for parameters that no child has."""
    return [*(child for _, child in module.named_children()), module]


def part_of(module: ModuleLike, names: Mapping[int, str]) -> Part:
    """Find out what the caller calls `module`, from the names of its parameters by id.

    Where `net.0.weight` is the name of its parameter "weight", it is `net.0`.
    """
    parameters = dict(module.named_parameters())
    found = (
        names[id(parameter)].removesuffix(f".{path}")
        for path, parameter in parameters.items()
        if names.get(id(parameter), "").endswith(f".{path}")
    )
    kind = type(module).__name__
    name = next(found, kind)
    for sizes in SIZES:
        if all(isinstance(getattr(module, size, None), int) for size in sizes):
            kind = " ".join([kind, " → ".join(str(getattr(module, size)) for size in sizes)])
    return Part(name, kind, parameters)


def find_calls(operations: Sequence[NodeLike], parts: Sequence[Part]) -> dict[int, Call]:
    """Return the call of each operation that belongs to one, by id of the operation.

    `operations` are sorted inputs first. A parameter of several parts belongs to the first.
    """
    owners: dict[int, Part] = {}
    for part in parts:
        for parameter in part.parameters.values():
            owners.setdefault(id(parameter), part)
    calls: dict[int, Call] = {}
    certain: set[int] = set()  # the others belong to their call if they lead to more of it
    weights: dict[int, set[int]] = {}  # views of parameters, and of which
    for node in operations:
        used, sources = _inputs(node, owners, weights, calls)
        call = next(iter(sources)) if len(sources) == 1 else None
        used_parts = {owners[key] for key in used}
        if used and not sources:
            if type(node).__name__.partition("Backward")[0] in VIEWS:
                weights[id(node)] = used
        elif not used and call:
            calls[id(node)] = call
        elif len(used_parts) == 1:
            (part,) = used_parts
            if call is None or call.part is not part or call.used & used:
                call = Call(part, node)
            call.used |= used
            calls[id(node)] = call
            certain.add(id(node))
    return _settled(operations, calls, certain, weights)


def _inputs(
    node: NodeLike,
    owners: Mapping[int, Part],
    weights: Mapping[int, set[int]],
    calls: Mapping[int, Call],
) -> tuple[set[int], set[Call | None]]:
    """Return which parameters `node` uses, and which calls its other inputs come from.

    None stands for what comes from outside all calls; so do constants of an operation that uses
    parameters, since the first layer's input is one.
    """
    used: set[int] = set()
    sources: set[Call | None] = set()
    constants = False
    for following, _ in node.next_functions:
        if following is None:
            constants = True
            continue
        key = id(variable_of(following) if is_accumulator(following) else following)
        if key in owners:
            used.add(key)
        elif key in weights:
            used |= weights[key]
        else:
            sources.add(calls.get(key))
    return used, sources or ({None} if constants else set())


def _settled(
    operations: Sequence[NodeLike],
    calls: Mapping[int, Call],
    certain: set[int],
    weights: Mapping[int, set[int]],
) -> dict[int, Call]:
    """Return `calls` without what leads out of a call, and with the weights that one call uses."""
    settled: dict[int, Call] = {}
    users: dict[int, set[Call | None]] = defaultdict(set)
    for node in reversed(operations):
        key = id(node)
        call = calls.get(key)
        if key in weights and len(users[key]) == 1:
            (call,) = users[key]
        if call and (key in certain or call in users[key]):
            settled[key] = call
        for following, _ in node.next_functions:
            users[id(following)].add(settled.get(key))
    for node in operations:
        if id(node) in settled:
            settled[id(node)].operations.append(node)
    return settled
