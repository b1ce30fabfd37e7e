"""Batch normalization: every channel is normalized to mean 0 and variance 1.

During training, the mean and variance are computed from the batch, so gradients flow through them.
During evaluation they are the running statistics, which are constants.

Source: Ioffe and Szegedy, Batch Normalization, https://arxiv.org/abs/1502.03167
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.operation import op
from ..rows.operands import is_absent
from ..rows.silence import silent
from .elementwise import sqrt
from .layouts import in_order
from .reductions import average, sum_dim
from .statistics import affine, layer_norm_backward, normalized


def channel_dims(ndim: int) -> tuple[int, ...]:
    """All dimensions except that of the channels, which is the second."""
    return (0, *range(2, ndim))


def by_channel(numbers: Any, ndim: int) -> Any:
    """One number for each channel, in a shape that broadcasts with `ndim` dimensions."""
    return numbers if is_absent(numbers) else numbers.reshape((-1, *(1,) * (ndim - 2)))


def batch_statistics(array: Any) -> tuple[Any, ...]:
    """The mean and the biased variance, with divisor n, of each channel."""
    dims = channel_dims(array.ndim)
    deviation = array - average(array, dims, True)
    return average(array, dims), average(deviation * deviation, dims)


def batch_norm_kernel(
    self: Any, weight: Any, bias: Any, mean: Any, var: Any, training: bool, eps: float
) -> Any:
    self = in_order(self)
    if training:
        mean, var = batch_statistics(self)
    scale = affine(1 / np.sqrt(var + self.dtype.type(eps)), weight, None)
    mean, scale, bias = (by_channel(each, self.ndim) for each in (mean, scale, bias))
    return affine(self - mean, scale, bias).astype(self.dtype, copy=False)


def batch_norm_backward(
    grad: Any, self: Any, weight: Any, var: Any, training: bool, eps: float
) -> Any:
    """The gradient of the input, which in training is that of layer norm over the channel."""
    weight = by_channel(weight, self.ndim)
    if training:
        return layer_norm_backward(grad, self, weight, channel_dims(self.ndim), eps)
    return grad * affine(1 / sqrt(by_channel(var, self.ndim) + eps), weight, None)


def standard_form(self: Any, mean: Any, var: Any, training: bool, eps: float) -> Any:
    """The normalized input, before weight and bias are applied."""
    if training:
        return normalized(self, channel_dims(self.ndim), eps)
    return (self - by_channel(mean, self.ndim)) / sqrt(by_channel(var, self.ndim) + eps)


def of_channels(grad: Any) -> Any:
    """The sum over all dimensions except the channels."""
    return sum_dim(grad, channel_dims(grad.ndim), False)


batch_norm = op(
    "batch_norm",
    batch_norm_kernel,
    node="NativeBatchNormBackward0",
    tensor_args=("mean", "var"),
    self=lambda grad, self, weight, var, training, eps: batch_norm_backward(
        grad, self, weight, var, training, eps
    ),
    weight=lambda grad, self, mean, var, training, eps: of_channels(
        grad * standard_form(self, mean, var, training, eps)
    ),
    bias=lambda grad: of_channels(grad),
)


@silent
def update_running(array: Any, running_mean: Any, running_var: Any, momentum: float) -> None:
    """Move the running statistics toward those of the batch, with the unbiased variance."""
    mean, var = batch_statistics(array)
    n = array.size // mean.size
    for running, new in ((running_mean, mean), (running_var, var * (n / (n - 1)))):
        running[...] = momentum * new + (1 - momentum) * running
