"""The in-place forms: `add_`, `x += y`, `zero_`, `copy_`, `x[index] = value`.

Nearly all of them are derived from the operation itself, by `core.inplace.in_place`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..core.inplace import check_in_place, in_place, write
from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from ..support import errors
from ..rows.arguments import with_checked_arguments
from ..support.checks import check_overlap
from ..rows.declarations import Declaration, export
from ..support.dtypes import from_numpy_dtype
from ..rows.operands import NUMBERS, cast, checked_convert
from ..support.shapes import broadcast_shape, expandable
from .elementwise import zeros_like
from .indexing import (
    added_back,
    arrays_at,
    checked,
    index_,
    index_kernel,
    shape_at,
    take_apart,
)

ASSIGNABLE = (int, float, np.integer)  # includes np.float64, a float, but not np.float32


def stretched(self: Any, source: Any) -> Any:
    """`source` broadcast to the shape of `self`, in its dtype. RuntimeError if impossible."""
    if expandable(source.shape, self.shape):
        values = np.empty_like(self)
        values[...] = source
        return values
    raise errors.output_shape(self.shape, broadcast_shape(self.shape, source.shape))


def put(self: Any, indices: tuple[Any, ...], values: Any) -> Any:
    changed = self.copy()
    shape = shape_of(self, indices) if values.ndim or not getattr(indices, "fits", True) else ()
    if values.ndim and not expandable(values.shape, shape):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to"
            f" indexing result of shape {list(shape)}"
        )
    if values.dtype != self.dtype and not (values.size == 1 and is_one_mask(indices)):
        names = [from_numpy_dtype(each.dtype).legacy for each in (self, values)]
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, got"
            f" {names[0]} for the destination and {names[1]} for the source."
        )
    fitting = checked(indices, self.shape)
    changed[fitting] = values.astype(self.dtype)
    return changed


def put_more(self: Any, indices: tuple[Any, ...], values: Any) -> Any:
    put(self, indices, values)  # for its errors
    repeated = np.broadcast_to(values.astype(self.dtype), shape_of(self, indices))
    return self + added_back(repeated, self.shape, indices)


def shape_of(self: Any, indices: tuple[Any, ...]) -> tuple[int, ...]:
    """The shape of `self[indices]`, even if `indices` are out of bounds."""
    fits = getattr(indices, "fits", True)
    shape: tuple[int, ...] = (
        index_kernel(self, indices).shape if fits else shape_at(indices, self.shape)
    )
    return shape


def is_one_mask(indices: tuple[Any, ...]) -> bool:
    """Whether an index is a single mask, which may be filled with a number of any dtype."""
    arrays = [each for each in indices if isinstance(each, np.ndarray)]
    return len(arrays) == 1 and arrays[0].dtype.kind == "b"


copy = op(
    "copy",
    stretched,
    node="torch::autograd::CopyBackwards",
    self=lambda grad: zeros_like(grad),
    source=lambda grad: grad,
)
zero = op(
    "zero",
    lambda self: np.broadcast_to(self.dtype.type(0), self.shape),
    in_place=True,
    self=lambda grad: zeros_like(grad),
)
fill = op(
    "fill",
    lambda self, value: np.broadcast_to(checked_convert(value, self.dtype), self.shape),
    node="FillBackward2",
    self=lambda grad: zeros_like(grad),
)
fill_tensor = op(
    "fill",
    lambda self, value: stretched(self, value),
    node="FillBackward3",
    self=lambda grad: zeros_like(grad),
    value=lambda grad: grad,
)
index_put = op(
    "index_put",
    put,
    node="IndexPutBackward0",
    self=lambda grad, indices: index_drop(grad, indices),
    values=lambda grad, indices: index_(grad, indices),
)


index_put_more = op(
    "index_put",
    put_more,
    node="IndexPutBackward0",
    self=lambda grad: grad,
    values=lambda grad, indices: index_(grad, indices),
)


def index_drop(grad: Tensor, indices: Any) -> Tensor:
    """`grad` with zeros at `indices`, where the old values were replaced."""
    return index_put(grad, indices, new_tensor(np.zeros((), grad.dtype.numpy)))


@export(name="index_put", in_place=True)
def index_put_at(
    input: Tensor, indices: Sequence[Tensor], values: Tensor, accumulate: bool = False
) -> Tensor:
    """A copy with `values` at `input[indices]`, or with `accumulate` added there.

    IndexError for an index out of bounds, RuntimeError for values of another dtype, or of a shape
    that does not broadcast to that of `input[indices]`.
    """
    arrays = arrays_at(input, indices)
    return (index_put_more if accumulate else index_put)(input, arrays, values)


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """`self[index] = value`, for every kind of index that `self[index]` takes."""
    if isinstance(value, ASSIGNABLE):
        value = new_tensor(checked_convert(value, self.dtype.numpy, rounding=True))
    if not isinstance(value, Tensor):
        raise TypeError(
            f"can't assign a {errors.type_name(value)} to a torch.{self.dtype.legacy}Tensor"
        )
    if index is False:
        return
    part, arrays = take_apart(self, None if index is True else index)
    if arrays is None and value.shape == part.shape:
        copy_(part, value)
    elif arrays is None and value.ndim == 0:
        fill_(part, value)
    elif arrays is None:
        value = value.view(trimmed(value.shape))
        copy_(part, value if value.shape == part.shape else value.expand(part.shape))
    else:
        if trimmed(value.shape) != value.shape:
            value = value.view(trimmed(value.shape))
        check_in_place(part, (value,))
        filled = not value.ndim and is_one_mask(arrays)  # PyTorch calls `masked_fill_`
        if not filled:
            check_overlap("index_put_", part, (value, *arrays.tensors.values()))
        write(part, index_put(part, arrays, value))


def trimmed(shape: tuple[int, ...]) -> tuple[int, ...]:
    """`shape` without leading ones."""
    return shape[next((dim for dim, length in enumerate(shape) if length != 1), len(shape)) :]


@export(name="fill", only="in-place")
def fill_with(self: Tensor, value: Any) -> Tensor:
    """A tensor like `self` that is filled with `value`, a number or a 0-d tensor."""
    if not isinstance(value, Tensor):
        if not isinstance(value, NUMBERS):
            got = errors.type_name(value)
            why = f"didn't match because some of the arguments have invalid types: (!{got}!)"
            raise TypeError(
                f"fill_() received an invalid combination of arguments - got ({got}), but expected"
                f" one of:\n * (Tensor value)\n      {why}\n * (Number value)\n      {why}\n"
            )
        return fill(self, value)
    if value.ndim:
        raise RuntimeError(
            f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim}"
            " dimensions."
        )
    return fill_tensor(self, value)


@export(name="copy", only="in-place")
def copy_from(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """The values of `other`, a number or a tensor, in the shape and dtype of `self`."""
    source = new_tensor(cast(other, self.dtype)) if isinstance(other, NUMBERS) else other
    if not isinstance(source, Tensor):
        raise errors.argument_type("copy_", "other", 1, "Tensor", source)
    return copy(self, source if self.dtype.is_floating_point else source.detach())


def in_place_form(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    """The in-place form of an operation, with the operation's signature."""
    method: Any = in_place(function, name)
    method.__wrapped__ = function
    return method  # type: ignore[no-any-return]


def in_place_forms(declared: Declaration) -> dict[str, Any]:
    """The in-place method of a declaration, such as `exp_`, by name; empty if it has none.

    Operators check their own operands, so they are not wrapped.
    """
    if not declared.has_in_place_form:
        return {}
    name = f"{declared.name}_"
    form = in_place_form(declared.function, name)
    return {name: form if declared.operator else with_checked_arguments(form, name, method=True)}


copy_, fill_ = in_place_form(copy_from, "copy_"), in_place_form(fill_with, "fill_")
