"""A row of the table: what can be settled when it is declared, such as names.

`Operation` computes with a row, and records.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from .operands import arguments_as_arrays, check_names, parameters

F = TypeVar("F", bound=Callable[..., Any])


class Rules(threading.local):
    """Whether a rule of the table runs in this thread."""

    running = False


rules = Rules()


def in_rules(backward: F) -> F:
    """Let what `backward` computes be what rules of the table compute.

    They are C++ in PyTorch: there `grad * 2` is another function than `x * 2` of a program. Its
    node is `MulBackward1`, which has one edge. And a subclass does not spread to gradients.
    """

    @functools.wraps(backward)
    def run(*args: Any) -> Any:
        before, rules.running = rules.running, True
        try:
            return backward(*args)
        finally:
            rules.running = before

    return run  # type: ignore[return-value]


class Row:
    """A name, a computation on arrays, and for each input the rule of its gradient.

    `inputs` and `tensors` are names of parameters, `needs` says what each rule needs, `in_order`
    says of each rule which edge it serves, and `arrays` makes arrays of arguments.

    Args:
        name: what users call it.
        kernel: the computation, a function of arrays; its parameters are those of the operation.
            For NumPy's own functions they are the inputs with rules, and `tensors`.
        node: the name of the node class, if not the operation's with `Backward0`.
        promote: "any" brings operands of different dtype, and numbers, to one dtype first; "float"
            makes integers floating point as well, as division and sqrt do; "number" refuses bools.
        tensors: parameters that take a tensor and have no rule.
        view: whether the result shows memory of the first parameter.
        shown: what `_saved_<name>` shows, where that is always the same.
        rules: for a parameter, the rule of its gradient.
    """

    facts = ("shape", "ndim", "strides")  # a rule may ask for these of an input in its place
    scalar: Callable[..., Any] | None = None  # what rules call with a number in its place
    refuses_out = False  # whether users call it as it is, and may think that it takes `out=`

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        /,
        node: str | None = None,
        promote: str = "",
        tensors: Sequence[str] = (),
        view: bool = False,
        shown: Mapping[str, Any] | None = None,
        **rules: Callable[..., Any],
    ) -> None:
        self.name, self.kernel, self.rules = name, kernel, rules
        self.node_name = node or name.title().replace("_", "") + "Backward0"
        self.promote, self.view, self.shown = promote, view, shown or {}
        self.inputs = parameters(kernel) or [*rules, *tensors]
        self.tensors = [each for each in self.inputs if each in rules or each in tensors]
        self.needs = {name: parameters(rule)[1:] for name, rule in rules.items()}
        places = sorted((name, place) for place, name in enumerate(rules))  # PyTorch's order
        self.in_order = [(place, rules[name], self.needs[name]) for name, place in places]
        self.arrays = arguments_as_arrays(self)
        check_names(self)

    @functools.cache  # noqa: B019 - rows live as long as the process
    def names_to_save(self, *wanted: str) -> list[str]:
        """What the gradients of these inputs need, each once, by name, the result last."""
        needs = {need for name in wanted for need in self.needs[name]}
        return sorted(needs, key=lambda need: (need.startswith("result"), need))

    def subclass_of(self, node: Any) -> Any:
        """A class of nodes for this row, with the name that PyTorch shows."""
        about = {"row": self, "__module__": "builtins", "name": lambda node: node.row.node_name}
        return type(self.node_name.rpartition("::")[2], (node,), about)


class Inputs(dict[str, Any]):
    """The arguments of a row by name; of an input also a fact, such as `self_shape`."""

    def __missing__(self, need: str) -> Any:
        name, _, fact = need.rpartition("_")
        return getattr(self[name]._data, fact)
