"""The in-place forms: `add_`, `x += y`, `zero_`, `copy_`, `x[index] = value`.

All but the last few are made from the operation itself by `minigrad.inplace.in_place`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..dtypes import from_numpy_dtype
from ..inplace import check_in_place, check_overlap, in_place, write
from ..tensor import Tensor, new_tensor
from . import elementwise
from .broadcasting import broadcastable, expandable
from .indexing import checked, take_apart
from .table import op

NUMBERS = (int, float, np.number, np.bool_)


def stretched(self: Any, source: Any) -> Any:
    """`source` in the shape and dtype of `self`, whose values it is to replace."""
    try:
        return np.broadcast_to(source, self.shape).astype(self.dtype)[()]
    except ValueError:
        if not broadcastable(self.shape, source.shape):
            raise errors.does_not_broadcast(self.shape, source.shape) from None
        raise RuntimeError(
            f"output with shape {list(self.shape)} doesn't match the broadcast shape "
            f"{list(np.broadcast_shapes(self.shape, source.shape))}"
        ) from None


def put(self: Any, indices: tuple[Any, ...], values: Any) -> Any:
    changed = self.copy() if isinstance(self, np.ndarray) else np.array(self)
    if values.ndim and not expandable(values.shape, shape := changed[indices].shape):
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
    changed[indices] = values.astype(self.dtype)
    return changed


def is_one_mask(indices: tuple[Any, ...]) -> bool:
    """Whether an index is a mask and nothing else: it is filled with a number of any dtype."""
    arrays = [each for each in indices if isinstance(each, np.ndarray)]
    return len(arrays) == 1 and arrays[0].dtype.kind == "b" and arrays[0].size != 1


def without(self: Any, indices: tuple[Any, ...]) -> Any:
    changed = self.copy()
    changed[checked(indices)] = 0
    return changed


copy = op(
    "copy(self, source)",
    stretched,
    node="torch::autograd::CopyBackwards",
    self="zeros_like(grad)",
    source="grad",
)
zero = op("zero(self)", "zeros_like(self)", self="zeros_like(grad)")
fill = op(
    "fill(self, value)",
    lambda self, value: np.full(self.shape, value, self.dtype)[()],
    node="FillBackward2",
    self="zeros_like(grad)",
)
fill_tensor = op(
    "fill_tensor(self, value)",
    stretched,
    node="FillBackward3",
    self="zeros_like(grad)",
    value="grad",
)
index_put = op(
    "index_put(self, indices: Arrays, values)",
    put,
    node="IndexPutBackward0",
    self="index_drop(grad, indices)",
    values="index(grad, indices)",
)
index_drop = op(
    "index_drop(self, indices: Arrays)",
    without,
    node="IndexPutBackward0",
    self="index_drop(grad, indices)",
)


def as_tensor_like(self: Tensor, value: Any) -> Any:
    """A number as a 0-d tensor of the dtype of `self`; anything else as it is."""
    if isinstance(value, NUMBERS):
        return new_tensor(np.asarray(value).astype(self.dtype.numpy)[()])
    return value


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """`self[index] = value`, for every kind of index that `self[index]` takes."""
    value = as_tensor_like(self, value)
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
        check_overlap(part, (value,) if value.ndim else (), same=False)
        write(part, index_put(part, arrays, value))


def trimmed(shape: tuple[int, ...]) -> tuple[int, ...]:
    """`shape` without the ones in front."""
    return shape[next((dim for dim, length in enumerate(shape) if length != 1), len(shape)) :]


def fill_with(self: Tensor, value: Any) -> Tensor:
    """A tensor like `self` that is full of `value`, a number or a 0-d tensor."""
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


def copy_from(self: Tensor, other: Any, non_blocking: bool = False) -> Tensor:
    """The values of `other`, a number or a tensor, in the shape and dtype of `self`."""
    source = as_tensor_like(self, other)
    if not isinstance(source, Tensor):
        raise errors.argument_type("copy_", "other", 1, "Tensor", source)
    return copy(self, source if self.dtype.is_floating_point else source.detach())


copy_, fill_ = in_place(copy_from, "copy_"), in_place(fill_with, "fill_")

# The operators themselves, since their function forms word errors for the form out of place.
OPERATORS: dict[str, Callable[..., Tensor]] = {
    "add": elementwise.OPERATORS["add"],
    "sub": elementwise.OPERATORS["sub"],
    "mul": elementwise.mul,
    "div": elementwise.div,
    "pow": elementwise.pow_,
    "zero": zero,
}

UFUNCS = {"add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.true_divide}

METHODS: dict[str, Any] = {
    f"{name}_": in_place(function, f"{name}_", UFUNCS.get(name))
    for name, function in OPERATORS.items()
}
METHODS |= {
    "copy_": copy_,
    "fill_": fill_,
    **{
        method: in_place(OPERATORS[name], method, UFUNCS[name])
        for name, method in (
            ("add", "__iadd__"),
            ("sub", "__isub__"),
            ("mul", "__imul__"),
            ("div", "__itruediv__"),
        )
    },
    "__ipow__": in_place(elementwise.pow_, "__ipow__"),
    "__iand__": in_place(elementwise.bitwise_and, "__iand__"),
    "__ior__": in_place(elementwise.bitwise_or, "__ior__"),
    "__ixor__": in_place(elementwise.bitwise_xor, "__ixor__"),
    "__setitem__": setitem,
}
