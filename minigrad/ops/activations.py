"""The activation functions of `nn.functional`, beside relu, sigmoid and tanh.

Two have a second row for `inplace=True`, which PyTorch differentiates by what they return.
"""

from __future__ import annotations

from typing import Any

import numpy as np

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
    return np.where(self <= 0, np.expm1(np.minimum(self, 0)) * alpha, self)[()]


def leaky_relu_kernel(self: Any, negative_slope: float) -> Any:
    floating(self, "leaky_relu_cpu")
    return np.where(self > 0, self, self * negative_slope)[()]


softplus = op(
    "softplus(self, beta, threshold)",
    softplus_kernel,
    self="where(self * beta > threshold, grad, grad * sigmoid(self * beta))",
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
    lambda self, x, negative_slope: np.where(x > 0, self, self * negative_slope)[()],
    node="LeakyReluBackwardBackward0",
    self="leaky_relu_backward(grad, x, negative_slope)",
    x="zeros_like(grad)",
)
elu = op(
    "elu(self, alpha)",
    elu_kernel,
    self="grad * where(self <= 0, alpha * exp(where(self < 0, self, 0.0)), 1.0)",
)
elu_by_result = op(
    "elu_by_result(self, alpha=1.0)",
    elu_kernel,
    node="EluBackward1",
    self="grad * where(result <= 0, where(result < 0, result, 0.0) + alpha, 1.0)",
)
silu = op(
    "silu(self)",
    "floating(self, 'silu_cpu') / (1 + np.exp(-self))",
    self="grad * (sigmoid(self) * (1 + self * (1 - sigmoid(self))))",
)
gelu = op(
    "gelu(self)",
    "self * (0.5 * (1 + erf(floating(self, 'GeluKernelImpl') * 0.7071067811865476)))",  # 1 / √2
    self=(
        "grad * (0.5 * (1 + erf(self * 0.7071067811865476))"
        " + self * exp(self * self * -0.5) * 0.3989422804014327)"  # 1 / √2π
    ),
)
SLOPE = "(1 - tanh(0.7978845608028654 * (self + 0.044715 * (self * self * self))) ** 2)"
gelu_by_tanh = op(
    "gelu_by_tanh(self)",
    "0.5 * floating(self, 'GeluKernelImpl')"
    " * (1 + np.tanh(0.7978845608028654 * (self + 0.044715 * (self * self * self))))",  # √(2/π)
    node="GeluBackward0",
    self=(
        "grad * (0.5 * (1 + tanh(0.7978845608028654 * (self + 0.044715 * (self * self * self))))"
        f" + 0.5 * self * {SLOPE} * 0.7978845608028654 * (1 + 0.134145 * (self * self)))"
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
    lambda self, x, min_val, max_val: np.where((x <= min_val) | (x >= max_val), 0.0, self)[()],
    node="HardtanhBackwardBackward0",
    self="hardtanh_backward(grad, x, min_val, max_val)",
    x="zeros_like(grad)",
)
logsigmoid = op(
    "logsigmoid(self)",
    lambda self: -log1p_exp(-in_order(floating(self, "log_sigmoid_cpu"))),
    node="LogSigmoidBackward0",
    self="grad * sigmoid(-self)",
)
