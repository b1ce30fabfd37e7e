"""How the helpers recognize a tensor, whose class they cannot import."""

from __future__ import annotations

from typing import Any


def is_tensor(value: Any) -> bool:
    """Whether `value` is a tensor of this library, which we recognize by its `_data` attribute."""
    return hasattr(value, "_data")
