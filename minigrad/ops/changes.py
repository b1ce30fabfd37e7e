"""The in-place forms: `add_`, `x += y`, `zero_`, `copy_`, `x[index] = value`.

All but the last few are made from the operation itself by `minigrad.inplace.in_place`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..inplace import check_in_place, in_place, write
from ..tensor import Tensor, new_tensor
from . import elementwise
from .indexing import select, take_apart
from .table import op


def stretched(self: Any, source: Any) -> Any:
    """`source` in the shape and dtype of `self`, whose values it is to replace."""
    try:
        return np.broadcast_to(source, self.shape).astype(self.dtype)[()]
    except ValueError:
        lead = max(source.ndim - self.ndim, 0)
        for dim, (length, existing) in enumerate(
            zip(reversed(self.shape), reversed(source.shape), strict=False), 1
        ):
            if existing not in (1, length):
                raise RuntimeError(
                    f"The size of tensor a ({length}) must match the size of tensor b ({existing})"
                    f" at non-singleton dimension {self.ndim - dim}"
                ) from None
        raise RuntimeError(
            f"output with shape {list(self.shape)} doesn't match the broadcast shape "
            f"{list(source.shape[:lead]) + list(self.shape)}"
        ) from None


def put(self: Any, indices: tuple[Any, ...], values: Any) -> Any:
    changed = self.copy() if isinstance(self, np.ndarray) else np.array(self)
    try:
        changed[indices] = values.astype(self.dtype)
    except ValueError:
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to"
            f" indexing result of shape {list(changed[indices].shape)}"
        ) from None
    return changed


def without(self: Any, indices: tuple[Any, ...]) -> Any:
    changed = self.copy()
    changed[indices] = 0
    return changed


copy = op("copy(self, source)", stretched, node="CopyBackwards", self="zero(grad)", source="grad")
zero = op("zero(self)", "np.zeros_like(self)[()]", node="ZeroBackward0", self="zero(grad)")
fill = op(
    "fill(self, value)",
    lambda self, value: np.full(self.shape, value, self.dtype)[()],
    node="FillBackward2",
    self="zero(grad)",
)
fill_tensor = op(
    "fill_tensor(self, value)", stretched, node="FillBackward3", self="zero(grad)", value="grad"
)
index_put = op(
    "index_put(self, indices, values)",
    put,
    node="IndexPutBackward0",
    self="index_drop(grad, indices)",
    values="index(grad, indices)",
)
index_drop = op(
    "index_drop(self, indices)", without, node="IndexPutBackward0", self="index_drop(grad, indices)"
)


def setitem(self: Tensor, index: Any, value: Any) -> None:
    """`self[index] = value`, for every kind of index that `self[index]` takes."""
    part, arrays = take_apart(self, index)
    if not isinstance(value, Tensor):
        value = new_tensor(np.asarray(value, self.dtype.numpy))
    if arrays is None:
        while value.ndim > part.ndim and value.shape[0] == 1:
            value = select(value, 0, 0)
        copy_(part, value.expand(part.shape) if value.shape != part.shape else value)
    else:
        check_in_place(part, (value,))
        write(part, index_put(part, arrays, value))


def fill_with(self: Tensor, value: Any) -> Tensor:
    return (fill_tensor if isinstance(value, Tensor) else fill)(self, value)


copy_ = in_place(copy, "copy_")

OPERATIONS: dict[str, Callable[..., Tensor]] = {
    "add": elementwise.add,
    "sub": elementwise.sub,
    "mul": elementwise.mul,
    "div": elementwise.div,
    "pow": elementwise.pow_,
    "neg": elementwise.neg,
    "abs": elementwise.abs_,
    "sign": elementwise.sign,
    "square": elementwise.square,
    "reciprocal": elementwise.reciprocal,
    "exp": elementwise.exp,
    "log": elementwise.log,
    "sqrt": elementwise.sqrt,
    "sin": elementwise.sin,
    "cos": elementwise.cos,
    "tanh": elementwise.tanh,
    "sigmoid": elementwise.sigmoid,
    "relu": elementwise.relu,
    "zero": zero,
}

METHODS: dict[str, Any] = {
    f"{name}_": in_place(function, f"{name}_") for name, function in OPERATIONS.items()
}
METHODS["copy_"] = copy_
METHODS["fill_"] = in_place(fill_with, "fill_")
METHODS |= {
    "__iadd__": METHODS["add_"],
    "__isub__": METHODS["sub_"],
    "__imul__": METHODS["mul_"],
    "__itruediv__": METHODS["div_"],
    "__ipow__": METHODS["pow_"],
    "__setitem__": setitem,
}
