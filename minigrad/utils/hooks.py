"""`minigrad.utils.hooks`: what registering a hook returns."""

from ..hooks import RemovableHandle

__all__ = ["RemovableHandle"]
