"""The losses of `nn.functional` that are one node each.

A loss is computed for every element and then reduced: to the mean, to the sum, or not at all. The
argument checks and the losses that are made of several operations stand in `nn.functional`.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/torch/csrc/autograd/FunctionsManual.cpp
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..tensor import Tensor
from .functions import floating
from .table import ARRAYS, TENSORS, op


def reduced(losses: Any, reduction: str) -> Any:
    """The losses of the elements, array or scalar, as the reduction wants them."""
    if reduction == "none":
        return losses[()]
    total = np.add.reduce(losses, None)
    return total if reduction == "sum" else total / losses.dtype.type(losses.size)


def part_of(shape: tuple[int, ...], reduction: str) -> float:
    """How much the loss of one element of a tensor of `shape` counts in the reduced loss."""
    size = int(np.prod(shape, dtype=int))
    return 1 / size if reduction == "mean" and size else 1.0


ARRAYS["part_of"] = TENSORS["part_of"] = part_of

# A product, a quotient and a sum with a number, as PyTorch computes them inside a loss.
scaled = op("scaled(self, number)", "self * number", node="MulBackward1", self="grad * number")
divided = op("divided(self, number)", "self / number", node="DivBackward1", self="grad / number")
shifted = op("shifted(self, number)", "self + number", node="AddBackward1", self="grad")

# Of differences


def squared_error(self: Any, target: Any, reduction: str) -> Any:
    difference = floating(self, "mse_cpu") - target
    return reduced(difference * difference, reduction)


def smooth_l1(self: Any, target: Any, reduction: str, beta: float) -> Any:
    size = np.abs(floating(self, "smooth_l1_cpu") - target)
    return reduced(np.where(size < beta, 0.5 * size * size / beta, size - 0.5 * beta), reduction)


ARRAYS.update(squared_error=squared_error, smooth_l1=smooth_l1)

SLOPE = "grad * part_of(self.shape, reduction) * (2 * ({} - {}))"
SMOOTH_SLOPE = (
    "grad * part_of(self.shape, reduction)"
    " * where(abs({0} - {1}) < beta, ({0} - {1}) / beta, sign({0} - {1}))"
)
mse_loss = op(
    "mse_loss(self, target, reduction)",
    squared_error,
    gives="kernel",
    self=SLOPE.format("self", "target"),
    target=SLOPE.format("target", "self"),
)
smooth_l1_loss = op(
    "smooth_l1_loss(self, target, reduction, beta)",
    smooth_l1,
    gives="kernel",
    self=SMOOTH_SLOPE.format("self", "target"),
    target=SMOOTH_SLOPE.format("target", "self"),
)


def huber(self: Any, target: Any, reduction: str, delta: float) -> Any:
    size = np.abs(floating(self, "huber_cpu") - target)
    return reduced(
        np.where(size <= delta, 0.5 * size * size, delta * (size - 0.5 * delta)), reduction
    )


HUBER_SLOPE = (
    "grad * part_of(self.shape, reduction)"
    " * where(abs({0} - {1}) <= delta, {0} - {1}, delta * sign({0} - {1}))"
)
huber_loss = op(
    "huber_loss(self, target, reduction, delta)",
    huber,
    gives="kernel",
    self=HUBER_SLOPE.format("self", "target"),
    target=HUBER_SLOPE.format("target", "self"),
)

# Of log-probabilities: the class of each example is a number


def in_rows(scores: Any) -> Any:
    """Scores (N, C, …) or (C) with a row an example, the classes along it; a view if possible."""
    if scores.ndim > 2:
        scores = np.moveaxis(scores, 1, -1)
    return scores.reshape(-1, scores.shape[-1])


def weights_of(target: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """The weight of each example, 0 if it is ignored, and its class, 0 if it is ignored; in a row.

    IndexError for a class that does not exist.
    """
    classes = target.reshape(-1)
    ignored = classes == ignore_index
    some_ignored = ignored.any()
    if some_ignored:
        classes = np.where(ignored, 0, classes)
    if classes.size and (classes.min() < 0 or classes.max() >= weight.size):
        outside = classes[(classes < 0) | (classes >= weight.size)]
        raise IndexError(f"Target {outside[0]} is out of bounds.")
    weights = weight[classes]
    if some_ignored:
        weights[ignored] = 0
    return weights, classes


def nll_kernel(self: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    """Shapes: self (N, C, …), target (N, …); or (C) and ()."""
    weights, classes = weights_of(target, weight, ignore_index)
    losses = -weights * in_rows(self)[np.arange(classes.size), classes]
    if not weights.all():
        losses[weights == 0] = 0  # whatever the score
    if reduction == "mean":
        return np.add.reduce(losses) / np.add.reduce(weights)
    return reduced(losses.reshape(target.shape), reduction)


def nll_backward_kernel(
    self: Any, input: Any, target: Any, weight: Any, reduction: str, ignore_index: int
) -> Any:
    """Minus the weights at the places of the classes, times the gradient `self` of the loss."""
    weights, classes = weights_of(target, weight, ignore_index)
    if reduction == "mean":
        total = np.add.reduce(weights)
        weights = weights / total if weights.all() else np.where(weights == 0, 0, weights / total)
    rows = np.zeros((classes.size, input.shape[min(input.ndim - 1, 1)]), self.dtype)
    rows[np.arange(classes.size), classes] = -weights * (self.reshape(-1) if self.ndim else self)
    if input.ndim <= 2:
        return rows.reshape(input.shape)
    last = rows.reshape(input.shape[0], *input.shape[2:], -1)
    return np.ascontiguousarray(np.moveaxis(last, -1, 1))


def of_classes(name: str, node: str) -> Callable[..., Tensor]:
    """A row, and the row of its backward: PyTorch has them for vectors and for images."""
    op(
        f"{name}_backward(self, input, target: Tensor, weight: Tensor, reduction, ignore_index)",
        nll_backward_kernel,
        node=f"{node}BackwardBackward0",
        self=f"{name}(grad, target, weight, reduction, ignore_index)",
        input="zeros_like(grad)",
    )
    return op(
        f"{name}(self, target: Tensor, weight: Tensor, reduction, ignore_index)",
        nll_kernel,
        node=f"{node}Backward0",
        self=f"{name}_backward(grad, self, target, weight, reduction, ignore_index)",
    )


nll_loss = of_classes("nll_loss", "NllLoss")
nll_loss2d = of_classes("nll_loss2d", "NllLoss2D")

# Of probabilities, and of what the sigmoid makes probabilities of


def cross_entropy_of_two(self: Any, target: Any, weight: Any, reduction: str) -> Any:
    if self.size and not (self.min() >= 0 and self.max() <= 1):
        raise RuntimeError("all elements of input should be between 0 and 1")
    yes, no = np.maximum(np.log(self), -100), np.maximum(np.log1p(-self), -100)
    return reduced(weight * ((target - 1) * no - target * yes), reduction)


def cross_entropy_of_logits(
    self: Any, target: Any, weight: Any, pos_weight: Any, reduction: str
) -> Any:
    positive = 1 + (pos_weight - 1) * target
    tail = np.log1p(np.exp(-np.abs(self))) + np.maximum(-self, 0)
    return reduced(weight * ((1 - target) * self + positive * tail), reduction)


binary_cross_entropy = op(
    "binary_cross_entropy(self, target, weight: Tensor, reduction)",
    cross_entropy_of_two,
    self=(
        "grad * part_of(self.shape, reduction) * weight * ((self - target)"
        " / clamp_numbers((1 - self) * self, 1e-12, None))"
    ),
    target=(
        "grad * part_of(self.shape, reduction) * weight"
        " * (clamp_numbers(log1p(-self), -100, None) - clamp_numbers(log(self), -100, None))"
    ),
)
binary_cross_entropy_with_logits = op(
    "binary_cross_entropy_with_logits(self, target, weight: Tensor, pos_weight: Tensor, reduction)",
    cross_entropy_of_logits,
    gives="kernel",
    self=(
        "grad * part_of(self.shape, reduction) * weight"
        " * (sigmoid(self) * (1 + (pos_weight - 1) * target) - pos_weight * target)"
    ),
    target=(
        "grad * part_of(self.shape, reduction) * weight"
        " * (logsigmoid(-self) - pos_weight * logsigmoid(self))"
    ),
)
