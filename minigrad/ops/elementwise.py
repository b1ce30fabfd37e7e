"""Operations that work element by element, each beside its derivative.

Conventions at kinks and edges are PyTorch's: `abs` and `relu` have slope 0 at 0, `x ** 0` has slope
0 everywhere, and `0 ** b` has slope 0 in b for b ≥ 0.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from ..support import dtypes, errors
from ..support.arguments import Number
from ..support.layouts import copied, new_like
from ..support.operands import NUMBERS, as_in_c, as_number, check_alpha, held
from ..support.shapes import broadcastable
from .flat import MANY, true_in


def zeros_like(grad: Tensor) -> Tensor:
    """The gradient of what nothing depends on."""
    return new_tensor(np.zeros_like(grad._data))


def scaled(grad: Any, number: float) -> Any:
    """`grad * number`, without a node where the number is 1."""
    return grad if number == 1 else grad * number


# With a number, as rules compute: an operation on one tensor, whose node has one edge

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
    """`number - self` in a rule, where the number becomes a tensor."""
    return sub(number, self)


# Arithmetic

add = op(
    "add",
    np.add,
    promote="any",
    shown={"alpha": 1},  # 99
    scalar=add_number,  # 99
    self=lambda grad: grad,
    other=lambda grad: grad,
)
sub = op(
    "sub",
    np.subtract,
    promote="number",
    shown={"alpha": 1},  # 99
    scalar=sub_number,  # 99
    self=lambda grad: grad,
    other=lambda grad: -grad,
)
mul = op(  # 03
    "mul",
    np.multiply,
    promote="any",
    scalar=mul_number,  # 99
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
)
div = op(
    "div",
    np.divide,
    promote="float",
    scalar=div_number,  # 99
    self=lambda grad, other: grad / other,
    other=lambda grad, self, other: -grad * (self / other / other),
)
neg = op("neg", np.negative, self=lambda grad: -grad)
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
    tensors=("other",),
    shown={"alpha": 1},  # 99
    scalar=number_minus,  # 99
    self=lambda grad: -grad,
)
rsub_tensor = op(
    "rsub",
    lambda other, self: other - self,
    promote="number",
    shown={"alpha": 1},  # 99
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
    """|self|. NotImplementedError for bools."""
    if self.dtype.kind == "b":
        raise errors.not_implemented("abs_cpu", dtypes.bool_)
    return np.abs(self)


reciprocal = op(
    "reciprocal",
    lambda self: 1 / self,
    promote="float",
    self=lambda grad, result: -grad * (result * result),
)
abs_ = op("abs", absolute, self=lambda grad, self: grad * sgn(self))
sign = op("sign", sign_kernel, self=lambda grad: zeros_like(grad))
sgn = op(  # of complex numbers the slope would need what it saves
    "sgn", sign_kernel, self=lambda grad, self, result: zeros_like(grad)
)

exp = op("exp", np.exp, promote="float", self=lambda grad, result: grad * result)
log = op("log", np.log, promote="float", self=lambda grad, self: grad / self)
sqrt = op("sqrt", np.sqrt, promote="float", self=lambda grad, result: grad / (2 * result))
sin = op("sin", np.sin, promote="float", self=lambda grad, self: grad * cos(self))
cos = op("cos", np.cos, promote="float", self=lambda grad, self: grad * -sin(self))
tanh = op("tanh", np.tanh, promote="float", self=lambda grad, result: tanh_backward(grad, result))


def tanh_backward_kernel(grad_output: Any, output: Any) -> Any:
    """grad_output * (1 - output * output)"""
    slope = output * output
    if slope.__class__ is not np.ndarray:
        return grad_output * (1 - slope)
    np.subtract(ONE[slope.dtype.num], slope, slope)
    return np.multiply(grad_output, slope, slope)


# To convert a Python number costs NumPy as much as to multiply 1,000 floats.
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
    """The array with 0 for what is below. RuntimeError for bools.

    Against zeros NumPy compares several numbers at once, against one 0 singly.
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
    self=lambda grad, result: threshold_backward(grad, result),
)
threshold_backward = op(
    "threshold_backward",
    lambda grad_output, self: zero_where(self <= 0, grad_output),
    node="ThresholdBackwardBackward0",
    grad_output=lambda grad, self: threshold_backward(grad, self),
    self=lambda grad: zeros_like(grad),
)

