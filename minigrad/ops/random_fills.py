"""Filling a tensor with random numbers, and drawing with given probabilities.

Source: https://docs.pytorch.org/docs/2.13/torch.html#random-sampling
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from ..rows.declarations import export
from ..rows.silence import silent
from ..support.random import Generator, stream_of
from .elementwise import zeros_like
from .functions import floating
from .shapes import expand


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
    if not ((self >= 0) & (self <= 1)).all():
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message"
            " be improved?  If so, please report an enhancement request to PyTorch.)"
        )
    return (stream_of(generator).uniform(self.shape, dtype) < self).astype(dtype)


bernoulli_row = op("bernoulli", bernoulli_kernel, self=lambda grad: zeros_like(grad))


@export()
def bernoulli(input: Tensor, *, generator: Generator | None = None) -> Tensor:
    """Random ones and zeros; each element of `input` is the probability of a one."""
    return bernoulli_row(input, generator)


def flips_kernel(self: Any, p: float, generator: Generator | None) -> Any:
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    return stream_of(generator).bernoulli(p, self.shape).astype(self.dtype)


flips = op("bernoulli", flips_kernel, node="BernoulliBackward2", self=lambda grad: zeros_like(grad))
flips_by_tensor = op(
    "bernoulli",
    lambda self, p, generator: bernoulli_kernel(p, generator).astype(self.dtype),
    node="BernoulliBackward1",
    tensor_args=("p",),
    self=lambda grad: zeros_like(grad),
)


@export(name="bernoulli", only="in-place")
def flip_coins(self: Tensor, p: Any = 0.5, *, generator: Generator | None = None) -> Tensor:
    """Random ones and zeros; `p` is the probability of a one, or a tensor of them.

    RuntimeError unless 0 <= p <= 1.
    """
    if isinstance(p, Tensor):
        return flips_by_tensor(self, expand(p.detach(), self.shape), generator)
    return flips(self, p, generator)


def check_probabilities(weights: Any, one_by_one: bool) -> None:
    """RuntimeError for negative or infinite weights, or none at all."""
    entry = "" if (weights >= 0).all() else "< 0"
    entry = entry or ("" if np.isfinite(weights).all() else "= infinity or NaN")
    wrong = "invalid multinomial distribution"
    if entry and not one_by_one:
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if entry:
        raise RuntimeError(f"{wrong} (encountering probability entry {entry})")
    if not weights.sum(-1).all():
        raise RuntimeError(f"{wrong} (sum of probabilities <= 0)")


@export()
@silent
def multinomial(
    input: Tensor,
    num_samples: int,
    replacement: bool = False,
    *,
    generator: Generator | None = None,
) -> Tensor:
    """Indices drawn with the probabilities in each row of `input`, which need not add up to 1.

    Shapes: (n) → (num_samples), (m, n) → (m, num_samples), of dtype int64.

    Raises:
        RuntimeError: no samples, or more than there are without replacement; an `input` that is
            not floating point, has not one or two dimensions, or holds no probabilities.
    """
    weights = input._data
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if weights.dtype.kind != "f":
        raise RuntimeError(
            "multinomial only supports floating-point dtypes for input, got:"
            f" {input.dtype.legacy}"
        )
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError(
            "cannot sample n_sample > prob_dist.size(-1) samples without replacement"
        )
    one_by_one = replacement and num_samples > 1
    check_probabilities(weights, one_by_one)
    stream = stream_of(generator)
    if one_by_one:
        ends = np.cumsum(weights, -1)
        ends /= ends[..., -1:]
        drawn = stream.fractions(ends[..., 0].size * num_samples, np.dtype(np.float64))
        rows = zip(ends.reshape(-1, ends.shape[-1]), drawn.reshape(-1, num_samples), strict=True)
        found = np.array([np.searchsorted(*row) for row in rows], np.int64)
    else:  # the largest ones after a division by exponentially distributed numbers
        scores = weights / stream.exponential(weights.shape, weights.dtype)
        found = np.argsort(-scores, -1, kind="stable")[..., :num_samples]
    return new_tensor(np.ascontiguousarray(found.reshape(*weights.shape[:-1], num_samples)))
