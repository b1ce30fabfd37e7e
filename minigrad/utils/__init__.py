"""`minigrad.utils`: `data` for training, `checkpoint` to save memory, the handles of hooks."""

from ..support.missing import missing_from
from . import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks"]

__getattr__ = missing_from(__name__)
