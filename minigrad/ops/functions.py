"""More elementwise operations, which the course does not show.

At ties and kinks we follow PyTorch: `maximum` and `minimum` give each of two equal elements half of
the gradient, and `clamp` passes the gradient through at its bounds. Rounding has derivative 0
everywhere.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ..core.node import LAST, NOWHERE, Edge
from ..core.operation import OperationNode, op
from ..core.tensor import Tensor, new_tensor
from ..support import dtypes, errors
from ..rows.arguments import Number
from ..rows.declarations import export
from ..rows.layouts import as_of_all, copied
from ..rows.operands import (
    NUMBERS,
    as_number,
    c_cast,
    checked_convert,
    converted,
    is_absent,
    optional,
)
from ..support.shapes import broadcast_shape
from . import elementwise
from .elementwise import masked_fill_number, pow_number, reciprocal, where_, zeros_like


def floating(self: Any, name: str) -> Any:
    """`self`. NotImplementedError, naming PyTorch's kernel, unless it is floating point."""
    if self.dtype.kind != "f":
        raise errors.not_implemented(name, dtypes.from_numpy_dtype(self.dtype))
    return self


expm1 = op(
    "expm1", np.expm1, promote="float", doc="e^x - 1, accurate for small x",
    self=lambda grad, result: grad * (result + 1),
)  # fmt: skip
log1p = op(
    "log1p", np.log1p, promote="float", doc="log(1 + x), accurate for small x",
    self=lambda grad, self: grad / (self + 1),
)  # fmt: skip
log2 = op(
    "log2", np.log2, promote="float", doc="The logarithm to base 2, nan below 0",
    self=lambda grad, self: grad / (self * 0.6931471805599453),
)  # fmt: skip
log10 = op(
    "log10", np.log10, promote="float", doc="The logarithm to base 10, nan below 0",
    self=lambda grad, self: grad / (self * 2.3025850929940455),
)  # fmt: skip
rsqrt = op(
    "rsqrt",
    lambda self: 1 / np.sqrt(self),
    promote="float",
    doc="1 / √x, nan below 0",
    in_place=True,
    self=lambda grad, result: -0.5 * grad * pow_number(result, 3),
)
tan = op(
    "tan", np.tan, promote="float", doc="The tangent of x, an angle in radians",
    self=lambda grad, result: grad * (1 + pow_number(result, 2)),
)  # fmt: skip
sinh = op(
    "sinh", np.sinh, promote="float", doc="The hyperbolic sine, (e^x - e^-x) / 2",
    self=lambda grad, self: grad * cosh(self),
)  # fmt: skip
cosh = op(
    "cosh", np.cosh, promote="float", doc="The hyperbolic cosine, (e^x + e^-x) / 2",
    self=lambda grad, self: grad * sinh(self),
)  # fmt: skip


def per_square(self: Tensor, other: Tensor) -> Any:
    """1 / (self² + other²), but 0 where both are 0."""
    square: Any = self * self + other * other
    return masked_fill_number(reciprocal(square), square == 0, 0)


def where_won(grad: Tensor, equal: Tensor, lost: Tensor) -> Any:
    """`grad` where an input won, half of it where both are `equal`, and 0 where it `lost`."""
    return masked_fill_number(where_(equal, grad / 2, grad), lost, 0)


atan2 = op(
    "atan2",
    np.arctan2,
    promote="float",
    doc="The angle of the point (`other`, `input`), between -π and π",
    numbers=False,
    self=lambda grad, self, other: grad * other * per_square(self, other),
    other=lambda grad, self, other: grad * -self * per_square(self, other),
)
hypot = op(
    "hypot",
    lambda self, other: np.hypot(floating(self, "hypot_cpu"), other),
    promote="any",
    doc="√(input² + other²)",
    numbers=False,
    self=lambda grad, self, result: grad * self / result,
    other=lambda grad, other, result: grad * other / result,
)
maximum = op(
    "maximum",
    np.maximum,
    promote="any",
    doc="The larger of two elements; equal ones share the gradient. TypeError for numbers",
    numbers=False,
    self=lambda grad, self, other: where_won(grad, self == other, self < other),
    other=lambda grad, self, other: where_won(grad, self == other, self > other),
)
minimum = op(
    "minimum",
    np.minimum,
    promote="any",
    doc="The smaller of two elements; equal ones share the gradient. TypeError for numbers",
    numbers=False,
    self=lambda grad, self, other: where_won(grad, self == other, self > other),
    other=lambda grad, self, other: where_won(grad, self == other, self < other),
)


