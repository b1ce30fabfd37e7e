"""The dictionaries that hold hooks, and the handles that remove them."""

from __future__ import annotations

import itertools
import weakref
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

EMPTY: Mapping[int, Any] = MappingProxyType({})  # shared by everything that has no hooks
_next_id = itertools.count().__next__


class HookDict(dict[int, Any]):
    """Hooks by the id of their handle, in the order of registration."""

    __slots__ = ("__weakref__",)


def own_dict(node: Any, name: str) -> HookDict:
    """This node's dictionary of that name, created on first use because few nodes have hooks."""
    node._hooked = True
    made: HookDict = node.__dict__.setdefault(name, HookDict())
    return made


class RemovableHandle:
    """Returned by registering a hook: `remove()`, or leaving a `with` block, removes the hook."""

    def __init__(self, hooks: HookDict, hook: Callable[..., Any]) -> None:
        self.id = _next_id()
        self.hooks_dict_ref = weakref.ref(hooks)
        hooks[self.id] = hook

    def remove(self) -> None:
        hooks = self.hooks_dict_ref()
        if hooks is not None:
            hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *error: object) -> None:
        self.remove()
