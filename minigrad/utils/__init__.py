"""`minigrad.utils`: data loading, checkpointing to save memory, and the handles of hooks."""

from ..support.missing import public_names
from . import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks"]

__getattr__, __dir__ = public_names(__name__, __all__)
