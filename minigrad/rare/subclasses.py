"""Subclasses of Tensor: converting between classes, and spreading to the results of operations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.tensor import Tensor
from ..ops.creation import legacy_constructor
from ..ops.indexing import alias
from ..support import dtypes, observers
from ..support.methods import method_of, property_of
from ..rows.row import rules
from ..support.subclasses import in_class_of

KEPT = ("dtype", "_data", "_requires_grad", "_node", "_output_nr", "_counter", "_view")


def recast(tensor: Tensor, cls: type[Tensor]) -> Tensor:
    """A new tensor, to which nothing else refers yet, as an instance of `cls`."""
    if cls is type(tensor):
        return tensor
    made: Tensor = object.__new__(cls)
    for name in KEPT:
        setattr(made, name, getattr(tensor, name))
    return made


@property_of(Tensor)
def _class_of_results(self: Tensor) -> type[Tensor]:
    """The class of the results of operations on it: its own class, but Tensor for a Parameter."""
    return type(self)


@method_of(Tensor)
def as_subclass(self: Tensor, cls: type[Tensor]) -> Tensor:
    """A view of the whole tensor as an instance of `cls`. TypeError if that is not a subclass."""
    if not issubclass(cls, Tensor):
        raise TypeError(
            "Creating a Tensor subclass from a class that does not inherit from Tensor is not"
            " possible. Make sure your class inherits from Tensor."
        )
    return recast(alias(self), cls)


@method_of(Tensor)
def _as_plain(self: Tensor) -> Tensor:
    """A new tensor, to which nothing else refers yet, as an instance of Tensor itself."""
    return recast(self, Tensor)


def construct(cls: type[Tensor], *values: Any) -> Tensor:
    """`Tensor([1., 2.])` has these values in float32; `Tensor(2, 3)` has this shape."""
    return recast(legacy_constructor(dtypes.default)(*values), cls)


Tensor.__new__ = construct  # type: ignore[assignment, method-assign]


def spread(name: str, args: Sequence[Any], result: Tensor) -> Tensor:
    """The result in the class of the arguments, except in derivative rules, which are C++ there."""
    return result if rules.running else in_class_of(name, args, result)


def begin_to_spread(cls: type[Tensor], /, **kwargs: Any) -> None:
    """Start to observe results once the first subclass is defined that spreads to them."""
    if spread not in observers.results and "_class_of_results" not in vars(cls):
        observers.results.append(spread)


method_of(Tensor, "__init_subclass__")(classmethod(begin_to_spread))
