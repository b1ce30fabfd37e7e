"""How support recognizes a tensor, whose class it cannot import."""

from __future__ import annotations

from typing import Any


def is_tensor(value: Any) -> bool:
    """Whether `value` is a tensor of this library, which is to say that it holds an array."""
    return hasattr(value, "_data")