# Rounding


def rounded(self: Any, how: Any, name: str) -> Any:
    """`how(self)`, but integers are copied. NotImplementedError, naming a kernel, for bools."""
    if self.dtype.kind == "b":
        raise errors.not_implemented(name, dtypes.bool_)
    return how(self) if self.dtype.kind == "f" else copied(self)


def rounding(name: str, how: Any, doc: str = "") -> Callable[..., Tensor]:
    def kernel(self: Any) -> Any:
        return rounded(self, how, f"{name}_vml_cpu")

    return op(name, kernel, doc=doc, in_place=bool(doc), self=lambda grad: zeros_like(grad))


floor = rounding("floor", np.floor, "The largest integer that is at most x; its derivative is 0")
ceil = rounding("ceil", np.ceil, "The smallest integer that is at least x; its derivative is 0")
trunc = rounding("trunc", np.trunc, "x without its fractional part; its derivative is 0")
round_half_even = rounding("round", np.rint)
round_decimals = op(
    "round_decimals",
    lambda self, decimals: rounded(self, lambda each: each.round(decimals), "round_cpu"),
    node="RoundBackward1",
    self=lambda grad: zeros_like(grad),
)


@export(in_place=True)
def round_(input: Tensor, *, decimals: int = 0) -> Tensor:
    """x rounded to `decimals` digits, with halves rounded to even; the derivative is 0."""
    return round_decimals(input, decimals) if decimals else round_half_even(input)


# Division with remainder


def floored(self: Any, other: Any) -> Any:
    check_divisor(self, other, "div_floor_cpu")
    return np.floor_divide(self, other)


def modulo(self: Any, other: Any) -> Any:
    check_divisor(self, other, "remainder_cpu")
    rest = np.fmod(self, other)  # keeps the sign of a zero, which np.remainder does not
    return np.where((rest != 0) & ((rest < 0) != (np.asarray(other) < 0)), rest + other, rest)


def truncated(self: Any, other: Any) -> Any:
    check_divisor(self, other, "div_trunc_cpu")
    return np.trunc(self / other).astype(self.dtype)


def check_divisor(self: Any, other: Any, name: str) -> None:
    """NotImplementedError, naming PyTorch's kernel, for bools; RuntimeError for an integer 0."""
    kinds = np.asarray(self).dtype.kind, np.asarray(other).dtype.kind
    if kinds == ("b", "b"):
        raise errors.not_implemented(name, dtypes.bool_)
    if "f" not in kinds and np.size(self) and not np.all(other):
        raise RuntimeError("ZeroDivisionError")


class UnderivableNode(OperationNode):
    """The node of an operation without a derivative.

    It only has edges for inputs that require grad, and raises even if it receives no gradient.

    Source: NotImplemented in torch/csrc/autograd/functions/basic_ops.h
    """

    __module__ = "builtins"

    def record(self, edges: Iterable[Edge], outputs: Sequence[Tensor]) -> None:
        super().record([edge for edge in edges if edge != NOWHERE], outputs)

    def backward(self, grad: Tensor | None) -> Sequence[Tensor | None]:
        raise RuntimeError(f"derivative for aten::{self.row.name} is not implemented")

    def _sequence_nr(self) -> int:
        return LAST


def underivable(name: str, kernel: Callable[..., Any], **row: Any) -> Callable[..., Tensor]:
    """A row whose rules are never called, because its node raises."""
    function = op(name, kernel, node="torch::autograd::NotImplemented", **row)
    made: Any = function.row  # type: ignore[attr-defined]
    members = {"row": made, "__module__": "builtins"}
    made.node_class = type("NotImplemented", (UnderivableNode,), members)
    return function


floor_divide = underivable(
    "floor_divide",
    floored,
    promote="any",
    doc=(
        "`input // other`, the quotient rounded down; `other` may be a number. Backward raises a"
        " RuntimeError, because the derivative is not defined"
    ),
    self=lambda grad: grad,
    other=lambda grad: grad,
)
floored_in_place = underivable(
    "floor_divide_", floored, promote="any", self=lambda grad: grad, other=lambda grad: grad
)


