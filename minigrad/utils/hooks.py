"""`minigrad.utils.hooks`: the handle that registering a hook returns."""

from ..support.hook_handles import RemovableHandle
from ..support.missing import public_names

__all__ = ["RemovableHandle"]

__getattr__, __dir__ = public_names(__name__, __all__)
