"""Filling a tensor with random numbers, with `uniform_` and `normal_`; and `bernoulli`.

Source: https://docs.pytorch.org/docs/2.13/torch.html#in-place-random-sampling
"""

from __future__ import annotations

from typing import Any

from ..core.operation import op
from ..core.tensor import Tensor
from ..rows.declarations import export
from ..support.random import Generator, stream_of
from .elementwise import zeros_like
from .functions import floating


def uniform_kernel(
    self: Any, start: float = 0.0, to: float = 1.0, generator: Generator | None = None
) -> Any:
    if start > to:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={start} > to={to}"
        )
    dtype = floating(self, "check_uniform_bounds").dtype
    return stream_of(generator).uniform(self.shape, dtype, start, to)


def normal_kernel(
    self: Any, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Any:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    dtype = floating(self, "normal_kernel_cpu").dtype
    return stream_of(generator).normal(self.shape, dtype, mean, std)


uniform = op("uniform", uniform_kernel, in_place=True, self=lambda grad: zeros_like(grad))
normal = op("normal", normal_kernel, in_place=True, self=lambda grad: zeros_like(grad))


def bernoulli_kernel(self: Any, generator: Generator | None) -> Any:
    dtype = floating(self, "bernoulli_tensor_cpu_p_").dtype
    return (stream_of(generator).uniform(self.shape, dtype) < self).astype(dtype)


bernoulli_row = op("bernoulli", bernoulli_kernel, self=lambda grad: zeros_like(grad))


@export()
def bernoulli(input: Tensor, *, generator: Generator | None = None) -> Tensor:
    """Random ones and zeros; each element of `input` is the probability of a one."""
    return bernoulli_row(input, generator)
