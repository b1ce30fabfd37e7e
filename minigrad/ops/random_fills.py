"""Random numbers in place of the values of a tensor: `uniform_` and `normal_`.

Source: https://docs.pytorch.org/docs/2.13/torch.html#in-place-random-sampling
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import dtypes
from ..inplace import in_place
from ..random import Generator, stream_of
from .table import op


def floating(self: Any, name: str) -> np.dtype[Any]:
    """The dtype of `self`. NotImplementedError, with PyTorch's `name`, for integers and bools."""
    if self.dtype.kind != "f":
        kind = dtypes.from_numpy_dtype(self.dtype)
        raise NotImplementedError(f"\"{name}\" not implemented for '{kind.legacy}'")
    dtype: np.dtype[Any] = self.dtype
    return dtype


def uniform_kernel(self: Any, start: float, to: float, generator: Generator | None) -> Any:
    if start > to:
        raise RuntimeError(
            f"uniform_ expects to return a [from, to) range, but found from={start} > to={to}"
        )
    dtype = floating(self, "check_uniform_bounds")
    return stream_of(generator).uniform(self.shape, dtype, start, to)


def normal_kernel(self: Any, mean: float, std: float, generator: Generator | None) -> Any:
    if std < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std}")
    dtype = floating(self, "normal_kernel_cpu")
    return stream_of(generator).normal(self.shape, dtype, mean, std)


uniform = op(
    "uniform(self, start=0.0, to=1.0, *, generator=None)",
    uniform_kernel,
    self="zeros_like(grad)",
)
normal = op(
    "normal(self, mean=0.0, std=1.0, *, generator=None)",
    normal_kernel,
    self="zeros_like(grad)",
)


def bernoulli_kernel(self: Any, generator: Generator | None) -> Any:
    dtype = floating(self, "bernoulli_tensor_cpu_p_")
    return (stream_of(generator).uniform(self.shape, dtype) < self).astype(dtype)[()]


bernoulli = op(
    "bernoulli(self, *, generator=None)",
    bernoulli_kernel,
    self="zeros_like(grad)",
)

FUNCTIONS: dict[str, Any] = {"bernoulli": bernoulli}

METHODS = {"uniform_": in_place(uniform, "uniform_"), "normal_": in_place(normal, "normal_")}
