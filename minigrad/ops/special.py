"""Special functions of one, two and three tensors, each next to its derivative.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor
from ..support import dtypes, errors
from ..rows.arguments import Number
from ..rows.declarations import export
from ..rows.layouts import as_of_all, copied
from ..rows.operands import NUMBERS, as_number
from .elementwise import div, either, exp, isfinite, pow_number, where_
from .functions import (
    clamped,
    floating,
    floating_with,
    in_common_dtype,
    rsqrt,
    within_dtype,
)

# Functions of one tensor

asin = op(
    "asin", np.arcsin, promote="float",
    doc="The angle between -π/2 and π/2 whose sine is x, nan outside [-1, 1]",
    self=lambda grad, self: grad * rsqrt(-self * self + 1),
)  # fmt: skip
acos = op(
    "acos", np.arccos, promote="float",
    doc="The angle between 0 and π whose cosine is x, nan outside [-1, 1]",
    self=lambda grad, self: grad * -rsqrt(-self * self + 1),
)  # fmt: skip
atan = op(
    "atan", np.arctan, promote="float", doc="The angle between -π/2 and π/2 whose tangent is x",
    self=lambda grad, self: grad / (self * self + 1),
)  # fmt: skip
erf_of_each = np.frompyfunc(math.erf, 1, 1)  # NumPy has no erf

JOINT, END = 1.0, 4.0  # the limits of the two polynomials; beyond END, erf is 1 in float32


@functools.cache
def erf_polynomials() -> tuple[list[float], list[float]]:
    """The coefficients of two polynomials, highest power first, which approximate erf for x > 0.

    erf(x) is x + x * near(x²) up to JOINT, and 1 - exp(beyond(x)) from there to END. Both
    polynomials interpolate at Chebyshev points.
    """
    from numpy.polynomial import Chebyshev, Polynomial  # late, to keep `import minigrad` fast

    fits = [
        (lambda square: math.erf(math.sqrt(square)) / math.sqrt(square) - 1, 6, [0.0, JOINT**2]),
        (lambda x: math.log(math.erfc(x)), 9, [JOINT, END]),
    ]
    near, beyond = (
        Chebyshev.interpolate(np.vectorize(function), degree, domain).convert(kind=Polynomial)
        for function, degree, domain in fits
    )
    return near.coef[::-1].tolist(), beyond.coef[::-1].tolist()


def polynomial(powers: list[float], x: Any) -> Any:
    """The value at `x`, by Horner's rule."""
    result = powers[0] * x
    for each in powers[1:-1]:
        result += each
        result *= x
    result += powers[-1]
    return result


def erf_kernel(self: Any) -> Any:
    """erf of each element; float32 uses polynomials, with an error of up to two ulps."""
    if self.dtype != np.float32:
        return np.asarray(erf_of_each(self), self.dtype)[()]
    near, beyond = erf_polynomials()
    size, small = np.clip(np.abs(self), JOINT, END), np.clip(self, -JOINT, JOINT)
    large = np.copysign(1 - np.exp(polynomial(beyond, size)), self)
    return either(np.abs(self) > JOINT, large, small + small * polynomial(near, small * small))


erf = op(
    "erf",
    erf_kernel,
    promote="float",
    doc="The error function, 2/√π · ∫ e^(-t²) dt from 0 to x",
    self=lambda grad, self: 1.1283791670955126 * exp(-pow_number(self, 2)) * grad,  # 2 / √π
)
nan_to_num = op(
    "nan_to_num",
    lambda self, nan=0.0, posinf=None, neginf=None: np.nan_to_num(
        copied(self), False, nan or 0.0, posinf, neginf
    ),
    doc=(
        "nan, inf and -inf replaced by `nan`, `posinf` and `neginf`; by default by 0, the largest\n"
        "and the most negative number of the dtype.\n\n"
        "Element by element: any shape, the same shape and dtype out."
    ),
    self=lambda grad, self: grad * isfinite(self),
)
at_least = op(
    "at_least",
    lambda self, min: clamped(self, min, None),
    node="ClampMinBackward0",
    self=lambda grad, self, min: where_(self >= min, grad, 0.0),
)
at_most = op(
    "at_most",
    lambda self, max: clamped(self, None, max),
    node="ClampMaxBackward0",
    self=lambda grad, self, max: where_(self <= max, grad, 0.0),
)


at_least_tensor = op(
    "at_least",
    np.maximum,
    node="ClampMinBackward1",
    promote="any",
    self=lambda grad, self, min: where_(self >= min, grad, 0.0),
    min=lambda grad, self, min: where_(self < min, grad, 0.0),
)
at_most_tensor = op(
    "at_most",
    np.minimum,
    node="ClampMaxBackward1",
    promote="any",
    self=lambda grad, self, max: where_(self <= max, grad, 0.0),
    max=lambda grad, self, max: where_(self > max, grad, 0.0),
)


def bounded(input: Tensor, bound: Any, by_number: Any, by_tensor: Any) -> Tensor:
    """One of the two rows, depending on what the bound is. TypeError for anything else."""
    if isinstance(bound, Tensor) and isinstance(input, Tensor):
        return by_tensor(input, bound)  # type: ignore[no-any-return]
    if not isinstance(bound, NUMBERS):
        raise TypeError
    number = as_number(bound)
    return by_number(floating_with(input, number), number)  # type: ignore[no-any-return]


