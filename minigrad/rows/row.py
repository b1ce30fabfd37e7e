"""A row of the operation table: what it declares, and how its kernel computes on arrays.

`core.operation.Operation` extends it with the part that returns tensors and records nodes.
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
    """Let `backward` compute the way PyTorch's derivative formulas do.

    Those are C++ that calls C++, so `grad * 2` records a `MulBackward1` with one edge, whereas
    `x * 2` in a program records a `MulBackward0`. For the same reason gradients do not take on the
    class of a Tensor subclass.
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

    `inputs` are the names of its parameters; those in `tensors` take a tensor.

    Args:
        name: the name of the operation.
        kernel: computes the result from arrays.
        node: the name of the node class, by default the operation's with `Backward0`.
        promote: "any" converts operands of different dtypes, and numbers, to one dtype; "float"
            also turns integers into floats, as division and sqrt do; "number" rejects bools.
        tensor_args: parameters that take a tensor but have no derivative rule.
        view: whether the result is a view of the first parameter.
        display: constant values that the node shows as `_saved_<name>`.
        scalar: what derivative rules call instead if the second operand is a number.
        numbers: whether one of two operands may be a number.
        doc: the docstring, which also makes the row a function and a method that users can call.
        in_place, alias, page: see `declarations.Declaration`.
        rules: the derivative rule of each differentiable parameter, by its name.
    """

    facts = ("shape", "ndim", "strides")  # what a rule may ask for instead of the whole input
    refuses_out = False  # whether users call the row directly, and may try to pass `out=`
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
        """The function that converts the arguments into those of the kernel."""
        return arguments_as_arrays(self)

    def compute(self, args: Sequence[Any]) -> Any:
        """The result of the kernel for `args`, without NumPy's warnings about inf and nan.

        Raises:
            NotAnOperand: an operand is neither a tensor nor a number.
            Exception: NumPy rejects the arrays; raised with PyTorch's type and message.
        """
        arrays = self.arrays(args)
        if arrays is None:
            raise NotAnOperand
        before = SETTINGS.set(IGNORE)  # `with silence()` would cost two more calls
        try:
            return np.asarray(self.kernel(*arrays))
        except (TypeError, ValueError) as error:
            raise refusal(self, arrays, error) from None
        finally:
            SETTINGS.reset(before)

    @functools.cache  # noqa: B019 - rows live as long as the process
    def names_to_save(self, *wanted: str) -> list[str]:
        """What the rules of these inputs need, without duplicates and in PyTorch's order, which is
        alphabetical with the result last.
        """
        needs = {need for name in wanted for need in self.needs[name]}
        return sorted(needs, key=lambda need: (need.startswith("result"), need))

    def subclass_of(self, node: Any) -> Any:
        """A node class for this row, with the name that PyTorch shows."""
        members = {"row": self, "__module__": "builtins", "name": lambda node: node.row.node_name}
        return type(self.node_name.rpartition("::")[2], (node,), members)


class Inputs(dict[str, Any]):
    """The arguments of a row by name, which also looks up facts about them such as `self_shape`."""

    def __missing__(self, need: str) -> Any:
        name, _, fact = need.rpartition("_")
        return getattr(self[name]._data, fact)
