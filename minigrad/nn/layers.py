"""Layers, with and without parameters.

Source: https://docs.pytorch.org/docs/2.13/nn.html
"""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable
from typing import Any

from ..core.grad_mode import no_grad
from ..core.tensor import Tensor
from ..ops import creation
from ..support.dtypes import dtype
from . import functional, init
from .checks import check_probability
from .module import Module
from .parameter import Parameter

Pair = int | tuple[int, int]
Lengths = int | tuple[int, ...]


def lengths(value: Lengths, dims: int) -> tuple[int, ...]:
    """`value` as a tuple with an entry for each of `dims` dimensions."""
    return (value,) * dims if isinstance(value, int) else tuple(value)


class Layer(Module):
    """Base class of layers that share code.

    Each gets its own copy of the functions `_own`, so that Python's argument errors name it.
    """

    _own: tuple[str, ...] = ("__init__", "forward")

    def __init_subclass__(cls) -> None:
        if cls.__module__.partition(".")[0] != __name__.partition(".")[0]:
            return  # the user's own class
        for name in set(cls._own) - vars(cls).keys():
            shared: Any = getattr(cls, name)
            code, closure = shared.__code__, shared.__closure__
            own = types.FunctionType(code, shared.__globals__, closure=closure)
            functools.update_wrapper(own, shared).__qualname__ = f"{cls.__name__}.{name}"
            own.__defaults__, own.__kwdefaults__ = shared.__defaults__, shared.__kwdefaults__
            setattr(cls, name, own)


class Stateless(Layer):
    """`function(input, **options)`; the options are attributes, and the repr shows them."""

    _function: Callable[..., Any]
    _options: tuple[str, ...] = ()

    def forward(self, input: Tensor) -> Any:
        options = {name: getattr(self, name) for name in self._options}
        return type(self)._function(input, **options)

    def extra_repr(self) -> str:
        given = {name: getattr(self, name) for name in self._options}
        if not given.get("inplace", True):
            del given["inplace"]
        return ", ".join(f"{name}={value!r}" for name, value in given.items())


class WeightAndBias(Layer):
    """Base class of `Linear` and the convolutions: a weight, a bias and their initialization.

    Weight and bias are drawn uniformly from ±1/√fan_in, where fan_in is how many inputs each output
    sums over.
    """

    weight: Parameter
    bias: Parameter | None

    def _create_parameters(
        self, shape: tuple[int, ...], bias: bool, device: Any, kind: dtype | None
    ) -> None:
        """Create and initialize the parameters: a weight of this shape, and one bias per output."""
        options = {"device": device, "dtype": kind}
        self.weight = Parameter(creation.empty(shape, **options))
        self.register_parameter(
            "bias", Parameter(creation.empty(shape[0], **options)) if bias else None
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the parameters again."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in = init._calculate_fan_in_and_fan_out(self.weight)[0]
            bound = 1 / math.sqrt(fan_in) if fan_in else 0.0
            init.uniform_(self.bias, -bound, bound)


class Linear(WeightAndBias):
    """`input @ weight.T + bias`.

    Shapes: weight (out_features, in_features), bias (out_features), input (…, in_features).
    """

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: dtype | None = None,
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        self._create_parameters((out_features, in_features), bias, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Convolution(WeightAndBias):
    """Cross-correlation of the input with filters of size kernel_size, and a bias.

    Shapes: weight (out_channels, in_channels / groups, *kernel_size), bias (out_channels), input
    (…, in_channels, height, width), or (…, in_channels, length) in one dimension.

    Raises:
        ValueError: numbers of channels that `groups` does not divide, a padding string other than
            "valid" and "same", or "same" with a stride above 1.
    """

    _dims = 2

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Lengths,
        stride: Lengths = 1,
        padding: Lengths | str = 0,
        dilation: Lengths = 1,
        groups: int = 1,
        bias: bool = True,
        *,
        device: Any = None,
        dtype: dtype | None = None,
    ) -> None:
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        super().__init__()
        self.in_channels, self.out_channels, self.groups = in_channels, out_channels, groups
        self.kernel_size = lengths(kernel_size, self._dims)
        self.stride, self.dilation = lengths(stride, self._dims), lengths(dilation, self._dims)
        if isinstance(padding, str):
            self.padding: Any = self._check_padding(padding)
        else:
            self.padding = lengths(padding, self._dims)
        shape = (out_channels, in_channels // groups, *self.kernel_size)
        self._create_parameters(shape, bias, device, dtype)

    def _check_padding(self, padding: str) -> str:
        if padding not in ("valid", "same"):
            raise ValueError(
                f"Invalid padding string {padding!r}, should be one of {{'valid', 'same'}}"
            )
        if padding == "same" and max(self.stride) > 1:
            raise ValueError("padding='same' is not supported for strided convolutions")
        return padding

    def forward(self, input: Tensor) -> Tensor:
        convolve = functional.conv1d if self._dims == 1 else functional.conv2d
        return convolve(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )

    def extra_repr(self) -> str:
        parts = [
            f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}",
            f"stride={self.stride}",
        ]
        if self.padding != (0,) * self._dims:
            parts.append(f"padding={self.padding}")
        if self.dilation != (1,) * self._dims:
            parts.append(f"dilation={self.dilation}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        return ", ".join(parts)


class Conv1d(Convolution):
    """Convolution of sequences."""

    _dims = 1


class Conv2d(Convolution):
    """Convolution of images."""


class Embedding(Module):
    """A lookup table: a row of the weight for each index. The row `padding_idx` stays at zero.

    Shapes: weight (num_embeddings, embedding_dim), input (…) of integers.
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        *,
        device: Any = None,
        dtype: dtype | None = None,
    ) -> None:
        super().__init__()
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise AssertionError("Padding_idx must be within num_embeddings")
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        shape = (num_embeddings, embedding_dim)
        self.weight = Parameter(creation.empty(shape, device=device, dtype=dtype))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Initialize the parameters again."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        return functional.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class MaxPool2d(Stateless):
    """The largest element of each window; by default the windows do not overlap."""

    _function = staticmethod(functional.max_pool2d)
    _options = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")

    def __init__(
        self,
        kernel_size: Pair,
        stride: Pair | None = None,
        padding: Pair = 0,
        dilation: Pair = 1,
        *,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size, self.padding, self.dilation = kernel_size, padding, dilation
        self.stride = kernel_size if stride is None else stride
        self.ceil_mode = ceil_mode


class AvgPool2d(Stateless):
    """The mean of each window; by default the windows do not overlap."""

    _function = staticmethod(functional.avg_pool2d)
    _options = ("kernel_size", "stride", "padding")

    def __init__(self, kernel_size: Pair, stride: Pair | None = None, padding: Pair = 0) -> None:
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride


class Flatten(Module):
    """Flatten the dimensions from start_dim to end_dim; by default all but the batch dimension."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Dropout(Module):
    """While training, set each element to zero with probability p and divide the others by 1 - p.

    After `eval()` it returns the input. ValueError unless 0 <= p <= 1.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        check_probability(p)
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return functional.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout2d(Dropout):
    """`Dropout` of whole channels of images (N, C, H, W)."""

    def forward(self, input: Tensor) -> Tensor:
        return functional.dropout2d(input, self.p, self.training, self.inplace)


class Identity(Module):
    """Returns its input. A placeholder for another module, so it accepts any arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input
