"""`minigrad.utils`: `data` for training, `checkpoint` to save memory, the handles of hooks."""

from . import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks"]
