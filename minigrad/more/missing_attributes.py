"""Attributes of tensors that are not there: the error says so if PyTorch has them."""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from ..support.methods import method_of
from ..support.missing import no_attribute


@method_of(Tensor, "__getattr__")
def missing_attribute(self: Tensor, name: str) -> Any:
    """`Tensor.__getattr__`: Python asks it for what it has not found."""
    raise no_attribute(f"'{type(self).__name__}' object", "torch.Tensor", self, name)
