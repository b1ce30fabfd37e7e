"""Initialization of parameters: each function fills a tensor in place under no_grad and returns it.

To keep the variance of activations and gradients the same from layer to layer, the standard
deviation of a weight has to depend on how many inputs each output sums over (fan_in) and on how
many outputs each input contributes to (fan_out).

Source: https://docs.pytorch.org/docs/2.13/nn.init.html
"""

from __future__ import annotations

import math

from ..core.grad_mode import no_grad
from ..core.tensor import Tensor
from ..support.errors import warn
from ..support.missing import public_names
from ..support.random import Generator

__all__ = [
    "calculate_gain", "constant_", "kaiming_normal_", "kaiming_uniform_", "normal_", "ones_",
    "uniform_", "xavier_normal_", "xavier_uniform_", "zeros_",
]  # fmt: skip

_GAINS = {"sigmoid": 1, "tanh": 5 / 3, "relu": math.sqrt(2.0), "selu": 3 / 4}
_LINEAR = ("linear", "conv1d", "conv2d", "conv3d")


def uniform_(
    tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Uniform random numbers from [a, b). RuntimeError if b is less than a."""
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Normally distributed random numbers. RuntimeError for a negative std."""
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def constant_(tensor: Tensor, val: float) -> Tensor:
    """`val` everywhere."""
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Ones."""
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Zeros."""
    return constant_(tensor, 0.0)


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """How many inputs an output has, and how many outputs an input has. ValueError below 2-D."""
    if tensor.ndim < 2:
        raise ValueError(
            "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions"
        )
    outputs, inputs, *kernel = tensor.shape
    return inputs * math.prod(kernel), outputs * math.prod(kernel)


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """The gain that makes up for the variance that a nonlinearity takes away.

    Args:
        nonlinearity: "linear", "conv2d", "sigmoid", "tanh", "relu", "leaky_relu" or "selu".
        param: the negative slope of "leaky_relu", by default 0.01.
    """
    if nonlinearity in _LINEAR:
        return 1
    if nonlinearity == "leaky_relu":
        if isinstance(param, bool) or not (param is None or isinstance(param, (int, float))):
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + (0.01 if param is None else param) ** 2))
    if nonlinearity not in _GAINS:
        raise ValueError(f"Unsupported nonlinearity {nonlinearity}")
    return _GAINS[nonlinearity]


def _xavier_std(tensor: Tensor, gain: float) -> float:
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return gain * math.sqrt(2.0 / (fan_in + fan_out))


def xavier_uniform_(
    tensor: Tensor, gain: float = 1.0, generator: Generator | None = None
) -> Tensor:
    """Uniform random numbers of variance gain² · 2 / (fan_in + fan_out).

    This is a compromise between the forward pass, which needs 1 / fan_in, and the backward pass,
    which needs 1 / fan_out.
    """
    bound = math.sqrt(3.0) * _xavier_std(tensor, gain)
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Generator | None = None) -> Tensor:
    """Normally distributed random numbers with the variance of `xavier_uniform_`."""
    return normal_(tensor, 0.0, _xavier_std(tensor, gain), generator)


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan_in if mode == "fan_in" else fan_out)


def _is_empty(tensor: Tensor) -> bool:
    """Whether there are no elements, with PyTorch's warning; the fan could be 0."""
    if tensor.numel() == 0:
        warn("Initializing zero-element tensors is a no-op")
    return tensor.numel() == 0


def kaiming_uniform_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Uniform random numbers of variance gain² / fan, for (leaky) ReLUs of slope `a`."""
    if _is_empty(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor,
    a: float = 0,
    mode: str = "fan_in",
    nonlinearity: str = "leaky_relu",
    generator: Generator | None = None,
) -> Tensor:
    """Normally distributed random numbers with the variance of `kaiming_uniform_`."""
    if _is_empty(tensor):
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


__getattr__, __dir__ = public_names(__name__, __all__)
