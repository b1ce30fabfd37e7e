"""Elementwise operations, each next to its derivative.

At kinks and edges we follow PyTorch: `abs` and `relu` have derivative 0 at 0, `x ** 0` has
derivative 0 everywhere, and so has `0 ** b` with respect to b for b ≥ 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from ..support import dtypes, errors
from ..rows.arguments import Number
from ..rows.declarations import export
from ..rows.layouts import copied, new_like
from ..rows.operands import NUMBERS, as_number, c_cast, check_alpha, check_promotion
from ..rows.operands import checked_convert, kind_and_rank
from .flat import MANY, true_in


def zeros_like(grad: Tensor) -> Tensor:
    """A gradient of zeros, for an input on which the result does not depend."""
    return new_tensor(np.zeros_like(grad._data))


def scaled(grad: Any, number: float) -> Any:
    """`grad * number`, or `grad` itself, without recording a node, if the number is 1."""
    return grad if number == 1 else grad * number


# For derivative rules that compute with a number: the node has a single edge

add_number = op(
    "add", lambda self, number: self + number, node="AddBackward1", self=lambda grad: grad
)
sub_number = op(
    "sub", lambda self, number: self - number, node="SubBackward1", self=lambda grad: grad
)
mul_number = op(
    "mul",
    lambda self, other: self * other,
    node="MulBackward1",
    self=lambda grad, other: grad * other,
)
div_number = op(
    "div",
    lambda self, other: self / other,
    node="DivBackward1",
    self=lambda grad, other: grad / other,
)


def number_minus(self: Tensor, number: float) -> Any:
    """`number - self` in a derivative rule, which turns the number into a tensor."""
    return sub(number, self)


# Arithmetic

add = op(
    "add",
    np.add,
    promote="any",
    display={"alpha": 1},  #@rare
    scalar=add_number,  #@rare
    self=lambda grad: grad,
    other=lambda grad: grad,
)
sub = op(
    "sub",
    np.subtract,
    promote="number",
    display={"alpha": 1},  #@rare
    scalar=sub_number,  #@rare
    self=lambda grad: grad,
    other=lambda grad: -grad,
)
mul = op(  #@03
    "mul",
    np.multiply,
    promote="any",
    scalar=mul_number,  #@rare
    doc="`input * other`; `other` may be a number",
    in_place=True,
    alias=("multiply",),
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
)
div = op(
    "div",
    np.divide,
    promote="float",
    scalar=div_number,  #@rare
    self=lambda grad, other: grad / other,
    other=lambda grad, self, other: -grad * (self / other / other),
)
neg = op(
    "neg", np.negative, in_place=True, alias=("negative",), doc="-x. RuntimeError for bools",
    self=lambda grad: -grad,
)  # fmt: skip
add_scaled = op(
    "add",
    lambda self, other, alpha: self + other.dtype.type(alpha) * other,
    promote="any",
    self=lambda grad: grad,
    other=lambda grad, alpha: grad * alpha,
)
sub_scaled = op(
    "sub",
    lambda self, other, alpha: self - other.dtype.type(alpha) * other,
    promote="number",
    self=lambda grad: grad,
    other=lambda grad, alpha: -grad * alpha,
)
rsub_number = op(
    "rsub",
    lambda self, other: other - self,
    node="RsubBackward1",
    promote="number",
    tensor_args=("other",),
    display={"alpha": 1},  #@rare
    scalar=number_minus,  #@rare
    self=lambda grad: -grad,
)
rsub_tensor = op(
    "rsub",
    lambda other, self: other - self,
    promote="number",
    display={"alpha": 1},  #@rare
    self=lambda grad: -grad,
    other=lambda grad: grad,
)

# Functions of one tensor


def sign_kernel(self: Any) -> Any:
    """-1, 0 or 1; 0 for nan, as in PyTorch."""
    if self.dtype.kind == "b":
        return copied(self)
    return np.greater(self, 0).astype(self.dtype) - np.less(self, 0)


def absolute(self: Any) -> Any:
    """The absolute value. NotImplementedError for bools."""
    if self.dtype.kind == "b":
        raise errors.not_implemented("abs_cpu", dtypes.bool_)
    return np.abs(self)


reciprocal = op(
    "reciprocal",
    lambda self: 1 / self,
    promote="float",
    doc="1 / x",
    in_place=True,
    self=lambda grad, result: -grad * (result * result),
)
abs_ = op(
    "abs", absolute, in_place=True, alias=("absolute",),
    doc="The absolute value; its derivative at 0 is 0. NotImplementedError for bools",
    self=lambda grad, self: grad * sgn(self),
)  # fmt: skip
sign = op(
    "sign", sign_kernel, in_place=True, doc="-1, 0 or 1 by the sign of x; its derivative is 0",
    self=lambda grad: zeros_like(grad),
)  # fmt: skip
sgn = op(  # saves what the derivative would need for complex numbers, as PyTorch does
    "sgn", sign_kernel, self=lambda grad, self, result: zeros_like(grad)
)

exp = op(
    "exp", np.exp, promote="float", in_place=True, doc="The exponential function e^x",
    self=lambda grad, result: grad * result,
)  # fmt: skip
log = op(
    "log", np.log, promote="float", in_place=True, doc="The natural logarithm, nan below 0",
    self=lambda grad, self: grad / self,
)  # fmt: skip
sqrt = op(
    "sqrt", np.sqrt, promote="float", in_place=True, doc="The square root, nan below 0",
    self=lambda grad, result: grad / (2 * result),
)  # fmt: skip
sin = op(
    "sin", np.sin, promote="float", in_place=True, doc="The sine of x, an angle in radians",
    self=lambda grad, self: grad * cos(self),
)  # fmt: skip
cos = op(
    "cos", np.cos, promote="float", in_place=True, doc="The cosine of x, an angle in radians",
    self=lambda grad, self: grad * -sin(self),
)  # fmt: skip
tanh = op(
    "tanh", np.tanh, promote="float", in_place=True, doc="The hyperbolic tangent, between -1 and 1",
    self=lambda grad, result: tanh_backward(grad, result),
)  # fmt: skip


def tanh_backward_kernel(grad_output: Any, output: Any) -> Any:
    """grad_output * (1 - output * output)"""
    slope = output * output
    if slope.__class__ is not np.ndarray:
        return grad_output * (1 - slope)
    np.subtract(ONE[slope.dtype.num], slope, slope)
    return np.multiply(grad_output, slope, slope)


# NumPy takes as long to convert a Python number as to multiply 1,000 floats.
ONE = {np.dtype(code).num: np.ones((), code) for code in "efd"}

tanh_backward = op(
    "tanh_backward",
    tanh_backward_kernel,
    node="TanhBackwardBackward0",
    grad_output=lambda grad, output: tanh_backward(grad, output),
    output=lambda grad, grad_output, output: grad * (-2 * output * grad_output),
)
sigmoid = op(
    "sigmoid",
    lambda self: 1 / (1 + np.exp(-self)),
    promote="float",
    doc="The logistic function 1 / (1 + e^-x)",
    in_place=True,
    self=lambda grad, result: sigmoid_backward(grad, result),
)


def sigmoid_backward_kernel(grad_output: Any, output: Any) -> Any:
    """(1 - output) * output * grad_output"""
    slope = ONE[output.dtype.num] - output
    slope *= output
    slope *= grad_output
    return slope


sigmoid_backward = op(
    "sigmoid_backward",
    sigmoid_backward_kernel,
    node="SigmoidBackwardBackward0",
    grad_output=lambda grad, output: sigmoid_backward(grad, output),
    output=lambda grad, grad_output, output: grad * grad_output * (-2 * output + 1),
)


def rectified(self: Any) -> Any:
    """max(self, 0). RuntimeError for bools.

    NumPy vectorizes the comparison with an array of zeros, but not the one with a single 0.
    """
    if self.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    zeros = np.zeros(self.shape, self.dtype)
    if not self.flags.c_contiguous:
        zeros = new_like(self)
        zeros.fill(0)
    return np.maximum(zeros, self, out=zeros)[()]


relu = op(
    "relu",
    rectified,
    doc="x where it is positive, else 0; the derivative at 0 is 0. RuntimeError for bools",
    in_place=True,
    page="torch.nn.functional.relu",
    self=lambda grad, result: threshold_backward(grad, result),
)
threshold_backward = op(
    "threshold_backward",
    lambda grad_output, self: zero_where(self <= 0, grad_output),
    node="ThresholdBackwardBackward0",
    grad_output=lambda grad, self: threshold_backward(grad, self),
    self=lambda grad: zeros_like(grad),
)

# Selection by a condition


def zero_where(mask: Any, values: Any) -> Any:
    """np.where(mask, 0, values), computed as bits times 0 or 1, so inf and nan become 0 as well.

    `np.where` branches at every element, which takes twenty times as long.
    """
    bits = (~mask).astype(f"i{values.itemsize}")  # a mixed product would convert in small chunks
    bits *= values.view(bits.dtype)
    return bits.view(values.dtype)


def either(condition: Any, first: Any, second: Any) -> Any:
    """np.where(condition, first, second) for floating-point arrays of one shape and dtype."""
    if condition.size < MANY:
        return np.where(condition, first, second)[()]
    bits = zero_where(~condition, first).view(f"i{first.itemsize}")
    bits |= zero_where(condition, second).view(bits.dtype)
    return bits.view(first.dtype)


def choose(condition: Any, self: Any, other: Any) -> Any:
    arrays = self.__class__ is other.__class__ is np.ndarray and self.dtype.kind == "f"
    if arrays and self.dtype == other.dtype and condition.shape == self.shape == other.shape:
        return either(condition, self, other)
    if self.__class__ is other.__class__ is float:  # in a derivative rule that runs on arrays
        self = dtypes.default.numpy.type(self)
    return np.where(condition, self, other)[()]


def filled(self: Any, mask: Any, value: Any) -> Any:
    """A copy with `value` where `mask` is true; all three broadcast."""
    copy = np.broadcast_to(self, np.broadcast_shapes(self.shape, mask.shape)).copy()
    np.copyto(copy, np.asarray(value).astype(self.dtype), where=mask)
    return copy


where_ = op(
    "where",
    choose,
    promote="any",
    tensor_args=("condition",),
    self=lambda grad, condition: where_(condition, grad, 0.0),
    other=lambda grad, condition: where_(condition, 0.0, grad),
)


def filled_with_number(self: Any, mask: Any, value: Any) -> Any:
    """The same for a number, with the fastest algorithm for the case."""
    plain_zero = value.__class__ is int and value == 0  # not -0.0
    alike = mask.shape == self.shape and mask.flags.c_contiguous and self.flags.c_contiguous
    if plain_zero and self.dtype.kind == "f" and alike:
        return zero_where(mask, self)[()]
    if self.ndim and mask.shape in (self.shape, ()):  # faster if few elements are filled
        copy = self.copy()
        if mask.size >= MANY and copy.flags.c_contiguous and mask.flags.c_contiguous:
            copy.reshape(-1)[true_in(mask)] = value
        elif mask.ndim or mask:
            np.copyto(copy, value, "unsafe", mask)
        return copy
    return filled(self, mask, value)[()]


masked_fill_number = op(
    "masked_fill",
    filled_with_number,
    node="MaskedFillBackward0",
    tensor_args=("mask",),
    self=lambda grad, mask: masked_fill_number(grad, mask, 0),
)

# Powers: the node's name depends on which of the operands are tensors.


def power(self: Any, exponent: Any) -> Any:
    """`self` to the power of a number. RuntimeError for an integer to a negative power.

    Small powers are multiplied out, as in PyTorch, and may differ from `**` in the last digit.
    """
    if exponent == 1 and self.dtype.kind == "f":
        return +self
    if exponent == 2:
        return self * self
    if exponent == 3:
        return self * self * self
    if exponent == 0.5:
        return np.sqrt(self)
    if exponent == -0.5:
        return 1 / np.sqrt(self)  # nan for -inf, as in PyTorch
    if self.dtype.kind == "f":
        if exponent in (-1, -2):
            return 1 / (self if exponent == -1 else self * self)
        if exponent % 1 == 0 and exponent != 0:  # NumPy is 50 times slower for negative numbers
            size = np.abs(self) ** exponent
            return np.copysign(size, self) if exponent % 2 else size
    if self.dtype.kind in "iu" and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if self.dtype.kind in "iu":
        checked_convert(exponent, self.dtype)
    if self.dtype.kind == "b":  # then the exponent is a bool, too
        return self | (not exponent)
    return self**exponent


def log_of_number(base: float) -> float:
    return math.log(base) if base > 0 else -math.inf if base == 0 else math.nan


def power_of_arrays(self: Any, exponent: Any) -> Any:
    """`self` to the power of an array. Integers stay integers, so negative powers truncate to 0."""
    try:
        return np.power(self, exponent)
    except ValueError:
        if exponent.dtype.kind != "i" or not (exponent < 0).any():
            raise  # the shapes do not broadcast
    sign = np.where(exponent % 2, self, 1)  # the power of 1 and -1, whose inverses are integers
    inverses = np.where(np.abs(self) == 1, sign, 0)
    powers = np.power(self, np.maximum(exponent, 0))
    return np.where(exponent < 0, inverses, powers).astype(powers.dtype)


pow_number = op(
    "pow",
    power,
    self=lambda grad, self, exponent: (
        zeros_like(grad) if exponent == 0 else grad * (pow_number(self, exponent - 1) * exponent)
    ),
)
pow_tensor = op(
    "pow",
    np.power,
    node="PowBackward1",
    promote="any",
    # PyTorch saves the result for either gradient, and raises if it was changed in place.
    self=lambda grad, self, exponent, result: where_(
        exponent == 0, 0.0, grad * (exponent * pow_tensor(self, exponent - 1))
    ),
    exponent=lambda grad, self, exponent, result: (
        grad * where_((self == 0) & (exponent >= 0), 0.0, result * log(self))
    ),
)
pow_of_integers = op("pow", power_of_arrays, promote="any", tensor_args=("self", "exponent"))
pow_of_number = op(
    "pow",
    lambda exponent, self: np.asarray(power_of_arrays(c_cast(self, exponent), exponent), order="C"),
    node="PowBackward2",
    exponent=lambda grad, exponent, self, result: (
        grad * (result * log_of_number(self))
        if self != 0
        else grad * where_(exponent >= 0, 0.0, result * log_of_number(self))
    ),
)


@export(in_place=True, operator=True)
def pow_(input: Number, exponent: Number) -> Any:
    """`input ** exponent`; either one may be a number."""
    if isinstance(exponent, NUMBERS):
        number = as_number(exponent)
        return pow_number(for_power(input, number), number)
    if isinstance(input, NUMBERS):
        return rpow(exponent, input)
    if isinstance(exponent, Tensor) and input.dtype is exponent.dtype is dtypes.bool_:
        raise errors.not_implemented("pow", dtypes.bool_)
    whole = isinstance(exponent, Tensor) and not exponent.dtype.is_floating_point
    if whole and not input.dtype.is_floating_point:
        return pow_of_integers(input, exponent)
    return pow_tensor(input, exponent)


def rpow(self: Tensor, base: Any) -> Any:
    """`base ** self`. NotImplemented if `base` is neither a number nor a tensor."""
    if not isinstance(base, NUMBERS):
        return pow_(base, self) if isinstance(base, Tensor) else NotImplemented
    number = as_number(base)
    if self.dtype is dtypes.bool_ and isinstance(number, bool):
        raise errors.not_implemented("pow", dtypes.bool_)
    return pow_of_number(for_power(self, number), number)


def for_power(tensor: Tensor, number: float) -> Tensor:
    """`tensor`, promoted to the dtype of a power of it and `number`."""
    if tensor.dtype.is_floating_point:
        return tensor
    kind = dtypes.result_type([(tensor.dtype, 1), (dtypes.of_number(number), 0)])
    return tensor if kind is tensor.dtype else tensor.to(kind)


def rdiv(self: Tensor, other: Any) -> Any:
    """`other / self`, computed as the reciprocal times `other`, as in PyTorch.

    NotImplemented if `other` is not an operand.
    """
    try:
        return reciprocal(self) * other
    except TypeError:
        return NotImplemented


def reversed_sub(self: Tensor, other: Any) -> Any:
    """`other - self`, for `__rsub__`."""
    return rsub_tensor(other, self) if isinstance(other, Tensor) else rsub_number(self, other)


@export(in_place=True)
def square(input: Tensor) -> Any:
    """`input ** 2`."""
    return pow_(input, 2)


# Comparisons and logic, which have no derivative


def comparison(name: str, kernel: np.ufunc, sign: str) -> Callable[..., Tensor]:
    doc = f"Whether `input {sign} other`, a tensor of bools; `other` may be a number"
    return op(name, kernel, promote="any", tensor_args=("self", "other"), doc=doc)


eq = comparison("eq", np.equal, "==")
ne = comparison("ne", np.not_equal, "!=")
lt = comparison("lt", np.less, "<")
le = comparison("le", np.less_equal, "<=")
gt = comparison("gt", np.greater, ">")
ge = comparison("ge", np.greater_equal, ">=")
bitwise_and = op("bitwise_and", np.bitwise_and, promote="any", tensor_args=("self", "other"))
bitwise_or = op("bitwise_or", np.bitwise_or, promote="any", tensor_args=("self", "other"))
bitwise_xor = op("bitwise_xor", np.bitwise_xor, promote="any", tensor_args=("self", "other"))
bitwise_not = op("bitwise_not", np.invert, tensor_args=("self",))
logical_not = op("logical_not", np.logical_not, tensor_args=("self",), doc="Whether x is zero")
isnan = op("isnan", np.isnan, tensor_args=("self",), doc="Whether x is nan")
isinf = op("isinf", np.isinf, tensor_args=("self",), doc="Whether x is inf or -inf")
isfinite = op(
    "isfinite", np.isfinite, tensor_args=("self",),
    doc="Whether x is neither infinite nor nan",
)  # fmt: skip


def with_alpha(plain: Any, scaled: Any, doc: str) -> Any:
    """`plain` with an argument `alpha`, a factor of `other`; calls `scaled` unless it is 1."""

    def function(input: Any, other: Any, *, alpha: Number = 1) -> Any:
        if alpha == 1 and alpha is not True:
            return plain(input, other)
        return scaled(input, other, check_alpha(scaled.row.promote, alpha, input, other))

    function.__name__ = function.__qualname__ = plain.__name__
    function.__doc__ = f"{doc}.\n\nElement by element; the shapes broadcast, else RuntimeError."
    return function


def alpha_last(function: Any, how: str) -> Any:
    """`add` or `sub` for the in-place form, where PyTorch checks the result's dtype first."""

    def adding(input: Tensor, other: Any, *, alpha: Any = 1) -> Tensor:
        if (alpha != 1 or alpha is True) and isinstance(other, (Tensor, *NUMBERS)):
            kinds = [kind_and_rank(each) for each in (input, other)]
            check_promotion(how, kinds)
            kind = dtypes.result_type(kinds)
            if kind.category > input.dtype.category:
                raise errors.output_dtype(input.dtype, kind)
        return function(input, other, alpha=alpha)  # type: ignore[no-any-return]

    adding.__name__ = adding.__qualname__ = function.__name__
    return adding


add_with_alpha = with_alpha(add, add_scaled, "`input + alpha * other`; `other` may be a number")
sub_with_alpha = with_alpha(
    sub, sub_scaled, "`input - alpha * other`; `other` may be a number. RuntimeError for bools"
)
export(operator=True)(add_with_alpha)
export(operator=True, alias=("subtract",))(sub_with_alpha)
export(operator=True, only="in-place")(alpha_last(add_with_alpha, "any"))
export(operator=True, only="in-place")(alpha_last(sub_with_alpha, "number"))
