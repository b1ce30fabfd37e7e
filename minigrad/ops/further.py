"""Further functions of one, two and three tensors, each beside its derivative.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/tools/autograd/derivatives.yaml
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np

from ..arguments import Number
from ..tensor import Tensor
from .elementwise import either
from .functions import between_tensors, check_divisor, floating_with
from .table import ARRAYS, op

# Functions of one tensor

asin = op("asin(self)", "np.arcsin(self)", promote="float", self="grad * rsqrt(-self * self + 1)")
acos = op("acos(self)", "np.arccos(self)", promote="float", self="grad * -rsqrt(-self * self + 1)")
atan = op("atan(self)", "np.arctan(self)", promote="float", self="grad / (self * self + 1)")
asinh = op(
    "asinh(self)", "np.arcsinh(self)", promote="float", self="grad * rsqrt(pow_number(self, 2) + 1)"
)
acosh = op("acosh(self)", "np.arccosh(self)", promote="float", self="grad * rsqrt(self * self - 1)")
atanh = op(
    "atanh(self)", "np.arctanh(self)", promote="float", self="grad * 1 / (1 - pow_number(self, 2))"
)
exp2 = op("exp2(self)", "np.exp2(self)", promote="float", self="grad * result * 0.6931471805599453")

erf_of_each = np.frompyfunc(math.erf, 1, 1)  # NumPy has none of its own
JOINT, END = 1.0, 4.0  # of the two polynomials below; from the end on erf is 1 in float32


@functools.cache
def erf_polynomials() -> tuple[list[float], list[float]]:
    """Two polynomials, the highest power first: erf(x) is x + x * near(x²) up to JOINT,
    and 1 - exp(beyond(x)) from there to END. They pass through the values at Chebyshev's points.
    """
    from numpy.polynomial import Chebyshev, Polynomial  # late, to keep `import minigrad` short

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
    if self.dtype != np.float32:
        return np.asarray(erf_of_each(self), self.dtype)[()]
    near, beyond = erf_polynomials()
    size, small = np.clip(np.abs(self), JOINT, END), np.clip(self, -JOINT, JOINT)
    large = np.copysign(1 - np.exp(polynomial(beyond, size)), self)
    return either(np.abs(self) > JOINT, large, small + small * polynomial(near, small * small))


ARRAYS["erf_kernel"] = erf_kernel

erf = op(
    "erf(self)",
    "erf_kernel(self)",
    promote="float",
    self="1.1283791670955126 * exp(-pow_number(self, 2)) * grad",  # 2 / √π
)
nan_to_num = op(
    "nan_to_num(self, nan=0.0, posinf=None, neginf=None)",
    lambda self, nan, posinf, neginf: np.nan_to_num(
        self, nan=nan or 0.0, posinf=posinf, neginf=neginf
    ),
    self="grad * isfinite(self)",
)
at_least = op(
    "at_least(self, min)",
    "np.maximum(self, min)",
    node="ClampMinBackward0",
    self="where(self >= min, grad, 0.0)",
)
at_most = op(
    "at_most(self, max)",
    "np.minimum(self, max)",
    node="ClampMaxBackward0",
    self="where(self <= max, grad, 0.0)",
)


def clamp_min(input: Tensor, min: float) -> Tensor:
    """`input` with what is below the number `min` replaced by it."""
    return at_least(floating_with(input, min), min)


def clamp_max(input: Tensor, max: float) -> Tensor:
    """`input` with what is above the number `max` replaced by it."""
    return at_most(floating_with(input, max), max)


# Of two tensors

logaddexp_ = op(
    "logaddexp(self, other)",
    "np.logaddexp(floating(self, 'logaddexp_cpu'), other)",
    promote="any",
    self="grad / (1 + exp(other - self))",
    other="grad / (1 + exp(self - other))",
)
logaddexp = between_tensors(logaddexp_)


def truncated_remainder(self: Any, other: Any) -> Any:
    check_divisor(self, other)
    return np.fmod(self, other)


ARRAYS["truncated_remainder"] = truncated_remainder

fmod_number = op(
    "fmod_number(self, other)", "truncated_remainder(self, other)", node="FmodBackward0",
    self="grad",
)  # fmt: skip
fmod_tensor = op(
    "fmod_tensor(self, other)",
    "truncated_remainder(self, other)",
    node="FmodBackward1",
    promote="any",
    self="grad",
    other="-grad * div_trunc(self, other)",
)
xlogy_ = op(
    "xlogy(self, other)",
    "np.where((self == 0) & ~np.isnan(other), 0, self * np.log(other))[()]",
    promote="float",
    self="masked_fill_number(xlogy(grad, other), (self == 0) & (other <= 0), 0)",
    other="grad * self / other",
)
xlogy = between_tensors(xlogy_)
logical_and, logical_or, logical_xor = (
    between_tensors(
        op(f"{name}(self: Tensor, other: Tensor)", f"np.{name}(self, other)", promote="any",
           gives="bool")
    )
    for name in ("logical_and", "logical_or", "logical_xor")
)  # fmt: skip


def fmod(input: Tensor, other: Number) -> Tensor:
    """What is left of `input` after division by `other`: it has the sign of `input`, as in C."""
    if isinstance(other, Tensor):
        return fmod_tensor(input, other)
    return fmod_number(floating_with(input, other), other)


# Of three

lerp_number = op(
    "lerp_number(self, end, weight)",
    "floating(self, 'lerp_kernel_scalar') + weight * (end - self)"
    " if weight < 0.5 else floating(end, 'lerp_kernel_scalar') - (end - self) * (1 - weight)",
    node="LerpBackward0",
    self="grad * (1 - weight)",
    end="grad * weight",
)
lerp_tensor = op(
    "lerp_tensor(self, end, weight)",
    "np.where(weight < 0.5, self + weight * (end - self), end - (end - self) * (1 - weight))[()]",
    node="LerpBackward1",
    self="grad * (1 - weight)",
    end="grad * weight",
    weight="grad * (end - self)",
)
addcmul = op(
    "addcmul(self, tensor1, tensor2, *, value=1)",
    "self + value * tensor1 * tensor2",
    self="grad",
    tensor1="grad * (tensor2 * value)",
    tensor2="grad * (tensor1 * value)",
)
addcdiv = op(
    "addcdiv(self, tensor1, tensor2, *, value=1)",
    "self + value * (floating(tensor1, 'addcdiv_cpu_out') / tensor2)",
    self="grad",
    tensor1="grad * (value / tensor2)",
    tensor2="-grad * (value * tensor1 / (tensor2 * tensor2))",
)


def lerp(input: Tensor, end: Tensor, weight: Number) -> Tensor:
    """`input` where `weight` is 0, `end` where it is 1, and on the line between them otherwise."""
    return (lerp_tensor if isinstance(weight, Tensor) else lerp_number)(input, end, weight)


FUNCTIONS: dict[str, Any] = {
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "asinh": asinh,
    "acosh": acosh,
    "atanh": atanh,
    "exp2": exp2,
    "erf": erf,
    "nan_to_num": nan_to_num,
    "clamp_min": clamp_min,
    "clamp_max": clamp_max,
    "logaddexp": logaddexp,
    "fmod": fmod,
    "xlogy": xlogy,
    "logical_and": logical_and,
    "logical_or": logical_or,
    "logical_xor": logical_xor,
    "lerp": lerp,
    "addcmul": addcmul,
    "addcdiv": addcdiv,
}
