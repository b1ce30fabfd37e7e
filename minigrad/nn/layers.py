"""Layers: what carries parameters, and what stands between layers that do.

Source: https://docs.pytorch.org/docs/2.13/nn.html
"""

from __future__ import annotations

import functools
import math
import types
from typing import Any

from ..core.grad_mode import no_grad
from ..core.tensor import Tensor
from ..ops import creation
from ..support.dtypes import dtype
from . import functional, init
from .module import Module
from .parameter import Parameter

Pair = int | tuple[int, int]
Lengths = int | tuple[int, ...]


def lengths(value: Lengths, dims: int) -> tuple[int, ...]:
    """One number for each of `dims` dimensions, or one for all."""
    return (value,) * dims if isinstance(value, int) else tuple(value)


class WeightAndBias(Module):
    """What `Linear` and `Conv2d` share: a weight and a bias of certain shapes, and first values.

    Weight and bias are drawn evenly from ±1/√fan_in, fan_in being the number of inputs of an
    output.
    """

    weight: Parameter
    bias: Parameter | None

    def _make(self, shape: tuple[int, ...], bias: bool, device: Any, kind: dtype | None) -> None:
        """The parameters: the weight of this shape, the bias with one number an output."""
        options = {"device": device, "dtype": kind}
        self.weight = Parameter(creation.empty(shape, **options))
        self.register_parameter(
            "bias", Parameter(creation.empty(shape[0], **options)) if bias else None
        )
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new first values."""
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
        self._make((out_features, in_features), bias, device, dtype)

    def forward(self, input: Tensor) -> Tensor:
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class Convolution(WeightAndBias):
    """A weight of kernel_size moved over the input; each output is the sum of products there.

    Shapes: weight (out_channels, in_channels / groups, *kernel_size), bias (out_channels), input
    (…, in_channels, height, width), or of sequences (…, in_channels, length).

    Raises:
        ValueError: channels that do not divide into groups, or a padding that is no number, nor
            "valid", nor "same" at stride 1.
    """

    _dims = 2

    def __init_subclass__(cls) -> None:
        """Let Python's own errors about arguments name the class that was called."""
        if "__init__" not in vars(cls):
            init: Any = Convolution.__init__
            own = types.FunctionType(init.__code__, init.__globals__, closure=init.__closure__)
            functools.update_wrapper(own, init).__qualname__ = f"{cls.__name__}.__init__"
            own.__defaults__, own.__kwdefaults__ = init.__defaults__, init.__kwdefaults__
            cls.__init__ = own  # type: ignore[method-assign]

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
        self.padding = (
            self._checked(padding) if isinstance(padding, str) else lengths(padding, self._dims)
        )
        self._make((out_channels, in_channels // groups, *self.kernel_size), bias, device, dtype)

    def _checked(self, padding: str) -> str:
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
    """`Convolution` of sequences."""

    _dims = 1


class Conv2d(Convolution):
    """`Convolution` of images."""


class Embedding(Module):
    """A row of the weight for every index; that of `padding_idx` starts at 0 and stays.

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
        """Draw new first values."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            with no_grad():
                self.weight[self.padding_idx].fill_(0)

    def forward(self, input: Tensor) -> Tensor:
        return functional.embedding(input, self.weight, self.padding_idx)

    def extra_repr(self) -> str:
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{self.num_embeddings}, {self.embedding_dim}{padding}"


class MaxPool2d(Module):
    """The largest element of each window of kernel_size; by default the windows do not overlap."""

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

    def forward(self, input: Tensor) -> Tensor:
        windows = self.kernel_size, self.stride, self.padding, self.dilation
        pooled: Tensor = functional.max_pool2d(input, *windows, ceil_mode=self.ceil_mode)
        return pooled

    def extra_repr(self) -> str:
        return (
            f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
            f"dilation={self.dilation}, ceil_mode={self.ceil_mode}"
        )


class Flatten(Module):
    """The dimensions from start_dim to end_dim as one; by default all but that of the batch."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim, self.end_dim = start_dim, end_dim

    def forward(self, input: Tensor) -> Tensor:
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Dropout(Module):
    """While training, zero for each element with probability p, and 1/(1-p) times the others.

    After `eval()`, the input. ValueError unless p is a probability.
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if not 0 <= p <= 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p, self.inplace = p, inplace

    def forward(self, input: Tensor) -> Tensor:
        return functional.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Identity(Module):
    """The input, whatever the arguments: to stand where another module is left out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input
