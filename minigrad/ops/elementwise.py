"""Operations that work element by element, each beside its derivative.

Conventions at kinks and edges are PyTorch's: `abs` and `relu` have slope 0 at 0, `x ** 0` has slope
0 everywhere, and `0 ** b` has slope 0 in b for b ≥ 0.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np

from .. import dtypes, errors
from ..arguments import Number
from ..tensor import Tensor, new_tensor
from .broadcasting import broadcastable
from .table import ARRAYS, TENSORS, op


def zeros_kernel(self: Any) -> Any:
    return np.zeros_like(self)[()]


def zeros_tensor(self: Tensor) -> Tensor:
    return new_tensor(zeros_kernel(self._data))


ARRAYS["zeros_like"], TENSORS["zeros_like"] = zeros_kernel, zeros_tensor


def sign_kernel(self: Any) -> Any:
    """-1, 0 or 1; 0 for nan, as in PyTorch."""
    if self.dtype.kind == "b":
        return self.copy()
    return np.greater(self, 0).astype(self.dtype) - np.less(self, 0)


add = op(
    "add(self, other)",
    "self + other",
    promote="any",
    shown={"alpha": 1},
    self="grad",
    other="grad",
)
sub = op(
    "sub(self, other)",
    "self - other",
    promote="number",
    shown={"alpha": 1},
    self="grad",
    other="-grad",
)
add_scaled = op(
    "add_scaled(self, other, alpha)",
    "self + alpha * other",
    node="AddBackward0",
    promote="any",
    self="grad",
    other="grad * alpha",
)
sub_scaled = op(
    "sub_scaled(self, other, alpha)",
    "self - alpha * other",
    node="SubBackward0",
    promote="number",
    self="grad",
    other="-grad * alpha",
)
rsub = op(
    "rsub(self, other: Tensor)",
    "other - self",
    node="RsubBackward1",
    promote="number",
    self="-grad",
)
mul = op(
    "mul(self, other)", "self * other", promote="any", self="grad * other", other="grad * self"
)
div = op(
    "div(self, other)",
    "self / other",
    promote="float",
    self="grad / other",
    other="-grad * ((self / other) / other)",
)
# With a number, as the rules of the table compute: of one tensor, so with one edge.
add_number = op("add_number(self, number)", "self + number", node="AddBackward1", self="grad")
sub_number = op("sub_number(self, number)", "self - number", node="SubBackward1", self="grad")
mul_number = op("mul_number(self, other)", "self * other", node="MulBackward1", self="grad * other")
div_number = op("div_number(self, other)", "self / other", node="DivBackward1", self="grad / other")
neg = op("neg(self)", "-self", self="-grad")


def scaled(grad: Tensor, number: float) -> Tensor:
    """`grad * number`, without a node where the number is 1."""
    return grad if number == 1 else mul_number(grad, number)


ARRAYS["scaled"] = lambda grad, number: grad if number == 1 else grad * number
TENSORS["scaled"] = scaled
reciprocal = op("reciprocal(self)", "1 / self", promote="float", self="-grad * (result * result)")
abs_ = op("abs(self)", "np.abs(self)", self="grad * sgn(self)")
sign = op("sign(self)", sign_kernel, self="zeros_like(grad)")
sgn = op("sgn(self)", sign_kernel, self="zeros_like(grad)")  # `sign` for complex numbers too

exp = op("exp(self)", "np.exp(self)", promote="float", self="grad * result")
log = op("log(self)", "np.log(self)", promote="float", self="grad / self")
sqrt = op("sqrt(self)", "np.sqrt(self)", promote="float", self="grad / (2 * result)")
sin = op("sin(self)", "np.sin(self)", promote="float", self="grad * cos(self)")
cos = op("cos(self)", "np.cos(self)", promote="float", self="grad * -sin(self)")
tanh = op("tanh(self)", "np.tanh(self)", promote="float", self="tanh_backward(grad, result)")
sigmoid = op(
    "sigmoid(self)",
    "1 / (1 + np.exp(-self))",
    promote="float",
    self="sigmoid_backward(grad, result)",
)


# To convert a Python number costs NumPy as much as to multiply 1,000 floats.
ONE = {np.dtype(code).num: np.ones((), code) for code in "efd"}


def tanh_backward_kernel(grad_output: Any, output: Any) -> Any:
    slope = output * output
    if slope.__class__ is not np.ndarray:
        return grad_output * (1 - slope)
    np.subtract(ONE[slope.dtype.num], slope, slope)
    return np.multiply(grad_output, slope, slope)


def sigmoid_backward_kernel(grad_output: Any, output: Any) -> Any:
    slope = ONE[output.dtype.num] - output
    slope *= output
    slope *= grad_output
    return slope


tanh_backward = op(
    "tanh_backward(grad_output, output)",
    tanh_backward_kernel,
    node="TanhBackwardBackward0",
    grad_output="tanh_backward(grad, output)",
    output="grad * (-2 * output * grad_output)",
)
sigmoid_backward = op(
    "sigmoid_backward(grad_output, output)",
    sigmoid_backward_kernel,
    node="SigmoidBackwardBackward0",
    grad_output="sigmoid_backward(grad, output)",
    output="grad * grad_output * (-2 * output + 1)",
)


def rectified(self: Any) -> Any:
    """max(0, x). Against zeros NumPy compares several numbers at once, against one 0 singly."""
    zeros = np.zeros(self.shape, self.dtype) if self.flags.c_contiguous else np.zeros_like(self)
    return np.maximum(zeros, self, out=zeros)[()]


relu = op("relu(self)", rectified, self="threshold_backward(grad, result)")


def zero_where(mask: Any, values: Any) -> Any:
    """`values`, but 0 where `mask`: their bits times 0 or 1, so that inf and nan go as well.

    `np.where` branches at every element, and takes twenty times as long.
    """
    bits = (~mask).astype(f"i{values.itemsize}")  # once; in a product it would go by small pieces
    bits *= values.view(bits.dtype)
    return bits.view(values.dtype)


MANY = 3000  # elements from which on it takes less time to go a longer way


def either(condition: Any, first: Any, second: Any) -> Any:
    """`np.where` for a mask and floating-point arrays of one shape and dtype, without branches."""
    if condition.size < MANY:
        return np.where(condition, first, second)[()]
    bits = zero_where(~condition, first).view(f"i{first.itemsize}")
    bits |= zero_where(condition, second).view(bits.dtype)
    return bits.view(first.dtype)


threshold_backward = op(
    "threshold_backward(grad_output, self)",
    lambda grad_output, self: zero_where(self <= 0, grad_output),
    node="ThresholdBackwardBackward0",
    grad_output="threshold_backward(grad, self)",
    self="zeros_like(grad)",
)


def choose(condition: Any, self: Any, other: Any) -> Any:
    try:
        arrays = self.__class__ is other.__class__ is np.ndarray and self.dtype.kind == "f"
        if arrays and condition.shape == self.shape == other.shape:
            return either(condition, self, other)
        return np.where(condition, self, other)[()]
    except ValueError:
        pairs = itertools.combinations(map(np.shape, (condition, self, other)), 2)
        a, b = next(pair for pair in pairs if not broadcastable(*pair))
        raise errors.does_not_broadcast(a, b) from None


where_ = op(
    "where(condition: Tensor, self, other)",
    choose,
    promote="any",
    self="where(condition, grad, 0.0)",
    other="where(condition, 0.0, grad)",
)

# Powers: PyTorch names the node after which side is a tensor.


def power(base: Any, exponent: Any) -> Any:
    """`base` to the power of a number; small powers by multiplication, as PyTorch does."""
    if exponent == 1 and base.dtype.kind == "f":
        return +base
    if exponent == 2:
        return base * base
    if exponent == 3:
        return base * base * base
    if exponent == 0.5:
        return np.sqrt(base)
    if exponent == -0.5:
        return 1 / np.sqrt(base)
    if base.dtype.kind in "iu":
        if exponent < 0 and isinstance(exponent, int):
            raise RuntimeError("Integers to negative integer powers are not allowed.")
        return base**exponent
    if exponent in (-1, -2):
        return 1 / (base if exponent == -1 else base * base)
    if exponent % 1 == 0 and exponent != 0:  # of negative numbers NumPy takes 50 times as long
        size = np.abs(base) ** exponent
        return np.copysign(size, base) if exponent % 2 else size
    return base**exponent


def pow_backward_kernel(grad: Any, self: Any, exponent: float) -> Any:
    if exponent == 0:
        return zeros_kernel(grad)
    if exponent == 2:
        slope = self * exponent
    else:
        slope = power(self, exponent - 1)
        slope *= exponent
    slope *= grad
    return slope


def pow_backward(grad: Tensor, self: Tensor, exponent: float) -> Tensor:
    if exponent == 0:
        return zeros_tensor(grad)
    return mul(grad, mul_number(pow_number(self, exponent - 1), exponent))


ARRAYS["pow_backward"], TENSORS["pow_backward"] = pow_backward_kernel, pow_backward


def log_of_number(base: float) -> float:
    return math.log(base) if base > 0 else -math.inf if base == 0 else math.nan


ARRAYS["log_of_number"] = TENSORS["log_of_number"] = log_of_number

pow_number = op(
    "pow_number(self, exponent)",
    power,
    node="PowBackward0",
    gives="kernel",
    self="pow_backward(grad, self, exponent)",
)
pow_tensor = op(
    "pow_tensor(self, exponent)",
    "np.power(self, exponent)",
    node="PowBackward1",
    promote="any",
    self="where(exponent == 0, 0.0, grad * (exponent * pow_tensor(self, exponent - 1)))",
    exponent="grad * where((self == 0) & (exponent >= 0), 0.0, result * log(self))",
)
pow_of_number = op(
    "pow_of_number(exponent, self)",
    "np.power(exponent.dtype.type(self), exponent)",
    node="PowBackward2",
    exponent=(
        "grad * (result * log_of_number(self)) if self != 0 else"
        " grad * where(exponent >= 0, 0.0, result * log_of_number(self))"
    ),
)


NUMBERS = (int, float, np.number)


def pow_(input: Number, exponent: Number) -> Any:
    """`self ** exponent`; either may be a number."""
    if isinstance(exponent, NUMBERS):
        number = exponent.item() if isinstance(exponent, np.generic) else exponent
        return pow_number(for_power(input, number), number)
    if isinstance(input, NUMBERS):
        return rpow(exponent, input)
    if isinstance(exponent, Tensor) and input.dtype is exponent.dtype is dtypes.bool_:
        raise NotImplementedError("\"pow\" not implemented for 'Bool'")
    return pow_tensor(input, exponent)


def rpow(self: Tensor, base: Any) -> Any:
    """`base ** self`. NotImplemented if `base` is no number."""
    if not isinstance(base, NUMBERS):
        return NotImplemented
    number = base.item() if isinstance(base, np.generic) else base
    return pow_of_number(for_power(self, number), number)


def for_power(tensor: Tensor, number: float) -> Tensor:
    """`tensor` in the dtype that a power of it and of `number` has."""
    if tensor.dtype.is_floating_point:
        return tensor
    kind = dtypes.result_type([(tensor.dtype, 1), (dtypes.of_number(number), 0)])
    return tensor if kind is tensor.dtype else tensor.to(kind)


def rdiv(self: Tensor, other: Any) -> Any:
    """`other / self` for a number: PyTorch takes the reciprocal and multiplies."""
    return reciprocal(self) * other


def square(input: Tensor) -> Any:
    """`self ** 2`."""
    return pow_(input, 2)


# Comparisons and logic: nothing flows through them.

eq = op("eq(self: Tensor, other: Tensor)", "self == other", promote="any", gives="bool")
ne = op("ne(self: Tensor, other: Tensor)", "self != other", promote="any", gives="bool")
lt = op("lt(self: Tensor, other: Tensor)", "self < other", promote="any", gives="bool")
le = op("le(self: Tensor, other: Tensor)", "self <= other", promote="any", gives="bool")
gt = op("gt(self: Tensor, other: Tensor)", "self > other", promote="any", gives="bool")
ge = op("ge(self: Tensor, other: Tensor)", "self >= other", promote="any", gives="bool")
bitwise_and = op("bitwise_and(self: Tensor, other: Tensor)", "self & other", promote="any")
bitwise_or = op("bitwise_or(self: Tensor, other: Tensor)", "self | other", promote="any")
bitwise_xor = op("bitwise_xor(self: Tensor, other: Tensor)", "self ^ other", promote="any")
bitwise_not = op("bitwise_not(self: Tensor)", "~self")
logical_not = op("logical_not(self: Tensor)", "np.logical_not(self)", gives="bool")
isnan = op("isnan(self: Tensor)", "np.isnan(self)", gives="bool")
isinf = op("isinf(self: Tensor)", "np.isinf(self)", gives="bool")
isfinite = op("isfinite(self: Tensor)", "np.isfinite(self)", gives="bool")


def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """Elements of `input` where `condition` is true, of `other` elsewhere; all three broadcast.

    With a condition alone the indices where it is true, for each dimension a tensor of them.
    """
    if input is None and other is None:
        from . import picking

        return picking.nonzero(condition, as_tuple=True)
    if isinstance(condition, Tensor) and condition.dtype is not dtypes.bool_:
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype"
            f" {condition.dtype.legacy}"
        )
    result = where_(condition, input, other)
    if result is NotImplemented:
        raise TypeError
    return result


def with_alpha(plain: Any, scaled: Any) -> Any:
    """`plain`, or with an `alpha` that is not 1 what scales the other operand by it."""

    def function(input: Any, other: Any, *, alpha: Any = 1) -> Any:
        return plain(input, other) if alpha == 1 else scaled(input, other, alpha)

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
    "bitwise_and": bitwise_and,
    "bitwise_or": bitwise_or,
    "bitwise_xor": bitwise_xor,
}