def rounded_division(name: str, kernel: Callable[..., Any]) -> Callable[..., Tensor]:
    return op(
        name,
        kernel,
        node="DivBackward2",
        promote="any",
        self=lambda grad, other: zeros_like(grad),
        other=lambda grad, self, other: zeros_like(grad),
    )


div_floor = rounded_division("div_floor", floored)
div_trunc = rounded_division("div_trunc", truncated)
remainder_number = op(
    "remainder",
    lambda self, other: modulo(self, c_cast(other, self)),
    self=lambda grad: grad,
)
remainder_tensor = op(
    "remainder",
    modulo,
    node="RemainderBackward1",
    promote="any",
    self=lambda grad: grad,
    other=lambda grad, self, other: -grad * div_floor(self, other),
)
remainder_of_number = underivable(
    "remainder",
    lambda other, self: modulo(c_cast(self, other), other),
    other=lambda grad: grad,
)


@export(operator=True, in_place=True, alias=("divide", "true_divide"))
def div(input: Tensor, other: Any, *, rounding_mode: str | None = None) -> Any:
    """`input / other`, rounded down with rounding_mode="floor" and toward 0 with "trunc"."""
    if rounding_mode is None:
        return elementwise.div(input, other)
    if not isinstance(other, (Tensor, *NUMBERS)):
        raise TypeError
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found"
            f" '{rounding_mode}'"
        )
    return (div_floor if rounding_mode == "floor" else div_trunc)(input, other)


@export(operator=True, in_place=True)
def remainder(input: Any, other: Any) -> Tensor:
    """The remainder of `input` divided by `other`, with the sign of `other`, as in Python.

    Either one may be a number.
    """
    input, other = as_number(input), as_number(other)
    if isinstance(other, (int, float)):
        return remainder_number(floating_with(input, other), other)
    if isinstance(input, (int, float)):
        return remainder_of_number(floating_with(other, input), input)
    return remainder_tensor(input, other)


def equal_to(self: Tensor, other: Any) -> Any:
    """`self == other`, also for arrays, because after NotImplemented Python would return False."""
    result = elementwise.eq(self, other)
    if result is NotImplemented and isinstance(other, np.ndarray):
        return elementwise.eq(self, new_tensor(other))
    return result


def rfloor_divide(self: Tensor, other: Any) -> Tensor:
    """`other // self` for a number."""
    return floor_divide(other, self)


def rremainder(self: Tensor, other: Any) -> Tensor:
    """`other % self` for a number."""
    return remainder(other, self)


def floating_with(tensor: Tensor, *numbers: Any) -> Tensor:
    """`tensor`, promoted if one of `numbers` has a dtype of a higher category."""
    kind = dtypes.result_type(
        [(tensor.dtype, 1), *((dtypes.of_number(n), 0) for n in numbers if n is not None)]
    )
    result: Tensor = tensor.to(kind)
    return result


# clamp: each bound is a number, a tensor or None


def inside(self: Any, min: Any, max: Any) -> Any:
    """Where `self` is between `min` and `max`, of which one may be absent."""
    if is_absent(min):
        return self <= max
    return self >= min if is_absent(max) else (self >= min) & (self <= max)


def below(self: Any, min: Any, max: Any) -> Any:
    """Where clamping replaced `self` by the tensor `min`."""
    return self < min if is_absent(max) else (min < max) & (self < min)


def above(self: Any, min: Any, max: Any) -> Any:
    """Where clamping replaced `self` by the tensor `max`."""
    return self > max if is_absent(min) else (self > max) | (max < min)


def clamped(self: Any, min: Any, max: Any) -> Any:
    """The array clamped to two numbers, of which one may be None; a bound of 0 keeps -0."""
    if self.dtype.kind == "b":
        which = "min_" if max is None else "max_" if min is None else ""
        raise errors.not_implemented(f"clamp_{which}scalar_cpu", dtypes.bool_)
    if self.dtype.kind != "f":
        min, max = (
            None if each is None else checked_convert(each, self.dtype) for each in (min, max)
        )
    if max is None:
        return np.maximum(min, self)
    return np.minimum(max, self) if min is None else np.clip(self, min, max)


