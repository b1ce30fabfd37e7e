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
from .elementwise import div_number
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


def is_one(weight: Any) -> bool:
    """Whether a weight stands for none that was given."""
    return bool(weight.ndim == 0 and weight == 1)


def weighted(slopes: Any, weight: Any) -> Any:
    return slopes if is_one(weight) else slopes * weight


def averaged(slopes: Any, reduction: str) -> Any:
    return slopes / slopes.size if reduction == "mean" else slopes


def averaged_tensor(slopes: Tensor, reduction: str) -> Tensor:
    return div_number(slopes, slopes.numel()) if reduction == "mean" else slopes


for helper in (is_one, weighted):
    ARRAYS[helper.__name__] = TENSORS[helper.__name__] = helper
ARRAYS["averaged"], TENSORS["averaged"] = averaged, averaged_tensor

# Of differences


def squared_error(self: Any, target: Any, reduction: str) -> Any:
    difference = floating(self, "mse_cpu") - target
    return reduced(difference * difference, reduction)


def smooth_l1(self: Any, target: Any, reduction: str, beta: float) -> Any:
    size = np.abs(floating(self, "smooth_l1_cpu") - target)
    return reduced(np.where(size < beta, 0.5 * size * size / beta, size - 0.5 * beta), reduction)


def huber(self: Any, target: Any, reduction: str, delta: float) -> Any:
    size = np.abs(floating(self, "huber_cpu") - target)
    return reduced(
        np.where(size <= delta, 0.5 * size * size, delta * (size - 0.5 * delta)), reduction
    )


def squared_error_slope(grad_output: Any, self: Any, target: Any, reduction: str) -> Any:
    slope = self - target
    slope *= 2
    slope *= grad_output * part_of(self.shape, reduction)
    return slope


def smooth_l1_slope(grad_output: Any, self: Any, target: Any, reduction: str, beta: float) -> Any:
    slope = np.clip((self - target) / beta, -1, 1)
    slope *= grad_output * part_of(self.shape, reduction)
    return slope


def huber_slope(grad_output: Any, self: Any, target: Any, reduction: str, delta: float) -> Any:
    slope = np.clip(self - target, -delta, delta)
    slope *= grad_output * part_of(self.shape, reduction)
    return slope


def of_difference(
    name: str, node: str, loss: Any, slope: Any, curvature: str, width: str = ""
) -> Callable[..., Tensor]:
    """A row, and the row of its backward: of them `self` and `target` differ in the sign alone.

    The gradient for `grad_output`, one number or one for each element, is summed by the engine.
    """
    how = f"reduction{width}"
    curved = f"grad * grad_output * part_of(self.shape, reduction) * {curvature}"
    op(
        f"{name}_backward(grad_output, self, target, {how})",
        slope,
        node=f"{node}BackwardBackward0",
        gives="kernel",
        grad_output=f"{name}_backward(grad, self, target, {how})",
        self=curved,
        target=f"-({curved})",
    )
    return op(
        f"{name}(self, target, {how})",
        loss,
        node=f"{node}Backward0",
        gives="kernel",
        self=f"{name}_backward(grad, self, target, {how})",
        target=f"{name}_backward(grad, target, self, {how})",
    )


mse_loss = of_difference("mse_loss", "MseLoss", squared_error, squared_error_slope, "2")
smooth_l1_loss = of_difference(
    "smooth_l1_loss",
    "SmoothL1Loss",
    smooth_l1,
    smooth_l1_slope,
    "where(abs(self - target) < beta, 1.0, 0.0) / (beta or 1.0)",
    width=", beta",
)
huber_loss = of_difference(
    "huber_loss",
    "HuberLoss",
    huber,
    huber_slope,
    "where(abs(self - target) <= delta, 1.0, 0.0)",
    width=", delta",
)

# Of log-probabilities: the class of each example is a number


def in_rows(scores: Any) -> Any:
    """Scores (N, C, …) or (C) with a row an example, the classes along it; a view if possible."""
    if scores.ndim == 2:
        return scores
    if scores.ndim > 2:
        scores = np.moveaxis(scores, 1, -1)
    return scores.reshape(-1, scores.shape[-1])


def places_of(target: Any, rows: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """Where in the flattened `rows` the right classes are, one place an example, and the weights of
    the examples, 0 for those that are ignored; None if each counts 1.

    IndexError for a class that does not exist.
    """
    shape, classes, examples = rows.shape, target.reshape(-1), np.arange(len(rows))
    if weight is None and not 0 <= ignore_index < shape[1]:
        # It refuses classes that do not exist, in half the time of looking for the smallest and the
        # largest; and `take` and `put` with places are faster than an index with two arrays.
        try:
            return np.ravel_multi_index((examples, classes), shape), None
        except ValueError:  # a class does not exist: it may be the one to ignore
            pass
    ignored = classes == ignore_index
    classes = np.where(ignored, 0, classes)
    outside = (classes < 0) | (classes >= shape[1])
    if outside.any():
        raise IndexError(f"Target {classes[outside][0]} is out of bounds.")
    weights = weight[classes] if weight is not None else np.ones(classes.shape, rows.dtype)
    weights[ignored] = 0
    return np.ravel_multi_index((examples, classes), shape), weights


def nll_kernel(self: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    """Shapes: self (N, C, …), target (N, …); or (C) and ()."""
    rows = in_rows(self)
    places, weights = places_of(target, rows, weight, ignore_index)
    losses = -rows.take(places)
    if weights is not None:
        losses *= weights
        losses[target.reshape(-1) == ignore_index] = 0  # even if the score is infinite
        if reduction == "mean":
            return np.add.reduce(losses) / np.add.reduce(weights)
    return reduced(losses.reshape(target.shape), reduction)


def nll_backward_kernel(
    self: Any, input: Any, target: Any, weight: Any, reduction: str, ignore_index: int
) -> Any:
    """Minus the weights at the places of the classes, times the gradient `self` of the loss."""
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
    self="binary_cross_entropy_backward(grad, self, target, weight, reduction)",
    target="averaged(weighted(-logit(self) * grad, weight), reduction)",
)
PRODUCT = "clamp_numbers((1 - self) * self, 1e-12, None)"
op(
    "binary_cross_entropy_backward(grad_output, self, target, weight: Tensor, reduction)",
    "grad_output * part_of(self.shape, reduction) * weight"
    " * ((self - target) / np.maximum((1 - self) * self, 1e-12))",
    node="BinaryCrossEntropyBackwardBackward0",
    grad_output="binary_cross_entropy_backward(grad, self, target, weight, reduction)",
    self=(
        "grad * grad_output * weight * part_of(self.shape, reduction)"
        f" * ((self * (self - 2 * target) + target) / pow_number({PRODUCT}, 2))"
    ),
    target=f"-grad * grad_output * weight * part_of(self.shape, reduction) / {PRODUCT}",
)
op("logit(self)", "np.log(self / (1 - self))", self="grad / (self * (1 - self))")
binary_cross_entropy_with_logits = op(
    "binary_cross_entropy_with_logits(self, target, weight: Tensor, pos_weight: Tensor, reduction)",
    cross_entropy_of_logits,
    gives="kernel",
    self=(
        "averaged(weighted((sigmoid(self) - target if is_one(pos_weight) else"
        " ((yes := pos_weight * target) + 1 - target) * sigmoid(self) - yes) * grad, weight),"
        " reduction)"
    ),
    target=(
        "averaged(weighted((-self if is_one(pos_weight) else"
        " logsigmoid(-self) - logsigmoid(self) * pos_weight) * grad, weight), reduction)"
    ),
)
