"""The activation functions of `nn.functional` except relu, sigmoid and tanh.

Two of them have a second row for `inplace=True`, because PyTorch then differentiates them from the
result.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.operation import op
from .elementwise import (
    either,
    exp,
    sigmoid,
    sigmoid_backward,
    tanh,
    where_,
    zero_where,
    zeros_like,
)
from .functions import floating
from .special import erf_kernel
from .layouts import in_order


def log1p_small(self: Any) -> Any:
    """log(1 + exp(-|x|)), which cannot overflow."""
    return np.log1p(np.exp(-np.abs(self)))


def softplus_kernel(self: Any, beta: float, threshold: float) -> Any:
    scaled = floating(self, "softplus_cpu") * beta
    return np.where(scaled > threshold, self, (np.maximum(scaled, 0) + log1p_small(scaled)) / beta)


def elu_kernel(self: Any, alpha: float = 1.0) -> Any:
    is_low = floating(self, "elu_cpu") <= 0
    return either(is_low, np.expm1(zero_where(~is_low, self)) * alpha, self)  # keeps -0.0


def leaky_relu_kernel(self: Any, negative_slope: float = 0.01) -> Any:
    return either(self > 0, self, floating(self, "leaky_relu_cpu") * negative_slope)


softplus = op(
    "softplus",
    softplus_kernel,
    self=lambda grad, self, beta, threshold: softplus_backward(grad, self, beta, threshold),
)


def softplus_backward_kernel(grad_output: Any, x: Any, beta: float, threshold: float) -> Any:
    power = np.exp(scaled := x * beta)
    return np.where(scaled > threshold, grad_output, grad_output * power / (power + 1))


softplus_backward = op(
    "softplus_backward",
    softplus_backward_kernel,
    node="SoftplusBackwardBackward0",
    grad_output=lambda grad, x, beta, threshold: softplus_backward(grad, x, beta, threshold),
    x=lambda grad, grad_output, x, beta, threshold: where_(
        x * beta > threshold, 0.0, sigmoid_backward(grad * grad_output, sigmoid(x * beta)) * beta
    ),
)
leaky_relu = op(
    "leaky_relu",
    leaky_relu_kernel,
    self=lambda grad, self, negative_slope: leaky_relu_backward(grad, self, negative_slope),
)
leaky_relu_by_result = op(
    "leaky_relu_by_result",
    leaky_relu_kernel,
    node="LeakyReluBackward1",
    self=lambda grad, negative_slope, result: leaky_relu_backward(grad, result, negative_slope),
)
leaky_relu_backward = op(
    "leaky_relu_backward",
    lambda self, x, negative_slope: either(x > 0, self, self * negative_slope),
    node="LeakyReluBackwardBackward0",
    self=lambda grad, x, negative_slope: leaky_relu_backward(grad, x, negative_slope),
    x=lambda grad: zeros_like(grad),
)
elu = op("elu", elu_kernel, self=lambda grad, self, alpha: elu_backward(grad, self, alpha, False))
elu_by_result = op(
    "elu_by_result",
    elu_kernel,
    node="EluBackward1",
    self=lambda grad, alpha, result: elu_backward(grad, result, alpha, True),
)


def elu_backward_kernel(grad_output: Any, x: Any, alpha: float, by_result: bool) -> Any:
    low = np.minimum(x, 0)
    slope = low + alpha if by_result else alpha * np.exp(low)
    return either(x <= 0, grad_output * slope, grad_output)


elu_backward = op(
    "elu_backward",
    elu_backward_kernel,
    node="EluBackwardBackward0",
    grad_output=lambda grad, x, alpha, by_result: elu_backward(grad, x, alpha, by_result),
    x=lambda grad, grad_output, x, alpha, by_result: where_(
        x < 0,
        grad * grad_output if by_result else elu_backward(grad * grad_output, x, alpha, False),
        0.0,
    ),
)
silu = op(
    "silu",
    lambda self: floating(self, "silu_cpu") / (1 + np.exp(-self)),
    self=lambda grad, self: grad * (gate := sigmoid(self)) * (1 + self * (1 - gate)),
)


def normal_share(x: Any) -> Any:
    """The cumulative distribution function of the standard normal distribution, for an array."""
    return 0.5 * (1 + erf_kernel(x * 0.7071067811865476))  # 1 / √2


def normal_density(x: Any) -> Any:
    """The density of the standard normal distribution, for an array."""
    return np.exp(x * x * -0.5) * 0.3989422804014327  # 1 / √2π


gelu = op(
    "gelu",
    lambda self: floating(self, "GeluKernelImpl") * normal_share(self),
    self=lambda grad, self: gelu_backward(grad, self),
)
gelu_backward = op(
    "gelu_backward",
    lambda grad_output, x: grad_output * (normal_share(x) + x * normal_density(x)),
    node="GeluBackwardBackward0",
    grad_output=lambda grad, x: gelu_backward(grad, x),
    x=lambda grad, grad_output, x: (
        grad * grad_output * (exp(x * x * -0.5) * (2 - x * x) * 0.3989422804014327)
    ),
)

# The argument u of tanh with its derivatives u' and u''; they work on arrays and on tensors.


def u(x: Any) -> Any:
    return 0.7978845608028654 * (x + 0.044715 * (x * x * x))  # √(2/π)


def du(x: Any) -> Any:
    return 0.7978845608028654 * (1 + 0.134145 * (x * x))


def ddu(x: Any) -> Any:
    return 0.7978845608028654 * (0.26829 * x)


def gelu_by_tanh_backward_kernel(grad_output: Any, x: Any) -> Any:
    t = np.tanh(u(x))
    return grad_output * (0.5 * (1 + t) + 0.5 * x * (1 - t * t) * du(x))


gelu_by_tanh = op(
    "gelu_by_tanh",
    lambda self: 0.5 * floating(self, "GeluKernelImpl") * (1 + np.tanh(u(self))),
    node="GeluBackward0",
    self=lambda grad, self: gelu_by_tanh_backward(grad, self),
)
gelu_by_tanh_backward = op(
    "gelu_by_tanh_backward",
    gelu_by_tanh_backward_kernel,
    node="GeluBackwardBackward0",
    grad_output=lambda grad, x: gelu_by_tanh_backward(grad, x),
    x=lambda grad, grad_output, x: (
        grad
        * grad_output
        * ((1 - (t := tanh(u(x))) * t) * (du(x) + 0.5 * x * (ddu(x) - 2 * t * du(x) * du(x))))
    ),
)


def hardtanh_kernel(self: Any, min_val: float, max_val: float) -> Any:
    if self.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if self.dtype.kind == "u" and min(min_val, max_val) < 0:
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    return np.clip(self, self.dtype.type(min_val), self.dtype.type(max_val))


hardtanh = op(
    "hardtanh",
    hardtanh_kernel,
    self=lambda grad, self, min_val, max_val: hardtanh_backward(grad, self, min_val, max_val),
)
hardtanh_backward = op(
    "hardtanh_backward",
    lambda self, x, min_val, max_val: zero_where((x <= min_val) | (x >= max_val), self),
    node="HardtanhBackwardBackward0",
    self=lambda grad, x, min_val, max_val: hardtanh_backward(grad, x, min_val, max_val),
    x=lambda grad: zeros_like(grad),
)


def log_sigmoid_kernel(self: Any) -> Any:
    self = in_order(floating(self, "log_sigmoid_cpu"))
    return np.minimum(self, 0) - log1p_small(self)


logsigmoid = op(
    "logsigmoid",
    log_sigmoid_kernel,
    node="LogSigmoidBackward0",
    self=lambda grad, self: log_sigmoid_backward(grad, self),
)
log_sigmoid_backward = op(
    "log_sigmoid_backward",
    lambda grad_output, x: grad_output * np.where(x < 0, 1, z := np.exp(-np.abs(x))) / (1 + z),
    node="LogSigmoidBackwardBackward0",
    grad_output=lambda grad, x: log_sigmoid_backward(grad, x),
    x=lambda grad, grad_output, x: grad * grad_output * ((z := sigmoid(x)) - 1) * z,
)
