"""`minigrad.nn`: parameters, and the linear layer.

A `Parameter` is a leaf that requires grad and that a `Module` finds among its attributes.

Source: https://docs.pytorch.org/docs/2.13/nn.html
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .. import creation
from ..tensor import Tensor
from . import functional

__all__ = ["Linear", "Module", "Parameter", "functional"]


class Parameter(Tensor):
    """A tensor to be trained: a leaf that requires grad unless told otherwise."""

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        source = creation.empty(0) if data is None else data.detach()
        parameter = source.as_subclass(cls)
        assert isinstance(parameter, Parameter)
        parameter.requires_grad = requires_grad
        return parameter

    def __repr__(self) -> str:
        return "Parameter containing:\n" + self._text("tensor(")


class Module:
    """Base class of layers: finds its parameters, and those of the modules it is made of."""

    def named_parameters(self, prefix: str = "") -> Iterator[tuple[str, Parameter]]:
        """The parameters with their dotted names, in the order they were assigned."""
        for name, value in vars(self).items():
            if isinstance(value, Parameter):
                yield prefix + name, value
        for name, value in vars(self).items():
            if isinstance(value, Module):
                yield from value.named_parameters(f"{prefix}{name}.")

    def parameters(self) -> Iterator[Parameter]:
        """The parameters of this module and of all modules in it."""
        return (parameter for _, parameter in self.named_parameters())

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or set them to zero."""
        for parameter in self.parameters():
            if set_to_none:
                parameter.grad = None
            elif parameter._grad is not None:
                parameter._grad.detach_().zero_()

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function'
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)


class Linear(Module):
    """`x @ weight.T + bias`, with both drawn evenly from ±1/√in_features.

    Shapes: weight (out_features, in_features), bias (out_features), x (…, in_features).
    """

    def __init__(self, in_features: int, out_features: int, bias: bool = True) -> None:
        self.in_features, self.out_features = in_features, out_features
        limit = 1 / math.sqrt(in_features) if in_features else 0.0
        self.weight = Parameter((creation.rand(out_features, in_features) * 2 - 1) * limit)
        self.bias = Parameter((creation.rand(out_features) * 2 - 1) * limit) if bias else None

    def forward(self, input: Tensor) -> Tensor:
        return functional.linear(input, self.weight, self.bias)

    def __repr__(self) -> str:
        return (
            f"Linear(in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None})"
        )
