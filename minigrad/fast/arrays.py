"""What the names in a rule of the table mean where a rule computes with bare arrays.

A rule is the same code on tensors and on arrays, and so is a helper that it calls: only the rows
differ, which mean their kernels there. A few helpers have a twin for arrays. Code that asks a
tensor for what arrays do not have, or mean otherwise, runs on tensors.
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
Array = np.ndarray[Any, Any]  # or a NumPy scalar for one without dimensions, which computes alike


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


LONGEST = 2**16  # of the vectors below, which stay in memory


@functools.lru_cache(16)
def ones(count: int, code: str) -> Array:
    """A vector of ones: times a matrix it is the sum of the rows, or of the columns, which BLAS has
    in half the time that a reduction takes, and as exactly.
    """
    return np.ones(count, code)


TWINS: dict[Function, Function] = {broadcasting.sum_to: sum_to}  # of a helper what it is on arrays
RULES: dict[Function, dict[str, Function]] = {}  # of a row, by input: its rule, but faster
# What arrays have as well and mean the same by.
COMMON = {"shape", "ndim", "T", "mT", "real", "reshape"}


class NotOnArraysError(Exception):
    """A rule uses something that is not known to compute with arrays as it does with tensors."""


def twin_of(helper: Function) -> Callable[[Function], Function]:
    """Declare what a name in a rule means on arrays."""
    return lambda twin: TWINS.setdefault(helper, twin)


def rule_of(row: Function, name: str) -> Callable[[Function], Function]:
    """Of a row with a faster rule for the gradient of the input `name`: a function of arrays."""
    return lambda faster: RULES.setdefault(row, {}).setdefault(name, faster)


def meaning(value: Any) -> Any:
    """What a global of a rule means on arrays. NotOnArraysError for a helper on tensors."""
    if not isinstance(value, types.FunctionType):
        return value
    if value in TWINS:
        return TWINS[value]
    row = getattr(value, "row", None)
    if row is not None:
        return row.kernel
    kinds = " ".join(map(str, value.__annotations__.values()))
    return on_arrays(value) if "Any" in kinds or "Tensor" in kinds else value  # of numbers


def on_arrays(function: Function) -> Function:
    """A rule, or a helper that is written like one: the same code, which computes with arrays.

    NotOnArraysError if it uses an attribute that arrays do not have, or mean another thing by.
    """
    code: types.CodeType = function.__code__
    names = {name: meaning(value) for name, value in globals_of(function).items()}
    odd = {*attributes_in(code, names)} - COMMON
    if odd:
        raise NotOnArraysError(", ".join(sorted(odd)))
    made = types.FunctionType(code, names, function.__name__, function.__defaults__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def globals_of(function: Function) -> dict[str, Any]:
    """The globals that a function uses, also in the generators within it."""
    used = {each.argval for each in instructions(function.__code__) if each.opname == "LOAD_GLOBAL"}
    return {name: function.__globals__[name] for name in used if name in function.__globals__}


def attributes_in(code: types.CodeType, names: dict[str, Any]) -> Iterator[str]:
    """The attributes that it uses of anything but modules, when its globals are `names`."""
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
