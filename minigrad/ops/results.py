"""Results of operations that are not rows: handwritten nodes, and tuples with named fields."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from ..core.grad_mode import mode
from ..core.node import Node, gradient_edge
from ..core.tensor import Tensor
from ..support import observers


def finish(
    function: str,
    node: Node,
    sources: Sequence[Tensor],
    results: Sequence[Tensor],
) -> tuple[Tensor, ...]:
    """Return the `results` of an operation with a handwritten node.

    If one of `sources` requires grad, they are recorded as the outputs of `node`.
    """
    wanted = any(each.requires_grad for each in sources)
    wanted = wanted and mode.recording  #@10
    if results and wanted:
        node.record([gradient_edge(each) for each in sources], results)
    return tuple([observers.made(function, sources, each) for each in results])


def return_type(name: str, *fields: str) -> Any:
    """A class of tuples with named fields, which prints as `torch.return_types.<name>`.

    It is constructed from a sequence. Like PyTorch's, it is not a namedtuple and has no `_fields`.
    """

    def written(self: Any) -> str:
        values = ",\n".join(f"{field}={getattr(self, field)!r}" for field in fields)
        return f"torch.return_types.{name}(\n{values})"

    named = {field: property(itemgetter(index)) for index, field in enumerate(fields)}
    described = {"__repr__": written, "__module__": "torch.return_types", "__slots__": ()}
    return type(name, (tuple,), {**named, **described})
