"""The losses of `nn.functional` that are a single node.

A loss is computed for every element and then reduced to the mean, to the sum, or not at all. The
argument checks, and the losses that consist of several operations, are in `nn.functional`.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/torch/csrc/autograd/FunctionsManual.cpp
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor
from ..rows.operands import is_absent
from .activations import logsigmoid
from .elementwise import pow_number, sigmoid, where_, zeros_like
from .functions import clamp_numbers, floating, in_common_dtype


def reduced(losses: Any, reduction: str) -> Any:
    """The losses of all elements, reduced to their "mean" or "sum", or unchanged for "none"."""
    if reduction == "none":
        return losses
    total = np.add.reduce(losses, None)
    return total if reduction == "sum" else total / losses.dtype.type(losses.size)


def part_of(shape: tuple[int, ...], reduction: str) -> float:
    """The weight of a single element in the reduced loss of a tensor of `shape`."""
    size = int(np.prod(shape, dtype=int))
    return 1 / size if reduction == "mean" and size else 1.0


def weighted(numbers: Any, weight: Any) -> Any:
    """Losses or derivatives by element, times `weight` if there is one; for tensors and arrays."""
    return numbers if is_absent(weight) else numbers * weight


def averaged(slopes: Tensor, reduction: str) -> Tensor:
    """The derivatives by element, divided by their number if the loss is the mean."""
    return slopes / math.prod(slopes.shape) if reduction == "mean" else slopes


# Regression: losses of the difference


def squared_error(self: Any, target: Any, reduction: str) -> Any:
    self, target = in_common_dtype(self, target)
    difference = floating(self, "mse_cpu") - target
    return reduced(difference * difference, reduction)


def smooth_l1(self: Any, target: Any, reduction: str, beta: float) -> Any:
    self, target = in_common_dtype(self, target)
    size = np.abs(floating(self, "smooth_l1_cpu") - target)
    return reduced(np.where(size < beta, 0.5 * size * size / beta, size - 0.5 * beta), reduction)


def huber(self: Any, target: Any, reduction: str, delta: float) -> Any:
    size = np.abs(floating(self, "huber_cpu") - target)
    return reduced(
        np.where(size <= delta, 0.5 * size * size, delta * (size - 0.5 * delta)), reduction
    )


def squared_error_slope(grad_output: Any, self: Any, target: Any, reduction: str) -> Any:
    self, target = in_common_dtype(self, target)
    slope = self - target
    slope *= 2
    slope *= grad_output * part_of(self.shape, reduction)
    return slope


def smooth_l1_slope(grad_output: Any, self: Any, target: Any, reduction: str, beta: float) -> Any:
    self, target = in_common_dtype(self, target)
    slope = np.clip((self - target) / beta, -1, 1)
    return slope * (grad_output * part_of(self.shape, reduction))


def huber_slope(grad_output: Any, self: Any, target: Any, reduction: str, delta: float) -> Any:
    slope = np.clip(self - target, -delta, delta)
    return slope * (grad_output * part_of(self.shape, reduction))


# A loss and its backward. The gradients of `self` and `target` only differ in sign, so swapping the
# two is enough. The engine sums the gradient of `grad_output` if that is a single number.

mse_loss = op(
    "mse_loss",
    squared_error,
    self=lambda grad, self, target, reduction: mse_loss_backward(grad, self, target, reduction),
    target=lambda grad, self, target, reduction: mse_loss_backward(grad, target, self, reduction),
)
mse_loss_backward = op(
    "mse_loss_backward",
    squared_error_slope,
    node="MseLossBackwardBackward0",
    grad_output=lambda grad, self, target, reduction: mse_loss_backward(
        grad, self, target, reduction
    ),
    self=lambda grad, grad_output, self_shape, reduction: (
        grad * grad_output * part_of(self_shape, reduction) * 2
    ),
    target=lambda grad, grad_output, self_shape, reduction: (
        -(grad * grad_output * part_of(self_shape, reduction) * 2)
    ),
)


def curved(self: Tensor, target: Tensor, beta: float) -> Any:
    """The second derivative of the smooth L1 loss: 1 / beta between -beta and beta, else 0."""
    return where_(abs(self - target) < beta, 1.0, 0.0) / (beta or 1.0)


def near(self: Tensor, target: Tensor, delta: float) -> Any:
    """The second derivative of the Huber loss: 1 between -delta and delta, else 0."""
    return where_(abs(self - target) < delta, 1.0, 0.0)


smooth_l1_loss = op(
    "smooth_l1_loss",
    smooth_l1,
    self=lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, self, target, reduction, beta
    ),
    target=lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, target, self, reduction, beta
    ),
)
smooth_l1_loss_backward = op(
    "smooth_l1_loss_backward",
    smooth_l1_slope,
    node="SmoothL1LossBackwardBackward0",
    grad_output=lambda grad, self, target, reduction, beta: smooth_l1_loss_backward(
        grad, self, target, reduction, beta
    ),
    self=lambda grad, grad_output, self, target, reduction, beta: (
        grad * grad_output * part_of(self.shape, reduction) * curved(self, target, beta)
    ),
    target=lambda grad, grad_output, self, target, reduction, beta: (
        -(grad * grad_output * part_of(self.shape, reduction) * curved(self, target, beta))
    ),
)
huber_loss = op(
    "huber_loss",
    huber,
    self=lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, self, target, reduction, delta
    ),
    target=lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, target, self, reduction, delta
    ),
)
huber_loss_backward = op(
    "huber_loss_backward",
    huber_slope,
    node="HuberLossBackwardBackward0",
    grad_output=lambda grad, self, target, reduction, delta: huber_loss_backward(
        grad, self, target, reduction, delta
    ),
    self=lambda grad, grad_output, self, target, reduction, delta: (
        grad * grad_output * part_of(self.shape, reduction) * near(self, target, delta)
    ),
    target=lambda grad, grad_output, self, target, reduction, delta: (
        -(grad * grad_output * part_of(self.shape, reduction) * near(self, target, delta))
    ),
)

# Classification: losses of log-probabilities, with the class of each example as an integer


def in_rows(scores: Any) -> Any:
    """Scores (N, C, …) or (C) as a matrix with a row for each example; a view if possible."""
    if scores.ndim == 2:
        return scores
    if scores.ndim > 2:
        scores = np.moveaxis(scores, 1, -1)
    return scores.reshape(-1, scores.shape[-1])


def places_of(target: Any, rows: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """The flat index in `rows` of each example's target class, and the weights of the examples.

    The weight is 0 for ignored examples; None instead of weights means that all are 1. IndexError
    for a class that does not exist. `take` and `put` with flat indices are faster than an index
    with two arrays.
    """
    shape, examples = rows.shape, np.arange(len(rows))
    if weight is None and not 0 <= ignore_index < shape[1]:
        # Letting NumPy detect a missing class takes half the time of checking for it.
        try:
            return np.ravel_multi_index((examples, target.reshape(-1)), shape), None
        except ValueError:  # a class does not exist, but that may be the one to ignore
            pass
    ignored = target.reshape(-1) == ignore_index
    classes = np.where(ignored, 0, target.reshape(-1))
    outside = (classes < 0) | (classes >= rows.shape[1])
    if outside.any():
        raise IndexError(f"Target {classes[outside][0]} is out of bounds.")
    weights = np.ones(classes.shape, rows.dtype) if weight is None else weight[classes]
    return np.ravel_multi_index((examples, classes), shape), np.where(ignored, 0, weights)


def nll_kernel(self: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    """Shapes: self (N, C, …), target (N, …); or (C) and ()."""
    rows = in_rows(self)
    places, weights = places_of(target, rows, weight, ignore_index)
    losses = -rows.take(places)
    if weights is not None:
        losses *= weights
        losses[target.reshape(-1) == ignore_index] = 0  # even if its log-probability is -inf
        if reduction == "mean":
            return np.add.reduce(losses) / np.add.reduce(weights)
    return reduced(losses.reshape(target.shape), reduction)


def nll_backward_kernel(
    self: Any, input: Any, target: Any, weight: Any, reduction: str, ignore_index: int
) -> Any:
    """The gradient of the log-probabilities: minus the weight at each target class, times `self`,
    the gradient of the loss.
    """
    rows = np.zeros((target.size, input.shape[min(input.ndim - 1, 1)]), input.dtype)
    places, weights = places_of(target, rows, weight, ignore_index)
    slopes = -(self.reshape(-1) if self.ndim else self)
    if reduction == "mean":
        slopes = slopes / (target.size if weights is None else np.add.reduce(weights))
    if weights is not None:
        slopes = np.where(target.reshape(-1) == ignore_index, 0, slopes * weights)
    rows.put(places, slopes)
    if input.ndim <= 2:
        return rows.reshape(input.shape)
    last = rows.reshape(input.shape[0], *input.shape[2:], -1)
    return np.ascontiguousarray(np.moveaxis(last, -1, 1))


# PyTorch has separate operations for matrices of log-probabilities and for images.

nll_loss = op(
    "nll_loss",
    nll_kernel,
    tensor_args=("target", "weight"),
    self=lambda grad, self, target, weight, reduction, ignore_index: nll_loss_backward(
        grad, self, target, weight, reduction, ignore_index
    ),
)
nll_loss_backward = op(
    "nll_loss_backward",
    nll_backward_kernel,
    node="NllLossBackwardBackward0",
    tensor_args=("target", "weight"),
    self=lambda grad, target, weight, reduction, ignore_index: nll_loss(
        grad, target, weight, reduction, ignore_index
    ),
    input=lambda grad: zeros_like(grad),
)
nll_loss2d = op(
    "nll_loss2d",
    nll_kernel,
    node="NllLoss2DBackward0",
    tensor_args=("target", "weight"),
    self=lambda grad, self, target, weight, reduction, ignore_index: nll_loss2d_backward(
        grad, self, target, weight, reduction, ignore_index
    ),
)
nll_loss2d_backward = op(
    "nll_loss2d_backward",
    nll_backward_kernel,
    node="NllLoss2DBackwardBackward0",
    tensor_args=("target", "weight"),
    self=lambda grad, target, weight, reduction, ignore_index: nll_loss2d(
        grad, target, weight, reduction, ignore_index
    ),
    input=lambda grad: zeros_like(grad),
)

# Binary cross entropy: of probabilities, and of logits


def cross_entropy_of_two(self: Any, target: Any, weight: Any, reduction: str) -> Any:
    if self.size and not (self.min() >= 0 and self.max() <= 1):
        raise RuntimeError("all elements of input should be between 0 and 1")
    yes, no = np.maximum(np.log(self), -100), np.maximum(np.log1p(-self), -100)
    return reduced(weighted((target - 1) * no - target * yes, weight), reduction)


def cross_entropy_slope(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: str
) -> Any:
    slope = (self - target) / np.maximum((1 - self) * self, 1e-12)
    return weighted(grad_output * part_of(self.shape, reduction), weight) * slope


def cross_entropy_of_logits(
    self: Any, target: Any, weight: Any, pos_weight: Any, reduction: str
) -> Any:
    positive = 1 if pos_weight is None else 1 + (pos_weight - 1) * target
    tail = np.log1p(np.exp(-np.abs(floating(self, "log_sigmoid_cpu")))) + np.maximum(-self, 0)
    return reduced(weighted((1 - target) * self + positive * tail, weight), reduction)


def odds_product(self: Any) -> Any:
    """self * (1 - self) for a tensor, clamped away from 0."""
    return clamp_numbers((1 - self) * self, 1e-12, None)


def logit_slope(self: Tensor, target: Tensor, pos_weight: Tensor) -> Any:
    """The derivative of the loss with respect to logits; positive targets count `pos_weight`."""
    if is_absent(pos_weight):
        return sigmoid(self) - target
    positive = pos_weight * target
    return (positive + 1 - target) * sigmoid(self) - positive


def target_slope(self: Tensor, pos_weight: Tensor) -> Any:
    """The derivative of the same loss with respect to the targets."""
    if is_absent(pos_weight):
        return -self
    return logsigmoid(-self) - logsigmoid(self) * pos_weight


binary_cross_entropy = op(
    "binary_cross_entropy",
    cross_entropy_of_two,
    tensor_args=("weight",),
    self=lambda grad, self, target, weight, reduction: binary_cross_entropy_backward(
        grad, self, target, weight, reduction
    ),
    target=lambda grad, self, weight, reduction: averaged(
        weighted(-logit(self) * grad, weight), reduction
    ),
)
binary_cross_entropy_backward = op(
    "binary_cross_entropy_backward",
    cross_entropy_slope,
    node="BinaryCrossEntropyBackwardBackward0",
    tensor_args=("weight",),
    grad_output=lambda grad, self, target, weight, reduction: (
        binary_cross_entropy_backward(grad, self, target, weight, reduction)
    ),
    self=lambda grad, grad_output, self, target, weight, reduction: (
        weighted(grad * grad_output, weight) * part_of(self.shape, reduction)
        * ((self * (self - 2 * target) + target) / pow_number(odds_product(self), 2))
    ),
    target=lambda grad, grad_output, self, weight, reduction: (
        weighted(-grad * grad_output, weight) * part_of(self.shape, reduction) / odds_product(self)
    ),
)  # fmt: skip
logit = op(
    "logit",
    lambda self: np.log(self / (1 - self)),
    self=lambda grad, self: grad / (self * (1 - self)),
)
binary_cross_entropy_with_logits = op(
    "binary_cross_entropy_with_logits",
    cross_entropy_of_logits,
    tensor_args=("weight", "pos_weight"),
    self=lambda grad, self, target, weight, pos_weight, reduction: averaged(
        weighted(logit_slope(self, target, pos_weight) * grad, weight), reduction
    ),
    target=lambda grad, self, weight, pos_weight, reduction: averaged(
        weighted(target_slope(self, pos_weight) * grad, weight), reduction
    ),
)
