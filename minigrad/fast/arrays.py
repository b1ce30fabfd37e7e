"""What the names in a rule of the table mean when the rule computes with NumPy arrays.

A rule is the same code on tensors and on arrays, and so are the helpers that it calls. Only calls
of rows differ, because on arrays a row means its kernel. A few helpers have a twin for arrays. A
rule that uses an attribute which arrays do not have, or which means something else on arrays, runs
on tensors.
"""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..core import broadcasting

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]  # or a NumPy scalar for a 0-d array, since both compute alike


def sum_to(grad: Array, shape: tuple[int, ...]) -> Array:
    """Sum an array over the dimensions along which `shape` was broadcast."""
    if not shape:
        return np.add.reduce(grad, axis=None)  # type: ignore[no-any-return]
    if grad.ndim == 2 and grad.flags.c_contiguous and grad.dtype.char in "fd":
        rows, columns = grad.shape
        if shape in ((columns,), (1, columns)) and 1 < rows <= LONGEST:
            total: Array = ones(rows, grad.dtype.char).dot(grad)
            return total if len(shape) == 1 else total.reshape(shape)
        if shape == (rows, 1) and 1 < columns <= LONGEST:
            return grad.dot(ones(columns, grad.dtype.char)).reshape(shape)  # type: ignore[no-any-return]
    lead = grad.ndim - len(shape)
    dims = tuple(n for n in range(grad.ndim) if n < lead or grad.shape[n] != shape[n - lead])
    return np.add.reduce(grad, dims, keepdims=True).reshape(shape) if dims else grad


LONGEST = 2**16  # elements in one of the vectors below, which stay in memory


@functools.lru_cache(16)
def ones(count: int, code: str) -> Array:
    """A cached vector of ones, to sum the rows or columns of a matrix with.

    BLAS computes that product in half the time of a reduction, and just as accurately.
    """
    return np.ones(count, code)


TWINS: dict[Function, Function] = {broadcasting.sum_to: sum_to}  # helper → its version on arrays
FASTER_RULES: dict[Function, dict[str, Function]] = {}  # row → input → a faster rule
# Attributes that mean the same on tensors and on arrays.
COMMON = {"shape", "ndim", "T", "mT", "real", "reshape"}


class NotOnArraysError(Exception):
    """A rule uses something that may not compute the same with arrays as with tensors."""


def twin_of(helper: Function) -> Callable[[Function], Function]:
    """Decorator: use this function instead of `helper` when a rule computes with arrays."""
    return lambda twin: TWINS.setdefault(helper, twin)


def faster_rule(row: Function, name: str) -> Callable[[Function], Function]:
    """Decorator: a faster rule, on arrays, for the row's gradient with respect to `name`."""
    return lambda faster: FASTER_RULES.setdefault(row, {}).setdefault(name, faster)


def meaning(value: Any) -> Any:
    """What a global of a rule means on arrays. NotOnArraysError for a helper that needs tensors."""
    if not isinstance(value, types.FunctionType):
        return value
    if value in TWINS:
        return TWINS[value]
    row = getattr(value, "row", None)
    if row is not None:
        return row.kernel
    kinds = " ".join(map(str, value.__annotations__.values()))
    return on_arrays(value) if "Any" in kinds or "Tensor" in kinds else value


def on_arrays(function: Function) -> Function:
    """The same code as `function`, a rule or a helper of rules, to be called with arrays.

    NotOnArraysError if it uses an attribute that arrays may not have, or not in the same sense.
    """
    code: types.CodeType = function.__code__
    names = {name: meaning(value) for name, value in globals_of(function).items()}
    unknown = {*attributes_in(code, names)} - COMMON
    if unknown:
        raise NotOnArraysError(", ".join(sorted(unknown)))
    translated = types.FunctionType(code, names, function.__name__, function.__defaults__)
    translated.__kwdefaults__ = function.__kwdefaults__
    return translated


def globals_of(function: Function) -> dict[str, Any]:
    """The globals that a function uses, including in generators and lambdas inside it."""
    used = {each.argval for each in instructions(function.__code__) if each.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__[name] for name in used if name in function.__globals__}


def attributes_in(code: types.CodeType, names: dict[str, Any]) -> Iterator[str]:
    """The attributes that `code` reads from anything but modules; its globals are `names`."""
    owner: Any = None
    for each in instructions(code):
        if each.opname in ("LOAD_ATTR", "LOAD_METHOD"):
            if not isinstance(owner, types.ModuleType):
                yield each.argval
            owner = getattr(owner, each.argval, None)
        else:
            owner = names.get(each.argval) if each.opname == "LOAD_GLOBAL" else None


def instructions(code: types.CodeType) -> Iterator[dis.Instruction]:
    yield from dis.get_instructions(code)
    for inner in code.co_consts:
        if isinstance(inner, types.CodeType):
            yield from instructions(inner)
