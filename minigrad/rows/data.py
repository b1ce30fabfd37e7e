"""Turn numbers, lists and arrays into the array of a tensor."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..support import dtypes, errors
from ..support.dtypes import dtype
from ..support.tensor_like import is_tensor
from .silence import silent


@silent
def to_array(data: Any, kind: dtype | None) -> Any:
    """`data` as an array, for `tensor(data)`; see there. Warns if it is a tensor.

    An array that already has the dtype is not copied. A number, or an array without dimensions,
    becomes a NumPy scalar, because NumPy computes faster with those; `operands.as_array` turns it
    into an array as soon as somebody wants to share its memory.
    """
    if is_tensor(data):
        errors.warn(
            "To copy construct from a tensor, it is recommended to use"
            " sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True),"
            " rather than torch.tensor(sourceTensor)."
        )
    array = as_data(data, kind)
    return np.asarray(array)[()] if isinstance(array, np.ndarray) else array


def as_data(data: Any, kind: dtype | None) -> Any:
    """`data` as a NumPy array of dtype `kind`, or as a NumPy scalar if it is a single number."""
    if is_tensor(data):
        array = data._data
    elif isinstance(data, (np.ndarray, np.generic)):
        array = data
    elif isinstance(data, (bool, int, float)):
        return as_number(data, kind or dtypes.of_number(data))
    elif is_sequence(data):
        return from_nested(data, kind)
    else:
        raise not_a_number(data)
    target = kind or dtypes.from_numpy_dtype(array.dtype)
    return array.astype(target.numpy, copy=False)


def as_number(value: Any, kind: dtype) -> Any:
    """A Python number as a NumPy scalar. ValueError or RuntimeError if `kind` cannot hold it."""
    if is_sequence(value):
        got = errors.type_name(value)
        raise TypeError(
            f"must be real number, not {got}"
            if kind.is_floating_point
            else f"'{got}' object cannot be interpreted as an integer"
        )
    try:
        if kind is dtypes.uint8 and -255 <= value < 0:
            value = int(value) % 256  # wraps around, as in C
        return kind.numpy.type(value)
    except (OverflowError, ValueError):  # ValueError for nan
        if kind is dtypes.int64 and not isinstance(value, float):
            raise ValueError("Overflow when unpacking long long") from None
        raise RuntimeError(
            f"value cannot be converted to type {kind.name} without overflow"
        ) from None


def is_sequence(value: Any) -> bool:
    """Whether `tensor` reads elements from `value`: it has `__getitem__`, like a list or a deque.

    Dictionaries, strings and tensors do not count, because PyTorch treats those on their own.
    """
    if isinstance(value, (list, tuple)):
        return True
    if isinstance(value, (dict, str, bytes, np.generic)) or is_tensor(value):
        return False
    return value.ndim > 0 if isinstance(value, np.ndarray) else hasattr(type(value), "__getitem__")


def not_a_number(value: Any) -> Exception:
    """The error for an element that cannot be in a tensor."""
    if isinstance(value, complex):
        return TypeError("minigrad has no complex tensors")
    if isinstance(value, (str, bytes)):
        return TypeError(f"new(): invalid data type '{type(value).__name__}'")
    return RuntimeError(f"Could not infer dtype of {errors.type_name(value)}")


MOST_DIMS = 128  # PyTorch's limit


def from_nested(data: Any, kind: dtype | None) -> np.ndarray[Any, Any]:
    """The array of nested sequences, in the dtype that PyTorch infers unless `kind` is given."""
    shape: list[int] = []
    first = data
    while is_sequence(first) and len(shape) <= MOST_DIMS:
        shape.append(len(first))
        try:
            first = first[0] if len(first) else None
        except KeyError:
            name = errors.type_name(first)
            raise ValueError(f"could not determine the shape of object type '{name}'") from None
    if isinstance(first, str) or len(shape) > MOST_DIMS:  # a UserString holds UserStrings
        raise ValueError(f"too many dimensions '{errors.type_name(first)}'")
    numbers = list(numbers_in(data, shape, 0))
    kinds = [number_dtype(number) for number in numbers]
    if kind is None:
        kind = functools.reduce(dtypes.promote_types, kinds) if kinds else dtypes.default
    return np.array([as_number(number, kind) for number in numbers], kind.numpy).reshape(shape)


def numbers_in(data: Any, shape: list[int], dim: int) -> Iterator[Any]:
    """Yield the numbers of nested sequences. ValueError or TypeError unless their shape matches."""
    if dim == len(shape):
        yield element(data)
        return
    if not is_sequence(data):
        raise TypeError("not a sequence")
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    if isinstance(data, np.ndarray) and len(data):
        errors.warn_slow_arrays()
    for item in data:
        yield from numbers_in(item, shape, dim + 1)


def element(value: Any) -> Any:
    """An element of a list: a number, or a tensor with one element as a NumPy scalar."""
    if isinstance(value, (bool, int, float, np.number, np.bool_)):
        return value
    if is_tensor(value):
        number = float(value) if value.dtype.is_floating_point else value.__index__()
        return value.dtype.numpy.type(number)
    if is_sequence(value):
        return value  # nested deeper than the first one: `as_number` raises the error for its dtype
    raise not_a_number(value)


def number_dtype(number: Any) -> dtype:
    if isinstance(number, np.generic):
        return dtypes.from_numpy_dtype(number.dtype)
    if is_sequence(number):
        return functools.reduce(dtypes.promote_types, map(number_dtype, number), dtypes.bool_)
    return dtypes.of_number(number)
