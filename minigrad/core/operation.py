"""An operation: a row of the table, turned into a function of tensors and a class of nodes.

A row reads like PyTorch's `derivatives.yaml`: a name, a computation on arrays, and, for every input
that has a derivative, the rule for its gradient:

    mul = op("mul", np.multiply, self=lambda grad, other: grad * other,
             other=lambda grad, self: grad * self)
    exp = op("exp", np.exp, self=lambda grad, result: grad * result)

A rule computes with tensors. Its first parameter is the gradient of the result, and the others name
what backward needs, so exactly that is saved: an input, the `result`, or only the shape of an
input, as in `self_shape`. Rules never mention broadcasting, because the engine reduces each
gradient to the shape of the input that it belongs to.

By default a function that `minigrad.fast` has written runs instead of `Operation.__call__`; see
`minigrad.core`.

Source of this form: https://github.com/pytorch/pytorch/blob/v2.13.0/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from ..support import observers
from ..rows.operands import PYTHONS_NUMBERS, as_function, parameters, wrapped
from ..rows.row import Inputs, Row, in_rules, rules
from .grad_mode import mode
from .inplace import track_view
from .node import FREED, Node, SavedTensor, gradient_edge
from .tensor import Tensor, new_tensor


class Operation(Row):
    """A row of the table: a `name`, a `kernel`, and `rules`, one for each gradient."""

    def __init__(self, name: str, kernel: Callable[..., Any], /, **row: Any) -> None:
        super().__init__(name, kernel, **row)
        self.needs = {wanted: parameters(rule)[1:] for wanted, rule in self.rules.items()}
        self.node_class = self.subclass_of(OperationNode)

    def __call__(self, *args: Any) -> Any:
        """Compute with arrays, and leave a node if a gradient is wanted."""
        if self.scalar and rules.running and args[1].__class__ in PYTHONS_NUMBERS:  #@rare
            return self.scalar(*args)
        out = new_tensor(self.compute(args))
        if self.view:  #@11
            track_view(out, args[0])
        if mode.recording:  #@10:
            self.record(args, out)
        if observers.results:  #@rare
            out = observers.made(self.name, args, out)
        return out

    def record(self, args: Sequence[Any], out: Tensor) -> None:
        """Leave a node with everything that backward needs, if a gradient is wanted."""
        inputs = Inputs(zip(self.inputs, args, strict=True))
        edges = [gradient_edge(inputs[name]) for name in self.rules]
        wanted = [name for name, (node, _) in zip(self.rules, edges, strict=True) if node]
        if wanted:
            node = self.node_class()
            node._saved = {}
            for need in self.names_to_save(*wanted):
                value = out if need == "result" else inputs[need]
                if need in self.tensors and not isinstance(value, Tensor):  #@rare
                    value = wrapped(value)
                if isinstance(value, Tensor):
                    value = SavedTensor(value, 0 if need == "result" else None)
                node._saved[need] = value
            node.record(edges, [out])

    @functools.cached_property  #@rare
    def freed(self) -> list[str]:  #@rare
        """What backward frees: inputs that are tensors, arrays of indices, the result."""
        held = {*self.tensors, "indices"}
        return [*(name for name in self.inputs if name in held), "result"]


def op(name: str, kernel: Callable[..., Any], /, **row: Any) -> Callable[..., Tensor]:
    """Declare an operation, with the arguments of `Operation`; returns a function for users."""
    return as_function(Operation(name, kernel, **row))


class OperationNode(Node):
    """The node of an operation; each operation has a subclass with its `row`."""

    row: Operation

    @in_rules  #@rare
    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        """The gradient of each input that requires one, by its rule."""
        saved = {need: self._unpack(need) for need in self._saved}
        row = self.row
        grads: dict[str, Tensor | None] = dict.fromkeys(row.rules)
        if grad is None:  #@04
            return [*grads.values()]
        for name, (node, _) in sorted(zip(row.rules, self.next_functions, strict=True)):  # by name
            if node is not None:
                grads[name] = row.rules[name](grad, *map(saved.get, row.needs[name]))
        return [*grads.values()]

    def release_variables(self) -> None:  #@rare
        """Free saved tensors, and numbers that were passed instead of tensors."""
        for need in self._saved:
            if need in self.row.freed:
                self._saved[need] = FREED
