"""Activations: the nonlinear functions between layers, as modules.

With `inplace=True` the result overwrites the input.

Source: https://docs.pytorch.org/docs/2.13/nn.html#non-linear-activations-weighted-sum-nonlinearity
"""

from __future__ import annotations

from . import functional
from .layers import Stateless


class Tanh(Stateless):
    """`tanh(input)`: from -1 to 1."""

    _function = staticmethod(functional.tanh)


class Sigmoid(Stateless):
    """`1 / (1 + exp(-input))`: from 0 to 1."""

    _function = staticmethod(functional.sigmoid)


class LogSigmoid(Stateless):
    """`log(sigmoid(input))`, computed so that it is accurate where the sigmoid is close to 0."""

    _function = staticmethod(functional.logsigmoid)


class GELU(Stateless):
    """`input` times the probability that a standard normal variable is below it."""

    _function, _options = staticmethod(functional.gelu), ("approximate",)

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate


class ReLU(Stateless):
    """`max(input, 0)`."""

    _function, _options = staticmethod(functional.relu), ("inplace",)

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class SiLU(Stateless):
    """`input * sigmoid(input)`."""

    _function, _options = staticmethod(functional.silu), ("inplace",)

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class LeakyReLU(Stateless):
    """The input where it is positive, and `negative_slope * input` elsewhere."""

    _function, _options = staticmethod(functional.leaky_relu), ("negative_slope", "inplace")

    def __init__(self, negative_slope: float = 1e-2, inplace: bool = False) -> None:
        super().__init__()
        self.negative_slope, self.inplace = negative_slope, inplace


class ELU(Stateless):
    """The input where it is positive, and `alpha * (exp(input) - 1)` elsewhere."""

    _function, _options = staticmethod(functional.elu), ("alpha", "inplace")

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        self.alpha, self.inplace = alpha, inplace


class Hardtanh(Stateless):
    """The input, clamped to the range from min_val to max_val.

    AssertionError unless max_val is greater than min_val.
    """

    _function, _options = staticmethod(functional.hardtanh), ("min_val", "max_val", "inplace")

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        if not max_val > min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self.min_val, self.max_val, self.inplace = min_val, max_val, inplace


class Softplus(Stateless):
    """`log(1 + exp(beta * input)) / beta`, or the input itself where beta * input > threshold."""

    _function, _options = staticmethod(functional.softplus), ("beta", "threshold")

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta, self.threshold = beta, threshold


class Softmax(Stateless):
    """`exp(input)`, normalized so that the elements along `dim` add up to 1."""

    _function, _options = staticmethod(functional.softmax), ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim


class LogSoftmax(Stateless):
    """The logarithm of `Softmax`, computed so that it is accurate where that is close to 0."""

    _function, _options = staticmethod(functional.log_softmax), ("dim",)

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim
