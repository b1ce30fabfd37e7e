"""Modules made of a sequence of modules.

Source: https://docs.pytorch.org/docs/2.13/nn.html#containers
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, TypeVar

from .module import Module, repr_of

S = TypeVar("S", bound="ModuleSequence")


class ModuleSequence(Module):
    """What `Sequential` and `ModuleList` share: modules by number, named "0", "1", ….

    IndexError for a number out of range, TypeError for anything that is no module.
    """

    _modules: dict[str, Module]  # type: ignore[assignment]  # none is left out here

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Module]:
        return iter(self._modules.values())

    def __getitem__(self: S, index: Any) -> Any:
        if isinstance(index, slice):
            return self._part(list(self._modules.items())[index])
        return self._modules[self._key(index)]

    def _part(self: S, items: list[tuple[str, Module]]) -> S:
        """A sequence of the same kind of some of the modules."""
        raise NotImplementedError

    def _key(self, index: int) -> str:
        length = len(self)
        if not -length <= index < length:
            raise IndexError(f"index {index} is out of range")
        return list(self._modules)[index]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._key(index), module)

    def __delitem__(self, index: int | slice) -> None:
        keys = list(self._modules)[index] if isinstance(index, slice) else [self._key(index)]
        self._renumber([module for key, module in self._modules.items() if key not in keys])

    def insert(self: S, index: int, module: Module) -> S:
        """Put `module` before the one with this number."""
        modules = list(self)
        modules.insert(index, module)
        self._renumber(modules)
        return self

    def append(self: S, module: Module) -> S:
        """Add `module` at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self: S, modules: Iterable[Module]) -> S:
        """Add all `modules` at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(
                f"{type(self).__name__}.extend should be called with an iterable, but got"
                f" {type(modules).__name__}"
            )
        for module in modules:
            self.append(module)
        return self

    def _renumber(self, modules: list[Module]) -> None:
        self._modules.clear()
        for number, module in enumerate(modules):
            self.add_module(str(number), module)


class Sequential(ModuleSequence):
    """Modules one after another: the output of each is the input of the next.

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

    def _part(self, items: list[tuple[str, Module]]) -> Sequential:
        return type(self)(OrderedDict(items))

    def forward(self, input: Any) -> Any:
        for module in self:
            input = module(input)
        return input


class ModuleList(ModuleSequence):
    """A list whose modules are registered; how they are called is up to `forward` of its owner."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def _part(self, items: list[tuple[str, Module]]) -> ModuleList:
        return type(self)(module for _, module in items)

    def __repr__(self) -> str:
        """As of any module, but neighbours that read the same are counted: `(0-2): 3 x ReLU()`."""
        lines, start = [], 0
        for text, same in groupby(repr(module) for module in self):
            count = len(list(same))
            end = start + count - 1
            lines.append(
                f"({start}): {text}" if count == 1 else f"({start}-{end}): {count} x {text}"
            )
            start += count
        return repr_of(type(self).__name__, [], lines)
