"""Random numbers in place of the values of a tensor: `uniform_` and `normal_`.

Source: https://docs.pytorch.org/docs/2.13/torch.html#in-place-random-sampling
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.inplace import in_place  # 11
from ..core.operation import op
from ..core.tensor import Tensor
from ..support import dtypes
from ..support.random import Generator, stream_of
from .elementwise import zeros_like


def floating(self: Any, name: str) -> np.dtype[Any]:
    """The dtype of `self`. NotImplementedError, with PyTorch's `name`, for integers and bools."""
    if self.dtype.kind != "f":
        kind = dtypes.from_numpy_dtype(self.dtype)
        raise NotImplementedError(f"\"{name}\" not implemented for '{kind.legacy}'")
    dtype: np.dtype[Any] = self.dtype
    return dtype


def uniform_kernel(
    self: Any, start: float = 0.0, to: float = 1.0, generator: Generator | None = None
) -> Any:
    if start > to:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={start} > to={to}"
        )
    dtype = floating(self, "check_uniform_bounds")
    return stream_of(generator).uniform(self.shape, dtype, start, to)


def normal_kernel(
    self: Any, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Any:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    dtype = floating(self, "normal_kernel_cpu")
    return stream_of(generator).normal(self.shape, dtype, mean, std)


uniform = op("uniform", uniform_kernel, self=lambda grad: zeros_like(grad))
normal = op("normal", normal_kernel, self=lambda grad: zeros_like(grad))


def bernoulli_kernel(self: Any, generator: Generator | None) -> Any:
    dtype = floating(self, "bernoulli_tensor_cpu_p_")
    return (stream_of(generator).uniform(self.shape, dtype) < self).astype(dtype)


bernoulli_ = op("bernoulli", bernoulli_kernel, self=lambda grad: zeros_like(grad))


def bernoulli(input: Tensor, *, generator: Generator | None = None) -> Tensor:
    """Ones and zeros: a one with the probability that stands in its place."""
    return bernoulli_(input, generator)


FUNCTIONS: dict[str, Any] = {"bernoulli": bernoulli}

METHODS: dict[str, Any] = {
    "uniform_": in_place(uniform, "uniform_"),  # 11
    "normal_": in_place(normal, "normal_"),  # 11
}
