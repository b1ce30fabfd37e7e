"""Short names for what a longer expression says as well; most are made of other operations.

Source: https://docs.pytorch.org/docs/2.13/torch.html
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from ..support.arguments import Dims, by_name, is_integer
from ..support.shapes import wrap_dim
from . import elementwise, reductions, shapes
from .elementwise import isnan, logical_not
from .gather_scatter import index_select
from .reductions import total, unsqueezed
from .shapes import expand, in_order

# Questions


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Where |input - other| <= atol + rtol * |other|. RuntimeError if the dtypes differ."""
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.legacy} did not match {other.dtype.legacy}")
    close: Any = input == other
    if equal_nan:
        close |= elementwise.bitwise_and(isnan(input), isnan(other))
    error, allowed = (input - other).abs().detach(), atol + (rtol * other).abs().detach()
    close |= elementwise.bitwise_and(error.isfinite(), error <= allowed)
    result: Tensor = close
    return result


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers: they never are."""
    return input.dtype.is_complex


# Numbers


def positive(input: Tensor) -> Tensor:
    """The tensor itself. RuntimeError for bools."""
    if input.dtype.category == 0:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


deg2rad = op(
    "deg2rad",
    lambda self: self * self.dtype.type(math.pi / 180),
    node="Deg2RadBackward0",
    promote="float",
    self=lambda grad: grad * 0.017453292519943295,
)
rad2deg = op(
    "rad2deg",
    lambda self: self * self.dtype.type(180 / math.pi),
    node="Rad2DegBackward0",
    promote="float",
    self=lambda grad: grad * 57.29577951308232,
)


def sum_of_numbers(self: Any, dim: Dims, keepdim: bool) -> Any:
    return total(np.where(np.isnan(self), self.dtype.type(0), self), dim, keepdim)


nansum_dim = op(
    "nansum",
    sum_of_numbers,
    self=lambda grad, self, dim, keepdim: (
        expand(unsqueezed(grad, self.shape, dim, keepdim), self.shape) * logical_not(isnan(self))
    ),
)


def nansum(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """The sum of the elements that are not nan."""
    return nansum_dim(input, dim, keepdim)


def nanmean(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """The mean of the elements that are not nan. RuntimeError for integers."""
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got"
            f" {input.dtype.legacy}"
        )
    count = reductions.sum_dim(logical_not(isnan(input)), dim, keepdim)
    mean: Tensor = nansum_dim(input, dim, keepdim) / count
    return mean


# Layouts


def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """`reshape` to the shape of `other`."""
    return shapes.reshape(self, other.shape)


def repeat_interleave(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Every element, or every slice along `dim`, so many times in a row."""
    if dim is None:
        input, dim = input.flatten(), 0
    dim = wrap_dim(dim, input.ndim)
    if not isinstance(repeats, Tensor):
        if not is_integer(repeats):
            raise TypeError
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        shape = list(input.shape)
        wide = [*shape[: dim + 1], repeats, *shape[dim + 1 :]]
        shape[dim] *= repeats
        copies = in_order(shapes.expand(input.unsqueeze(dim + 1), wide))
        return copies.view(shape)
    if repeats.numel() not in (1, input.shape[dim]):
        raise RuntimeError("repeats must have the same size as input along dim")
    times = np.broadcast_to(repeats._data.reshape(-1), (input.shape[dim],))
    return index_select(input, dim, new_tensor(np.repeat(np.arange(input.shape[dim]), times)))


FUNCTIONS: dict[str, Any] = by_name(
    isclose, is_complex, positive, deg2rad, rad2deg, nansum, nanmean, repeat_interleave,
)  # fmt: skip

METHODS: dict[str, Any] = {"reshape_as": reshape_as}
