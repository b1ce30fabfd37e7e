"""What the names in a rule of the table mean where a rule computes with bare arrays.

A rule is the same code on tensors and on arrays: only the functions that it names differ. A row
means its kernel, a helper on tensors its twin, and a helper on numbers itself.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.grad_mode import no_grad
from ...core.tensor import new_tensor

Function = Callable[..., Any]
KERNELS: dict[Function, Function] = {}  # of a row what users call → its kernel, but faster
TWINS: dict[Function, Function] = {}  # what a rule names → what it means on arrays
RULES: dict[Function, dict[str, Function]] = {}  # of a row, by input: its rule, but faster


def kernel_of(row: Function) -> Function:
    """Of a row with a faster kernel in place of its own: a function of bare arrays or scalars."""
    return lambda plain: stand_for(row, plain, KERNELS)


def twin_of(helper: Function) -> Function:
    """Declare what a name in a rule means on arrays."""
    return lambda twin: stand_for(helper, twin, TWINS)


def rule_of(row: Function, name: str) -> Function:
    """Of a row with a faster rule for the gradient of the input `name`: a function of arrays."""
    return lambda faster: stand_for(name, faster, RULES.setdefault(row, {}))


def stand_for(original: Any, function: Function, table: dict[Any, Function]) -> Function:
    table[original] = function
    return function


def meaning(value: Any) -> Any:
    """What a global of a rule means on arrays."""
    if not callable(value) or isinstance(value, type):
        return value
    row = getattr(value, "row", None)
    if value in TWINS:
        return TWINS[value]
    return value if row is None else KERNELS.get(value, row.kernel)


def on_arrays(function: Any) -> Any:
    """A rule, or a helper that is written like one: the same code, which computes with arrays."""
    code: types.CodeType = function.__code__
    known = function.__globals__
    names = {name: meaning(known[name]) for name in names_in(code) if name in known}
    names["__name__"] = None  # see `fast.silence`
    return types.FunctionType(code, names, function.__name__, function.__defaults__)


def names_in(code: types.CodeType) -> set[str]:
    """The globals that a function may name, also in the generators within it."""
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return set(code.co_names).union(*map(names_in, inner))


def through_tensors(function: Function) -> Function:
    """A helper that works on tensors alone, for arrays: slower than a twin by some microseconds,
    and as exact.
    """

    def on_arrays(*args: Any) -> Any:
        tensors = [new_tensor(each) if isinstance(each, ARRAY) else each for each in args]
        with no_grad():  # which some helpers ask about
            result = function(*tensors)
        return result if result is None else result._data

    return on_arrays


ARRAY = (np.ndarray, np.generic)
