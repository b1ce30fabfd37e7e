"""What operations with several named results return: PyTorch's `torch.return_types`."""

from __future__ import annotations

from operator import itemgetter
from typing import Any


def return_type(name: str, *fields: str) -> Any:
    """A tuple with named fields, made of a sequence; prints as `torch.return_types.<name>` does.

    PyTorch's are no namedtuples either: they have no `_fields`.
    """

    def written(self: Any) -> str:
        values = ",\n".join(f"{field}={getattr(self, field)!r}" for field in fields)
        return f"torch.return_types.{name}(\n{values})"

    named = {field: property(itemgetter(index)) for index, field in enumerate(fields)}
    described = {"__repr__": written, "__module__": "torch.return_types", "__slots__": ()}
    return type(name, (tuple,), {**named, **described})