clamp_numbers = op(
    "clamp_numbers",
    clamped,
    node="ClampBackward1",
    self=lambda grad, self, min, max: where_(inside(self, min, max), grad, 0.0),
)


def in_common_dtype(*operands: Any) -> list[Any]:
    """The arrays in their common dtype, for which 0-d arrays count less."""
    if all(each.dtype is operands[0].dtype for each in operands):
        return list(operands)
    kind = dtypes.result_type(
        [(dtypes.from_numpy_dtype(a.dtype), 2 if a.ndim else 1) for a in operands]
    )
    return [converted(each, kind.numpy) for each in operands]


def between_arrays(self: Any, min: Any, max: Any) -> Any:
    """The array clamped to two others, of which one may be None, in their common dtype."""
    arrays = in_common_dtype(*(each for each in (self, min, max) if each is not None))
    result = arrays[0]
    if min is not None:
        result = np.maximum(result, arrays[1])
    if max is not None:
        result = np.minimum(result, arrays[-1])
    return as_of_all(result, *arrays)


clamp_tensors = op(
    "clamp_tensors",
    between_arrays,
    node="ClampBackward0",
    self=lambda grad, self, min, max: where_(inside(self, min, max), grad, 0.0),
    min=lambda grad, self, min, max: where_(below(self, min, max), grad, 0.0),
    max=lambda grad, self, min, max: where_(above(self, min, max), grad, 0.0),
)


@export(alias=("clip",))
def clamp(input: Tensor, min: Number | None = None, max: Number | None = None) -> Tensor:
    """`input` with every element below `min` or above `max` replaced by that bound.

    Both bounds are numbers or both are tensors, and one of them may be None.
    """
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    given = [type(bound) for bound in (min, max) if bound is not None]
    if not any(issubclass(kind, Tensor) for kind in given):
        min, max = (as_number(bound) for bound in (min, max))
        return clamp_numbers(floating_with(input, min, max), min, max)
    if not all(issubclass(kind, Tensor) for kind in given):
        raise TypeError
    present = [each for each in (input, min, max) if each is not None]
    if len(present) == 3 and all(each.dtype is dtypes.bool_ for each in present):
        raise errors.not_implemented("clamp_cpu", dtypes.bool_)
    broadcast_shape(*(each.shape for each in present))
    return clamp_tensors(input, optional(min), optional(max))


def within_dtype(function: Any) -> Any:
    """`function`, one of the clamps, for its in-place form, where PyTorch has a special error for
    numbers that promote the result to a dtype of a higher category.
    """

    @functools.wraps(function)
    def clamping(input: Tensor, *bounds: Any, **named: Any) -> Any:
        result = function(input, *bounds, **named)
        numbers = not any(isinstance(each, Tensor) for each in (*bounds, *named.values()))
        if numbers and result.dtype.category > input.dtype.category:
            raise RuntimeError(
                f"result type {result.dtype.legacy} can't be cast to the desired output type"
                f" {input.dtype.c_name}"
            )
        return result

    return clamping


export(only="in-place")(within_dtype(clamp))


@export()
def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Whether |input - other| <= atol + rtol * |other|, elementwise.

    RuntimeError if the dtypes differ.
    """
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.legacy} did not match {other.dtype.legacy}")
    close: Any = input == other
    if equal_nan:
        close |= elementwise.bitwise_and(elementwise.isnan(input), elementwise.isnan(other))
    if not input.dtype.is_floating_point:
        input, other = input.to(dtypes.default), other.to(dtypes.default)
    error, allowed = (input - other).abs(), atol + (rtol * other).abs()
    close |= elementwise.bitwise_and(error.isfinite(), error <= allowed)
    result: Tensor = close
    return result


@export()
def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether `isclose` is true for all elements. RuntimeError if the dtypes differ."""
    return bool(isclose(input, other, rtol, atol, equal_nan).all())


@export()
def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers, which is always False."""
    return input.dtype.is_complex


def positive(input: Tensor) -> Tensor:
    """The tensor itself. RuntimeError for bools."""
    if input.dtype.category == 0:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input
