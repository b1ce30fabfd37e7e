"""Faster kernels for `ops.losses`, and the twins of helpers in `functions`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import functions
from ...ops import losses as plain
from ...ops.losses import in_rows, part_of, reduced
from ...ops.special import alike
from ...support.operands import is_absent
from .arrays import TWINS, kernel_of, on_arrays, twin_of


@twin_of(plain.averaged)
def averaged(slopes: Any, reduction: str) -> Any:
    return slopes / slopes.size if reduction == "mean" else slopes


helper: Any
for helper in (
    functions.per_square,
    functions.where_won,
    plain.odds_product,
    plain.logit_slope,
    plain.target_slope,
):
    TWINS[helper] = on_arrays(helper)


@twin_of(plain.near)
def near(self: Any, target: Any, delta: float) -> Any:
    """1 where two arrays differ by less than `delta`, else 0"""
    return (abs(self - target) < delta).astype(self.dtype)


@twin_of(plain.curved)
def curved(self: Any, target: Any, beta: float) -> Any:
    """1 / beta where two arrays differ by less than `beta`, else 0"""
    return (abs(self - target) < beta).astype(self.dtype) / (beta or 1.0)


for helper in (functions.inside, functions.below, functions.above, is_absent, plain.weighted):
    TWINS[helper] = helper


@kernel_of(plain.mse_loss_backward)
def squared_error_slope(grad_output: Any, self: Any, target: Any, reduction: str) -> Any:
    """(self - target) * 2 * (grad_output * part), in place"""
    self, target = alike(self, target)
    slope = self - target
    slope *= 2
    slope *= grad_output * part_of(self.shape, reduction)
    return slope


@kernel_of(plain.smooth_l1_loss_backward)
def smooth_l1_slope(grad_output: Any, self: Any, target: Any, reduction: str, beta: float) -> Any:
    self, target = alike(self, target)
    slope = np.clip((self - target) / beta, -1, 1)
    slope *= grad_output * part_of(self.shape, reduction)
    return slope


@kernel_of(plain.huber_loss_backward)
def huber_slope(grad_output: Any, self: Any, target: Any, reduction: str, delta: float) -> Any:
    slope = np.clip(self - target, -delta, delta)
    slope *= grad_output * part_of(self.shape, reduction)
    return slope


def places_of(target: Any, rows: Any, weight: Any, ignore_index: int) -> tuple[Any, Any]:
    """Where in the flattened `rows` the right classes are, one place an example, and the weights of
    the examples, 0 for those that are ignored; None if each counts 1.
    """
    shape, classes, examples = rows.shape, target.reshape(-1), np.arange(len(rows))
    if weight is None and not 0 <= ignore_index < shape[1]:
        # It refuses classes that do not exist, in half the time of looking for the smallest and the
        # largest; and `take` and `put` with places are faster than an index with two arrays.
        try:
            return np.ravel_multi_index((examples, classes), shape), None
        except ValueError:  # a class does not exist: it may be the one to ignore
            pass
    places, weights = plain.places_of(target, rows, weight, ignore_index)
    return np.ravel_multi_index(places, shape), weights


@kernel_of(plain.nll_loss)
@kernel_of(plain.nll_loss2d)
def nll(self: Any, target: Any, weight: Any, reduction: str, ignore_index: int) -> Any:
    """Minus the scores at the places of the classes, times their weights"""
    rows = in_rows(self)
    places, weights = places_of(target, rows, weight, ignore_index)
    losses = -rows.take(places)
    if weights is not None:
        losses *= weights
        losses[target.reshape(-1) == ignore_index] = 0  # even if the score is infinite
        if reduction == "mean":
            return np.add.reduce(losses) / np.add.reduce(weights)
    return reduced(losses.reshape(target.shape), reduction)


@kernel_of(plain.nll_loss_backward)
@kernel_of(plain.nll_loss2d_backward)
def nll_backward(
    self: Any, input: Any, target: Any, weight: Any, reduction: str, ignore_index: int
) -> Any:
    """Minus the weights at the places of the classes, times the gradient `self` of the loss"""
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
