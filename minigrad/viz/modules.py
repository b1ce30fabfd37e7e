"""Which operations are calls of a module, and so can be drawn as one box with its name.

A graph knows nothing of modules, but its leaves include their parameters. An operation that uses
the parameters of one module is a call of it, together with what only looks at these parameters in
another way, such as a transposed weight. What is computed from parameters alone, such as a penalty
on their size, is not a call, so neither is a box.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from minigrad.viz.protocol import ModuleLike, NodeLike, TensorLike, is_accumulator, variable_of

VIEWS = {"T", "Transpose", "Permute", "View", "Expand", "Squeeze", "Unsqueeze"}
"""Operations that may come between a parameter and the operation that uses it."""

SIZES = [("in_features", "out_features"), ("in_channels", "out_channels")]
"""The attributes that tell how many features a layer takes and gives."""


@dataclass(eq=False)
class Call:
    """One call of a module: its name, "Linear 64 → 32", and the parameters that it used, by name.

    The last of its `operations` is the one that computes; the others are views of parameters.
    """

    name: str
    kind: str
    parameters: Mapping[str, TensorLike]
    operations: list[NodeLike]


def children_of(module: ModuleLike) -> list[ModuleLike]:
    """Return the children of `module`, and last itself, for parameters that no child has."""
    return [*(child for _, child in module.named_children()), module]


def find_calls(
    operations: Sequence[NodeLike], modules: Sequence[ModuleLike], names: Mapping[int, str]
) -> dict[int, Call]:
    """Return the call of each operation that belongs to one, by the operation's id.

    `operations` are sorted inputs first, and `names` are the caller's names of tensors, by id. A
    parameter of several modules belongs to the first.
    """
    owners: dict[int, ModuleLike] = {}
    for module in modules:
        for _, parameter in module.named_parameters():
            owners.setdefault(id(parameter), module)
    users = Counter(id(node) for each in operations for node, _ in each.next_functions)
    views: dict[int, list[NodeLike]] = {}  # by the id of a view, it and the views that it looks at
    uses: dict[int, set[int]] = {}  # the parameters behind each operation
    calls: dict[int, Call] = {}
    for node in operations:
        used, looked_at, others = set[int](), list[NodeLike](), 0
        for following, _ in node.next_functions:
            leaf = following is not None and is_accumulator(following)
            key = id(variable_of(following) if leaf else following)  # type: ignore[arg-type]
            if key in owners:
                used.add(key)
            elif key in views:
                used |= uses[key]
                looked_at += views[key] if users[key] == 1 else []
            else:
                others += 1
        is_view = type(node).__name__.partition("Backward")[0] in VIEWS
        owning = {owners[key] for key in used}
        uses[id(node)] = used
        if used and not others and is_view:
            views[id(node)] = [*looked_at, node]
        elif others and len(owning) == 1:
            call = _call(owning.pop(), used, names, [*looked_at, node])
            calls.update((id(each), call) for each in call.operations)
    return calls


def _call(
    module: ModuleLike, used: set[int], names: Mapping[int, str], operations: list[NodeLike]
) -> Call:
    """Describe a call. Where `net.0.weight` is the name of its "weight", a module is `net.0`."""
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
    return Call(name, kind, {p: v for p, v in parameters.items() if id(v) in used}, operations)
