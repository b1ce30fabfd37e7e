"""The activation functions of `nn.functional`, beside relu, sigmoid and tanh.

Two have a second row for `inplace=True`, which PyTorch differentiates by what they return.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .elementwise import either, zero_where
from .functions import floating
from .layouts import in_order
from .table import op


def log1p_exp(self: Any) -> Any:
    """log(1 + exp(x)) without overflow."""
    return np.maximum(self, 0) + np.log1p(np.exp(-np.abs(self)))


def softplus_kernel(self: Any, beta: float, threshold: float) -> Any:
    scaled = floating(self, "softplus_cpu") * beta
    return np.where(scaled > threshold, self, log1p_exp(scaled) / beta)[()]


def elu_kernel(self: Any, alpha: float) -> Any:
    floating(self, "elu_cpu")
    return either(self <= 0, np.expm1(np.minimum(self, 0)) * alpha, self)


def leaky_relu_kernel(self: Any, negative_slope: float) -> Any:
    floating(self, "leaky_relu_cpu")
    return either(self > 0, self, self * negative_slope)


softplus = op(
    "softplus(self, beta, threshold)",
    softplus_kernel,
    self="softplus_backward(grad, self, beta, threshold)",
)


def softplus_backward_kernel(grad_output: Any, x: Any, beta: float, threshold: float) -> Any:
    scaled = x * beta
    return np.where(scaled > threshold, grad_output, grad_output * (1 / (1 + np.exp(-scaled))))[()]


op(
    "softplus_backward(grad_output, x, beta, threshold)",
    softplus_backward_kernel,
    node="SoftplusBackwardBackward0",
    grad_output="softplus_backward(grad, x, beta, threshold)",
    x=(
        "where(x * beta > threshold, 0.0,"
        " sigmoid_backward(grad * grad_output, sigmoid(x * beta)) * beta)"
    ),
)
leaky_relu = op(
    "leaky_relu(self, negative_slope)",
    leaky_relu_kernel,
    self="leaky_relu_backward(grad, self, negative_slope)",
)
leaky_relu_by_result = op(
    "leaky_relu_by_result(self, negative_slope=0.01)",
    leaky_relu_kernel,
    node="LeakyReluBackward1",
    self="leaky_relu_backward(grad, result, negative_slope)",
)
leaky_relu_backward = op(
    "leaky_relu_backward(self, x, negative_slope)",
    lambda self, x, negative_slope: either(x > 0, self, self * negative_slope),
    node="LeakyReluBackwardBackward0",
    self="leaky_relu_backward(grad, x, negative_slope)",
    x="zeros_like(grad)",
)
elu = op(
    "elu(self, alpha)",
    elu_kernel,
    self="elu_backward(grad, self, alpha, False)",
)
elu_by_result = op(
    "elu_by_result(self, alpha=1.0)",
    elu_kernel,
    node="EluBackward1",
    self="elu_backward(grad, result, alpha, True)",
)


def elu_backward_kernel(grad_output: Any, x: Any, alpha: float, by_result: bool) -> Any:
    low = np.minimum(x, 0)
    slope = low + alpha if by_result else alpha * np.exp(low)
    return either(x <= 0, grad_output * slope, grad_output)


op(
    "elu_backward(grad_output, x, alpha, by_result)",  # x may be what elu returned
    elu_backward_kernel,
    node="EluBackwardBackward0",
    grad_output="elu_backward(grad, x, alpha, by_result)",
    x=(
        "where(x < 0, grad * grad_output if by_result else"
        " elu_backward(grad * grad_output, x, alpha, False), 0.0)"
    ),
)
silu = op(
    "silu(self)",
    "floating(self, 'silu_cpu') / (1 + np.exp(-self))",
    self="grad * (gate := sigmoid(self)) * (1 + self * (1 - gate))",
)
gelu = op(
    "gelu(self)",
    "self * (0.5 * (1 + erf(floating(self, 'GeluKernelImpl') * 0.7071067811865476)))",  # 1 / √2
    self="gelu_backward(grad, self)",
)
op(
    "gelu_backward(grad_output, x)",
    "grad_output * (0.5 * (1 + erf_kernel(x * 0.7071067811865476))"
    " + x * np.exp(x * x * -0.5) * 0.3989422804014327)",  # 1 / √2π
    node="GeluBackwardBackward0",
    grad_output="gelu_backward(grad, x)",
    x="grad * grad_output * (exp(x * x * -0.5) * (2 - x * x) * 0.3989422804014327)",
)
gelu_by_tanh = op(
    "gelu_by_tanh(self)",
    "0.5 * floating(self, 'GeluKernelImpl')"
    " * (1 + np.tanh(0.7978845608028654 * (self + 0.044715 * (self * self * self))))",  # √(2/π)
    node="GeluBackward0",
    self="gelu_by_tanh_backward(grad, self)",
)
# With u the argument of tanh, u' and u'' its derivatives, and t = tanh(u).
U = "0.7978845608028654 * (x + 0.044715 * (x * x * x))"
U1 = "(0.7978845608028654 * (1 + 0.134145 * (x * x)))"
U2 = "(0.7978845608028654 * (0.26829 * x))"
op(
    "gelu_by_tanh_backward(grad_output, x)",
    f"grad_output * (0.5 * (1 + (t := np.tanh({U}))) + 0.5 * x * (1 - t * t) * {U1})",
    node="GeluBackwardBackward0",
    grad_output="gelu_by_tanh_backward(grad, x)",
    x=(
        f"grad * grad_output * ((1 - (t := tanh({U})) * t)"
        f" * ({U1} + 0.5 * x * ({U2} - 2 * t * {U1} * {U1})))"
    ),
)
hardtanh = op(
    "hardtanh(self, min_val, max_val)",
    lambda self, min_val, max_val: np.clip(
        self, self.dtype.type(min_val), self.dtype.type(max_val)
    ),
    self="hardtanh_backward(grad, self, min_val, max_val)",
)
hardtanh_backward = op(
    "hardtanh_backward(self, x, min_val, max_val)",
    lambda self, x, min_val, max_val: zero_where((x <= min_val) | (x >= max_val), self)[()],
    node="HardtanhBackwardBackward0",
    self="hardtanh_backward(grad, x, min_val, max_val)",
    x="zeros_like(grad)",
)
logsigmoid = op(
    "logsigmoid(self)",
    lambda self: -log1p_exp(-in_order(floating(self, "log_sigmoid_cpu"))),
    node="LogSigmoidBackward0",
    self="log_sigmoid_backward(grad, self)",
)
op(
    "log_sigmoid_backward(grad_output, x)",
    "grad_output * (1 / (1 + np.exp(x)))",
    node="LogSigmoidBackwardBackward0",
    grad_output="log_sigmoid_backward(grad, x)",
    x="grad * grad_output * ((z := sigmoid(x)) - 1) * z",
)