# Chosen by a condition


def zero_where(mask: Any, values: Any) -> Any:
    """np.where(mask, 0, values): the bits times 0 or 1, so that inf and nan go as well.

    `np.where` branches at every element, and takes twenty times as long.
    """
    bits = (~mask).astype(f"i{values.itemsize}")  # once; in a product it would go by small pieces
    bits *= values.view(bits.dtype)
    return bits.view(values.dtype)


def either(condition: Any, first: Any, second: Any) -> Any:
    """np.where for a mask and floating-point arrays of one shape and dtype."""
    if condition.size < MANY:
        return np.where(condition, first, second)[()]
    bits = zero_where(~condition, first).view(f"i{first.itemsize}")
    bits |= zero_where(condition, second).view(bits.dtype)
    return bits.view(first.dtype)


def choose(condition: Any, self: Any, other: Any) -> Any:
    arrays = self.__class__ is other.__class__ is np.ndarray and self.dtype.kind == "f"
    if arrays and self.dtype == other.dtype and condition.shape == self.shape == other.shape:
        return either(condition, self, other)
    if self.__class__ is other.__class__ is float:  # in a rule that computes with arrays
        self = dtypes.default.numpy.type(self)
    try:
        return np.where(condition, self, other)[()]
    except ValueError:
        pairs = itertools.combinations(map(np.shape, (condition, self, other)), 2)
        a, b = next(pair for pair in pairs if not broadcastable(*pair))
        raise errors.does_not_broadcast(a, b) from None


def filled(self: Any, mask: Any, value: Any) -> Any:
    """A copy with `value` where `mask` is true."""
    copy = np.broadcast_to(self, np.broadcast_shapes(self.shape, mask.shape)).copy()
    np.copyto(copy, np.asarray(value).astype(self.dtype), where=mask)
    return copy


where_ = op(
    "where",
    choose,
    promote="any",
    tensors=("condition",),
    self=lambda grad, condition: where_(condition, grad, 0.0),
    other=lambda grad, condition: where_(condition, 0.0, grad),
)


def filled_with_number(self: Any, mask: Any, value: Any) -> Any:
    """The same for a number, by the way that takes the least time."""
    plain_zero = value.__class__ is int and value == 0  # not -0.0
    alike = mask.shape == self.shape and mask.flags.c_contiguous and self.flags.c_contiguous
    if plain_zero and self.dtype.kind == "f" and alike:
        return zero_where(mask, self)[()]
    if self.ndim and mask.shape in (self.shape, ()):  # faster where few are filled
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
    tensors=("mask",),
    self=lambda grad, mask: masked_fill_number(grad, mask, 0),
)

# Powers: PyTorch names the node after which side is a tensor.


