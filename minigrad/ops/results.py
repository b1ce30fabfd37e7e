"""What operations with several named results return: PyTorch's `torch.return_types`."""

from __future__ import annotations

import collections
from typing import Any


def return_type(name: str, *fields: str) -> Any:
    """A tuple with named fields, which prints as `torch.return_types.<name>` does."""

    def written(self: Any) -> str:
        values = ",\n".join(f"{field}={getattr(self, field)!r}" for field in fields)
        return f"torch.return_types.{name}(\n{values})"

    base = collections.namedtuple(name, fields)  # type: ignore[misc]
    return type(
        name, (base,), {"__repr__": written, "__module__": "torch.return_types", "__slots__": ()}
    )
