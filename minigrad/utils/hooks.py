"""`minigrad.utils.hooks`: what registering a hook returns."""

from ..support.hooks import RemovableHandle

__all__ = ["RemovableHandle"]