def power(self: Any, exponent: Any) -> Any:
    """`self` to the power of a number; small powers by multiplication, which may differ in the last
    digit. RuntimeError for integers that would become fractions.
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
        if exponent % 1 == 0 and exponent != 0:  # of negative numbers NumPy takes 50 times as long
            size = np.abs(self) ** exponent
            return np.copysign(size, self) if exponent % 2 else size
    if self.dtype.kind in "iu" and isinstance(exponent, int) and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if self.dtype.kind in "iu":
        held(exponent, self.dtype)
    if self.dtype.kind == "b":  # then the exponent is one, too
        return self | (not exponent)
    return self**exponent


def log_of_number(base: float) -> float:
    return math.log(base) if base > 0 else -math.inf if base == 0 else math.nan


def power_of_arrays(self: Any, exponent: Any) -> Any:
    """`self` to the power of an array. Integers stay integers: to a negative power they give 0."""
    try:
        return np.power(self, exponent)
    except ValueError:
        if exponent.dtype.kind != "i" or not (exponent < 0).any():
            raise  # their shapes do not fit
    sign = np.where(exponent % 2, self, 1)  # of 1 and -1, which have integers for inverses
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
    # PyTorch keeps the result for either gradient, and notices if it was changed.
    self=lambda grad, self, exponent, result: where_(
        exponent == 0, 0.0, grad * (exponent * pow_tensor(self, exponent - 1))
    ),
    exponent=lambda grad, self, exponent, result: (
        grad * where_((self == 0) & (exponent >= 0), 0.0, result * log(self))
    ),
)
pow_of_integers = op("pow", power_of_arrays, promote="any", tensors=("self", "exponent"))
pow_of_number = op(
    "pow",
    lambda exponent, self: np.asarray(
        power_of_arrays(as_in_c(self, exponent), exponent), order="C"
    ),
    node="PowBackward2",
    exponent=lambda grad, exponent, self, result: (
        grad * (result * log_of_number(self))
        if self != 0
        else grad * where_(exponent >= 0, 0.0, result * log_of_number(self))
    ),
)


def pow_(input: Number, exponent: Number) -> Any:
    """`self ** exponent`; either may be a number."""
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
    """`tensor` in the dtype that a power of it and of `number` has."""
    if tensor.dtype.is_floating_point:
        return tensor
    kind = dtypes.result_type([(tensor.dtype, 1), (dtypes.of_number(number), 0)])
    return tensor if kind is tensor.dtype else tensor.to(kind)


def rdiv(self: Tensor, other: Any) -> Any:
    """`other / self`: PyTorch takes the reciprocal and multiplies. NotImplemented if it cannot."""
    try:
        return reciprocal(self) * other
    except TypeError:
        return NotImplemented


def reversed_sub(self: Tensor, other: Any) -> Any:
    """`other - self`: where subtraction is asked of the second operand."""
    return rsub_tensor(other, self) if isinstance(other, Tensor) else rsub_number(self, other)


def square(input: Tensor) -> Any:
    """`self ** 2`."""
    return pow_(input, 2)


# Comparisons and logic: nothing flows through them.

eq = op("eq", np.equal, promote="any", tensors=("self", "other"))
ne = op("ne", np.not_equal, promote="any", tensors=("self", "other"))
lt = op("lt", np.less, promote="any", tensors=("self", "other"))
le = op("le", np.less_equal, promote="any", tensors=("self", "other"))
gt = op("gt", np.greater, promote="any", tensors=("self", "other"))
ge = op("ge", np.greater_equal, promote="any", tensors=("self", "other"))
bitwise_and = op("bitwise_and", np.bitwise_and, promote="any", tensors=("self", "other"))
bitwise_or = op("bitwise_or", np.bitwise_or, promote="any", tensors=("self", "other"))
bitwise_xor = op("bitwise_xor", np.bitwise_xor, promote="any", tensors=("self", "other"))
bitwise_not = op("bitwise_not", np.invert, tensors=("self",))
logical_not = op("logical_not", np.logical_not, tensors=("self",))
isnan = op("isnan", np.isnan, tensors=("self",))
isinf = op("isinf", np.isinf, tensors=("self",))
isfinite = op("isfinite", np.isfinite, tensors=("self",))


def with_alpha(plain: Any, scaled: Any) -> Any:
    """`plain`, or with an `alpha` that is not 1 what scales the other operand by it."""

    def function(input: Any, other: Any, *, alpha: Number = 1) -> Any:
        if alpha == 1 and alpha is not True:
            return plain(input, other)
        return scaled(input, other, check_alpha(scaled.row.promote, alpha, input, other))

    function.__name__ = function.__qualname__ = plain.__name__
    return function


# The operators: where the other operand is neither tensor nor number they return NotImplemented.
OPERATORS = {
    "add": with_alpha(add, add_scaled),
    "sub": with_alpha(sub, sub_scaled),
    "mul": mul,
    "div": div,
    "pow": pow_,
    "eq": eq,
    "ne": ne,
    "lt": lt,
    "le": le,
    "gt": gt,
    "ge": ge,
}
