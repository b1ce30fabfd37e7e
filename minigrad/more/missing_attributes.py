"""Attributes that PyTorch's tensors have and these have not: the error says so."""

from __future__ import annotations

from typing import Any

from ..core.tensor import Tensor
from ..support.methods import method_of
from ..support.missing import names, no_attribute

PLACE = "torch.Tensor"


class Missing:
    """Stands in the class for an attribute that is not there: `hasattr` says no.

    A `__getattr__` would be shorter. But with one Python looks up all other attributes the slow
    way: an operation took a quarter longer.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, tensor: Tensor | None, cls: type) -> Any:
        if tensor is None:
            raise no_attribute(f"type object '{cls.__name__}'", PLACE, cls, self.name)
        raise no_attribute(f"'{cls.__name__}' object", PLACE, tensor, self.name)


# Operations that are made later put themselves over it. (To ask the class in between for each name
# would take milliseconds: every change makes Python forget what it knows of a class.)
for _name in {*names("NAMES", PLACE)} - {*dir(Tensor), *Tensor.__annotations__}:
    setattr(Tensor, _name, Missing(_name))


@method_of(Tensor, "__dir__")
def attribute_names(self: Tensor) -> list[str]:
    """`dir(tensor)`, where Python looks for the name that a user may have meant."""
    kinds = vars(Tensor)
    return [name for name in object.__dir__(self) if not isinstance(kinds.get(name), Missing)]
