"""Element types and how they combine.

A `dtype` pairs a name that prints as PyTorch's (`torch.float32`) with a NumPy dtype. The dtype of a
result follows PyTorch's promotion rules, which differ from NumPy's in two ways: an integer never
widens a float (int64 with float32 is float32), and a Python number or a 0-d tensor only affects the
*category* (bool < integer < floating) when a tensor with dimensions takes part.

Source: https://docs.pytorch.org/docs/2.13/tensor_attributes.html#type-promotion
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np


class dtype:  # noqa: N801 - PyTorch's spelling
    """The type of a tensor's elements: `minigrad.float32`, `minigrad.int64`, …

    Attributes:
        numpy: the NumPy dtype.
        category: 0 for bool, 1 for integers, 2 for floating point.
        is_floating_point: whether tensors of this type can require gradients.
        legacy: PyTorch's C++ name ("Float", "Long"), which its error messages use.
        is_signed: whether numbers can be negative.
        is_complex: always False, because minigrad has no complex dtypes.
    """

    __module__ = "torch"
    is_complex = False

    __slots__ = (
        "category",
        "is_floating_point",
        "is_signed",
        "itemsize",
        "legacy",
        "name",
        "numpy",
    )

    def __init__(self, name: str, legacy: str) -> None:
        self.name = name
        self.legacy = legacy
        self.numpy: np.dtype[Any] = np.dtype(name)
        self.itemsize = self.numpy.itemsize
        self.category = {"b": 0, "i": 1, "u": 1, "f": 2}[self.numpy.kind]
        self.is_floating_point = self.category == 2
        self.is_signed = self.numpy.kind in "if"

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    @property
    def c_name(self) -> str:
        """The C type, which some error messages name instead."""
        return C_NAMES[self.legacy]

    def __reduce__(self) -> Any:
        return from_numpy_dtype, (self.numpy,)  # one object per dtype, compared by identity


float16 = dtype("float16", "Half")
float32 = dtype("float32", "Float")
float64 = dtype("float64", "Double")
int8 = dtype("int8", "Char")
int16 = dtype("int16", "Short")
int32 = dtype("int32", "Int")
int64 = dtype("int64", "Long")
uint8 = dtype("uint8", "Byte")
bool_ = dtype("bool", "Bool")

C_NAMES = {
    "Half": "c10::Half", "Float": "float", "Double": "double", "Char": "signed char",
    "Short": "short int", "Int": "int", "Long": "long int", "Byte": "unsigned char", "Bool": "bool",
}  # fmt: skip

default = float32  # for tensors made from Python floats; `set_default_dtype` changes it

ALL = (float16, float32, float64, int8, int16, int32, int64, uint8, bool_)

# NumPy has more type numbers than types (C's long is int64 here and int32 on Windows), so we look
# types up by number, and all numbers of the same type map to the same dtype.
BY_NUMBER = {
    np.dtype(code).num: kind
    for code in "?bBhilqefd"
    for kind in ALL
    if kind.numpy == np.dtype(code)
}


@functools.cache
def from_numpy_dtype(numpy_dtype: np.dtype[Any]) -> dtype:
    """The dtype that corresponds to a NumPy dtype. TypeError if there is none."""
    try:
        return BY_NUMBER[numpy_dtype.num]
    except KeyError:
        raise TypeError(
            f"can't convert np.ndarray of type numpy.{numpy_dtype.type.__name__}. The only"
            " supported types are: float64, float32, float16, complex64, complex128, int64, int32,"
            " int16, int8, uint64, uint32, uint16, uint8, and bool."
        ) from None


def as_dtype(function: str, value: Any) -> dtype:
    """`value` as a dtype; Python's float, int and bool mean float64, int64 and bool.

    TypeError, naming `function`, for anything else.
    """
    if isinstance(value, dtype):
        return value
    try:
        return {float: float64, int: int64, bool: bool_}[value]
    except (KeyError, TypeError):
        kind = type(value).__name__
        raise TypeError(f"{function}(): argument 'dtype' must be torch.dtype, not {kind}") from None


def of_number(value: Any) -> dtype:
    """The dtype of a Python number on its own: bool, int64 or the default dtype."""
    if value.__class__ is float:
        return default
    if isinstance(value, (bool, np.bool_)):
        return bool_
    return int64 if isinstance(value, int) else default


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """The dtype of a result of tensors of two dtypes: the higher category, then the wider type."""
    if type1.category != type2.category:
        return type1 if type1.category > type2.category else type2
    return from_numpy_dtype(np.promote_types(type1.numpy, type2.numpy))


def result_type(operands: list[tuple[dtype, int]]) -> dtype:
    """The dtype of an operation on operands given as (dtype, rank).

    The rank is 2 for a tensor with dimensions, 1 for a 0-d tensor and 0 for a Python number. A
    lower rank counts only if its category is higher than that of all higher ranks together.
    """
    result: dtype | None = None
    for rank in (2, 1, 0):
        together: dtype | None = None
        for kind, operand_rank in operands:
            if operand_rank == rank:
                together = kind if together is None else promote_types(together, kind)
        if together is not None and (result is None or together.category > result.category):
            result = together
    assert result is not None
    return result


class Size(tuple[int, ...]):
    """A shape: a tuple that prints as `torch.Size([2, 3])`; so do slices, sums and multiples."""

    __module__ = "torch"
    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        return Size(part) if isinstance(part, tuple) else part

    def __add__(self, other: Any) -> Size:
        if not isinstance(other, tuple):
            kind = type(other).__name__
            raise TypeError(f"can only concatenate tuple (not {kind}) to torch.Size")
        return Size(super().__add__(other))

    def __radd__(self, other: tuple[int, ...]) -> Size:
        return Size(other) + self

    def __mul__(self, times: Any) -> Size:
        return Size(super().__mul__(times))

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return as_size, (tuple(self),)  # pickle would look for the class itself in PyTorch

    def numel(self) -> int:
        """The number of elements of a tensor of this shape."""
        return math.prod(self)


def as_size(shape: tuple[int, ...]) -> Size:
    """Rebuild a Size; called by pickle and copy."""
    return Size(shape)
