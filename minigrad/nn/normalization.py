"""Normalization layers, with the running statistics that batch normalization evaluates with.

Source: https://docs.pytorch.org/docs/2.13/nn.html#normalization-layers
"""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from ..ops import creation
from ..support.dtypes import dtype, int64
from . import functional, init
from .module import Module
from .parameter import Parameter


class _Affine(Module):
    """Base class of normalization layers: an optional weight and an optional bias."""

    weight: Parameter | None
    bias: Parameter | None

    def _create_parameters(
        self, shape: Any, weight: bool, bias: bool, device: Any, kind: dtype | None
    ) -> None:
        for name, exists in (("weight", weight), ("bias", weight and bias)):
            value = Parameter(creation.empty(shape, device=device, dtype=kind)) if exists else None
            self.register_parameter(name, value)

    def reset_parameters(self) -> None:
        """Set the weight to 1 and the bias to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class _BatchNorm(_Affine):
    """Normalize each channel to mean 0 and variance 1, then apply `weight` and `bias`.

    While training it uses the statistics of the batch and updates the running statistics, which are
    buffers; after `eval()` it uses the running statistics. With a `momentum` of None these are the
    average over all batches so far. Without `affine` there is no weight and no bias. Without
    `track_running_stats` there are no running statistics, so it always uses those of the batch.

    Shapes: input (N, num_features, …), parameters and running statistics (num_features).
    """

    _dims: tuple[int, ...] = ()  # that an input may have
    running_mean: Tensor | None
    running_var: Tensor | None
    num_batches_tracked: Tensor | None

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Any = None,
        dtype: dtype | None = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        self._create_parameters(num_features, affine, bias, device, dtype)
        for name, shape, kind in (
            ("running_mean", num_features, dtype),
            ("running_var", num_features, dtype),
            ("num_batches_tracked", (), int64),
        ):
            value = creation.zeros(shape, device=device, dtype=kind)
            self.register_buffer(name, value if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Reset the running statistics to mean 0, variance 1 and no batches."""
        if self.track_running_stats:
            self.running_mean.zero_()  # type: ignore[union-attr]
            self.running_var.fill_(1)  # type: ignore[union-attr]
            self.num_batches_tracked.zero_()  # type: ignore[union-attr]

    def reset_parameters(self) -> None:
        """Reset the running statistics, the weight and the bias."""
        self.reset_running_stats()
        super().reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        if input.ndim not in self._dims:
            expected = " or ".join(f"{dim}D" for dim in self._dims)
            raise ValueError(f"expected {expected} input (got {input.ndim}D input)")
        has_stats = not self.training or self.track_running_stats
        return functional.batch_norm(
            input,
            self.running_mean if has_stats else None,
            self.running_var if has_stats else None,
            self.weight,
            self.bias,
            self.training or (self.running_mean is None and self.running_var is None),
            self._next_momentum(),
            self.eps,
        )

    def _next_momentum(self) -> float:
        """Count the batch; returns how far the running statistics move toward its statistics."""
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                return 1 / self.num_batches_tracked.item()
        return 0.0 if self.momentum is None else self.momentum

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalization of vectors (N, C) or sequences (N, C, L)."""

    _dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalization of images (N, C, H, W)."""

    _dims = (4,)


class LayerNorm(_Affine):
    """Normalize each example over its last dimensions, then apply `weight` and `bias`.

    Shapes: input (…, *normalized_shape), parameters normalized_shape.
    """

    def __init__(
        self,
        normalized_shape: int | list[int] | tuple[int, ...],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Any = None,
        dtype: dtype | None = None,
    ) -> None:
        super().__init__()
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else normalized_shape
        self.normalized_shape, self.eps = tuple(shape), eps
        self.elementwise_affine = elementwise_affine
        self._create_parameters(self.normalized_shape, elementwise_affine, bias, device, dtype)
        self.reset_parameters()

    def forward(self, input: Tensor) -> Tensor:
        return functional.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        return (
            f"{self.normalized_shape}, eps={self.eps}, "
            f"elementwise_affine={self.elementwise_affine}, bias={self.bias is not None}"
        )
