"""Short names for what a longer expression says as well; most are made of other operations.

Source: https://docs.pytorch.org/docs/2.13/torch.html
"""

from __future__ import annotations

from typing import Any


from ..core.tensor import Tensor
from ..support.arguments import by_name
from . import elementwise, shapes
from .elementwise import isnan

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


# Layouts


def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """`reshape` to the shape of `other`."""
    return shapes.reshape(self, other.shape)


FUNCTIONS: dict[str, Any] = by_name(
    isclose, is_complex, positive,
)  # fmt: skip

METHODS: dict[str, Any] = {"reshape_as": reshape_as}
