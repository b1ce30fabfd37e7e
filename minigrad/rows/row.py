"""A row of the table: what it declares, and how its kernel computes.

`core.operation.Operation` is a row that makes tensors of that, and records.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from .operands import NotAnOperand, arguments_as_arrays, parameters, refusal
from .silence import IGNORE, SETTINGS

F = TypeVar("F", bound=Callable[..., Any])


class Rules(threading.local):
    """Whether this thread is running a derivative rule."""

    running = False


rules = Rules()


def in_rules(backward: F) -> F:
    """Let `backward` compute as the derivative formulas of PyTorch do.

    They are C++ and call C++, so `grad * 2` makes a `MulBackward1` with one edge, where `x * 2` in
    a program makes a `MulBackward0`. Nor does a subclass of Tensor spread to gradients.
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
    """What a row of the table declares, and the computation of its result on arrays.

    `inputs` are its parameters; those in `tensors` take a tensor, with a rule or without one.

    Args of a row, besides its name and its kernel:
        node: the name of the node class, if not the operation's with `Backward0`.
        promote: "any" converts operands of different dtypes, and numbers, to one dtype; "float"
            also turns integers into floats, as division and sqrt do; "number" refuses bools.
        tensor_args: parameters that take a tensor and have no rule.
        view: whether the result shows memory of the first parameter.
        display: what `_saved_<name>` shows, where that is always the same.
        scalar: what rules call instead if the second operand is a number.
        numbers: whether one of two operands may be a number.
        doc: what `help` says of it; with a `doc` it is a function and a method that users call.
        in_place, alias, page: as of `declarations.Declaration`.
        rules: for a parameter, the rule of its gradient.
    """

    facts = ("shape", "ndim", "strides")  # what a rule may ask for instead of an input
    refuses_out = False  # whether users call it as it is, and may think that it takes `out=`
    needs: dict[str, list[str]]

    def __init__(
        self,
        name: str,
        kernel: Callable[..., Any],
        /,
        node: str | None = None,
        promote: str = "",
        tensor_args: Sequence[str] = (),
        view: bool = False,
        display: Mapping[str, Any] | None = None,
        scalar: Callable[..., Any] | None = None,
        numbers: bool = True,
        doc: str = "",
        in_place: bool = False,
        alias: Sequence[str] = (),
        page: str = "",
        **rules: Callable[..., Any],
    ) -> None:
        self.name, self.kernel, self.rules = name, kernel, rules
        self.doc, self.in_place, self.alias, self.page = doc, in_place, alias, page
        self.node_name = node or name.title().replace("_", "") + "Backward0"
        self.promote, self.view, self.display = promote, view, display or {}
        self.scalar, self.numbers = scalar, numbers
        self.without_rule = tensor_args
        self.inputs = parameters(kernel) or [*rules, *tensor_args]

    @functools.cached_property
    def tensors(self) -> list[str]:
        """The inputs that take a tensor."""
        return [name for name in self.inputs if name in self.rules or name in self.without_rule]

    @functools.cached_property
    def arrays(self) -> Any:
        """A function that makes arrays of the arguments."""
        return arguments_as_arrays(self)

    def compute(self, args: Sequence[Any]) -> Any:
        """The result of the kernel for the arrays in `args`. NumPy warns of nothing, as PyTorch.

        Raises:
            NotAnOperand: an operand is neither a tensor nor a number.
            Exception: NumPy refuses the arrays; PyTorch's error.
        """
        arrays = self.arrays(args)
        if arrays is None:
            raise NotAnOperand
        before = SETTINGS.set(IGNORE)  # a block of `silence` would be two calls
        try:
            return np.asarray(self.kernel(*arrays))
        except (TypeError, ValueError) as error:
            raise refusal(self, arrays, error) from None
        finally:
            SETTINGS.reset(before)

    @functools.cache  # noqa: B019 - rows live as long as the process
    def names_to_save(self, *wanted: str) -> list[str]:
        """What the rules of these inputs ask for, each name once: in PyTorch's order, by name and
        the result last.
        """
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
