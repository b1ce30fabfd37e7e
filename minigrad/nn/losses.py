"""Losses, which measure how far the output is from the target, as modules.

`reduction` says how to combine the losses of the elements: "mean", "sum", or "none" to keep them
separate. A `weight` is a buffer, so it is part of the state but is not trained.

Source: https://docs.pytorch.org/docs/2.13/nn.html#loss-functions
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.tensor import Tensor
from ..support.errors import warn
from . import functional
from .layers import Layer


def reduction_of(size_average: Any, reduce: Any, reduction: str) -> str:
    """The reduction, which the deprecated `size_average` and `reduce` override if one is given."""
    if size_average is None and reduce is None:
        return reduction
    reduces = reduce is None or reduce
    averages = (size_average is None or size_average) and reduces
    name = "mean" if averages else "sum" if reduces else "none"
    warn(f"size_average and reduce args will be deprecated, please use reduction='{name}' instead.")
    return name


class _Loss(Layer):
    """`function(input, target, **options)`; the options are attributes.

    `size_average` and `reduce` are deprecated. They stay the first parameters, as in PyTorch, so
    `MSELoss(output, target)` raises the error about the truth value of a tensor.
    """

    _own = ("forward",)
    _function: Callable[..., Any]
    _options: tuple[str, ...] = ("reduction",)

    def __init__(
        self, size_average: Any = None, reduce: Any = None, reduction: str = "mean"
    ) -> None:
        super().__init__()
        self.reduction = reduction_of(size_average, reduce, reduction)

    def forward(self, input: Tensor, target: Tensor) -> Any:
        options = {name: getattr(self, name) for name in self._options}
        return type(self)._function(input, target, **options)


class _WeightedLoss(_Loss):
    """Base class of losses with a weight for each class or element."""

    _options: tuple[str, ...] = ("weight", "reduction")
    weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class MSELoss(_Loss):
    """`(input - target) ** 2`."""

    _function = staticmethod(functional.mse_loss)


class L1Loss(_Loss):
    """`abs(input - target)`."""

    _function = staticmethod(functional.l1_loss)


class SmoothL1Loss(_Loss):
    """d² / (2 beta) for differences d below beta, and |d| - beta / 2 above."""

    _function = staticmethod(functional.smooth_l1_loss)
    _options = ("reduction", "beta")

    def __init__(
        self,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
        beta: float = 1.0,
    ) -> None:
        super().__init__(size_average, reduce, reduction)
        self.beta = beta


class HuberLoss(_Loss):
    """d² / 2 for differences d up to delta, and delta (|d| - delta / 2) above."""

    _function = staticmethod(functional.huber_loss)
    _options = ("reduction", "delta")

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta


class NLLLoss(_WeightedLoss):
    """The negative log-likelihood of the target class; the input is the output of `LogSoftmax`.

    Shapes: input (N, C, …), target (N, …) of class indices, weight (C).
    """

    _function = staticmethod(functional.nll_loss)
    _options: tuple[str, ...] = ("weight", "ignore_index", "reduction")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index


class CrossEntropyLoss(NLLLoss):
    """`NLLLoss` of `LogSoftmax`; the input has a logit for each class.

    Shapes: input (N, C, …), target (N, …) of class indices or (N, C, …) of probabilities, weight
    (C).
    """

    _function = staticmethod(functional.cross_entropy)
    _options = ("weight", "ignore_index", "reduction", "label_smoothing")

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        ignore_index: int = -100,
        reduce: Any = None,
        reduction: str = "mean",
        label_smoothing: float = 0.0,
    ) -> None:
        super().__init__(weight, size_average, ignore_index, reduce, reduction)
        self.label_smoothing = label_smoothing


class BCELoss(_WeightedLoss):
    """Binary cross entropy for targets between 0 and 1; the input is the probability of 1."""

    _function = staticmethod(functional.binary_cross_entropy)


class BCEWithLogitsLoss(_WeightedLoss):
    """`BCELoss` of `Sigmoid`, numerically stable; pos_weight multiplies the positive term."""

    _function = staticmethod(functional.binary_cross_entropy_with_logits)
    _options = ("weight", "reduction", "pos_weight")

    pos_weight: Tensor | None

    def __init__(
        self,
        weight: Tensor | None = None,
        size_average: Any = None,
        reduce: Any = None,
        reduction: str = "mean",
        pos_weight: Tensor | None = None,
    ) -> None:
        super().__init__(weight, size_average, reduce, reduction)
        self.register_buffer("pos_weight", pos_weight)
