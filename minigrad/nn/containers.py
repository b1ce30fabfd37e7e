"""Containers: modules that hold other modules, by index or by name.

Source: https://docs.pytorch.org/docs/2.13/nn.html#containers
"""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from itertools import groupby
from typing import Any, TypeVar

from ..core.tensor import Tensor
from .module import Module, repr_of

L = TypeVar("L", bound="IndexedModules")


class IndexedModules(Module):
    """Base class of the lists, whose modules are registered under the names "0", "1", ….

    IndexError for an index out of range, TypeError for an item that is not a module.
    """

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def __getitem__(self: L, index: Any) -> Any:
        if isinstance(index, slice):
            return self._with_items(list(self._modules.items())[index])
        return self._modules[self._key(index)]

    def _with_items(self: L, items: list[tuple[str, Any]]) -> L:
        """A container of the same class with some of the modules."""
        return type(self)(part for _, part in items)  # type: ignore[call-arg]

    def _key(self, index: Any) -> str:
        number, length = operator.index(index), len(self)
        if not -length <= number < length:
            raise IndexError(f"index {number} is out of range")
        return list(self._modules)[number]

    def __setitem__(self, index: int, part: Any) -> None:
        setattr(self, self._key(index), part)

    def __delitem__(self, index: int | slice) -> None:
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        self._renumber([part for key, part in self._modules.items() if key not in keys])

    def insert(self, index: int, part: Any) -> Any:
        """Insert `part` before the module at `index`."""
        parts = list(self)
        parts.insert(index, part)
        self._renumber(parts)

    def append(self: L, part: Any) -> L:
        """Add `part` at the end."""
        self.add_module(str(len(self)), part)
        return self

    def extend(self: L, parts: Iterable[Any]) -> L:
        """Add all `parts` at the end."""
        if not isinstance(parts, Iterable) or isinstance(parts, Tensor):
            raise TypeError(
                f"{type(self).__name__}.extend should be called with an iterable, but got"
                f" {type(parts).__name__}"
            )
        for part in list(parts):  # a copy, because `parts` may be this list itself
            self.append(part)
        return self

    __iadd__ = extend

    def pop(self, index: int) -> Any:
        """Remove the module at `index` and return it."""
        part = self[index]
        del self[index]
        return part

    def _renumber(self, parts: list[Any]) -> None:
        self._modules.clear()
        for number, part in enumerate(parts):
            self.add_module(str(number), part)


class Sequential(IndexedModules):
    """A chain of modules, in which the output of each is the input of the next.

    `Sequential(a, b)`, or `Sequential(OrderedDict(first=a, second=b))` to name them.
    """

    def __init__(self, *modules: Module | OrderedDict[str, Module]) -> None:
        super().__init__()
        if len(modules) == 1 and isinstance(modules[0], OrderedDict):
            named: Iterable[tuple[str, Any]] = modules[0].items()
        else:
            named = ((str(number), module) for number, module in enumerate(modules))
        for name, module in named:
            self.add_module(name, module)

    def _with_items(self, items: list[tuple[str, Module]]) -> Sequential:
        return type(self)(OrderedDict(items))

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *other) if isinstance(other, Sequential) else NotImplemented

    def insert(self, index: int, module: Module) -> Sequential:
        """Insert `module` before the one at `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        super().insert(index, module)
        return self

    def forward(self, input: Any) -> Any:
        for module in self:
            input = module(input)
        return input


class ModuleList(IndexedModules):
    """A list of registered modules, for the `forward` of the module that owns it to call."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(() if modules is None else modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        """The repr, with equal neighbors collapsed into one line: `(0-2): 3 x ReLU()`."""
        lines, start = [], 0
        for text, same in groupby(repr(module) for module in self):
            count = len(list(same))
            end = start + count - 1
            lines.append(
                f"({start}): {text}" if count == 1 else f"({start}-{end}): {count} x {text}"
            )
            start += count
        return repr_of(type(self).__name__, [], lines)


class ModuleDict(Module):
    """A dictionary of registered modules, in insertion order."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        self.update({} if modules is None else modules)

    def __getitem__(self, key: str) -> Any:
        return self._modules[key]

    def __setitem__(self, key: str, module: Any) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: object) -> bool:
        return key in self._modules

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def values(self) -> ValuesView[Any]:
        """The modules."""
        return self._modules.values()

    def items(self) -> ItemsView[str, Any]:
        """The modules with their names."""
        return self._modules.items()

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Any:
        """Remove the module with this name and return it."""
        return self._modules.pop(key)

    def update(self, modules: Any) -> None:
        """Add or replace modules; `modules` is a mapping, or has pairs of a name and a module."""
        named = isinstance(modules, (Mapping, ModuleDict))
        for name, module in modules.items() if named else modules:
            self[name] = module
