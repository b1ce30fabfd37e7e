"""`Parameter`: a leaf for an optimizer to train.

Source: https://docs.pytorch.org/docs/2.13/generated/torch.nn.parameter.Parameter.html
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..core.tensor import Tensor
from ..ops import creation
from ..rare.subclasses import recast
from ..support import errors
from ..support.missing import public_names

__all__ = ["Parameter"]


class Parameter(Tensor):
    """A leaf that requires grad by default, and that a `Module` registers when it is assigned.

    It shares memory with `data`, like `data.detach()`, and operations on it return plain tensors.
    RuntimeError if it requires grad and is not floating point.
    """

    _class_of_results = Tensor

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        source = creation.empty(0) if data is None else data.detach()
        if requires_grad and not source.dtype.is_floating_point:
            raise errors.only_floats_require_grad()
        parameter = recast(source, cls)
        assert isinstance(parameter, Parameter)
        parameter.requires_grad = requires_grad
        return parameter

    def __deepcopy__(self, memo: dict[int, Any]) -> Parameter:
        # As in PyTorch, this copies only the values, not the gradient or other attributes.
        clone = memo[id(self)] = type(self)(self.data.clone(), self._requires_grad)
        return clone

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


def _zero_grads(parameters: Iterable[Tensor], set_to_none: bool) -> None:
    """Set every `.grad` to None, or fill it with zeros and detach it."""
    for parameter in parameters:
        if set_to_none:
            parameter._grad = None
        elif parameter._grad is not None:
            parameter._grad.detach_().zero_()


__getattr__, __dir__ = public_names(__name__, __all__)
