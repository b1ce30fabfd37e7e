"""`minigrad.utils.hooks`: what registering a hook returns."""

from ..support.hook_handles import RemovableHandle
from ..support.missing import missing_from

__all__ = ["RemovableHandle"]

__getattr__ = missing_from(__name__)