@export(page="torch.clamp")
def clamp_min(input: Tensor, min: Number) -> Tensor:
    """`input` with every element below `min`, a number or a tensor, replaced by it."""
    return bounded(input, min, at_least, at_least_tensor)


@export(page="torch.clamp")
def clamp_max(input: Tensor, max: Number) -> Tensor:
    """`input` with every element above `max`, a number or a tensor, replaced by it."""
    return bounded(input, max, at_most, at_most_tensor)


export(only="in-place", page="torch.clamp")(within_dtype(clamp_min))
export(only="in-place", page="torch.clamp")(within_dtype(clamp_max))

# Functions of two tensors


def logic(name: str, kernel: np.ufunc, doc: str) -> Callable[..., Tensor]:
    tensors, doc = ("self", "other"), f"{doc}, as a tensor of bools"
    return op(name, kernel, promote="any", numbers=False, tensor_args=tensors, doc=doc)


logical_and = logic("logical_and", np.logical_and, "Whether both are nonzero")
logical_or = logic("logical_or", np.logical_or, "Whether at least one is nonzero")
logical_xor = logic("logical_xor", np.logical_xor, "Whether exactly one is nonzero")

# Functions of three tensors

lerp_number = op(
    "lerp",
    lambda self, end, weight: as_of_all(
        floating(self, "lerp_kernel_scalar") + weight * (end - self)
        if abs(weight) < 0.5
        else floating(end, "lerp_kernel_scalar") - (end - self) * (1 - weight),
        self,
        end,
    ),
    node="LerpBackward0",
    self=lambda grad, weight: grad * (1 - weight),
    end=lambda grad, weight: grad * weight,
)


def lerp_kernel(self: Any, end: Any, weight: Any) -> Any:
    self, end, weight = in_common_dtype(self, end, weight)
    way = end - floating(self, "lerp_kernel_tensor")
    result = np.where(np.abs(weight) < 0.5, self + weight * way, end - way * (1 - weight))
    return as_of_all(result, self, end, weight)


lerp_tensor = op(
    "lerp",
    lerp_kernel,
    node="LerpBackward1",
    self=lambda grad, weight: grad * (1 - weight),
    end=lambda grad, weight: grad * weight,
    weight=lambda grad, self, end, weight: grad * (end - self),
)


def addcmul_kernel(self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    self, tensor1, tensor2 = in_common_dtype(self, tensor1, tensor2)
    if self.dtype.kind == "b":
        raise errors.not_implemented("addcmul_cpu_out", dtypes.bool_)
    return as_of_all(self + value * tensor1 * tensor2, self, tensor1, tensor2)


def addcdiv_kernel(self: Any, tensor1: Any, tensor2: Any, value: Any) -> Any:
    if tensor1.dtype.kind != "f" and tensor2.dtype.kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release"
            " addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv"
            " behavior can be implemented as (input + value * torch.trunc(tensor1 /"
            " tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 /"
            " tensor2) for float inputs. The future addcdiv behavior is just the latter"
            " implementation: (input + value * tensor1 / tensor2), for all dtypes."
        )
    self, tensor1, tensor2 = in_common_dtype(self, tensor1, tensor2)
    return as_of_all(self + value * (tensor1 / tensor2), self, tensor1, tensor2)


addcmul_ = op(
    "addcmul",
    addcmul_kernel,
    self=lambda grad: grad,
    tensor1=lambda grad, tensor2, value: grad * (tensor2 * value),
    tensor2=lambda grad, tensor1, value: grad * (tensor1 * value),
)
addcdiv_ = op(
    "addcdiv",
    addcdiv_kernel,
    self=lambda grad, tensor2: grad,  # saves tensor2, as PyTorch does even for this gradient
    tensor1=lambda grad, tensor2, value: grad * div(value, tensor2),
    tensor2=lambda grad, tensor1, tensor2, value: -grad * (value * tensor1 / (tensor2 * tensor2)),
)


@export(in_place=True)
def lerp(input: Tensor, end: Tensor, weight: Number) -> Tensor:
    """Linear interpolation: `input` where `weight` is 0, `end` where it is 1; all broadcast."""
    if not isinstance(input, Tensor) or not isinstance(end, Tensor):
        raise TypeError
    for name, each in (("end", end), ("weight", weight)):
        converted = each is weight and isinstance(each, Tensor) and not each.ndim
        if isinstance(each, Tensor) and each.dtype is not input.dtype and not converted:
            raise RuntimeError(
                f"expected dtype {input.dtype.c_name} for `{name}` but got dtype"
                f" {each.dtype.c_name}"
            )
    return (lerp_tensor if isinstance(weight, Tensor) else lerp_number)(input, end, weight)


@export(in_place=True)
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """`input + value * tensor1 * tensor2`; the three broadcast."""
    return addcmul_(input, tensor1, tensor2, value)


@export(in_place=True)
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: float = 1) -> Tensor:
    """`input + value * tensor1 / tensor2`; the three broadcast."""
    return addcdiv_(input, tensor1, tensor2, value)
