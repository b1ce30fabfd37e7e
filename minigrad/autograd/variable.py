"""`Variable`, which old programs wrap around tensors; since PyTorch 0.4 it returns a tensor."""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor


class VariableMeta(type):
    """Makes every tensor an instance of `Variable`."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, Tensor)


class Variable(metaclass=VariableMeta):
    """`Variable(x, requires_grad=True)`: a new leaf that shares the memory of `x`."""

    def __new__(cls, data: Any, requires_grad: bool = False) -> Any:
        if not isinstance(data, Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        return data.detach().requires_grad_(requires_grad)
