"""What a node has saved for its backward, read through `_saved_<name>` and `saved_tensors`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from minigrad.viz.protocol import NodeLike, TensorLike, is_tensor

OPERANDS = (
    "self", "input", "mat1", "batch1", "tensor1", "other", "mat2", "batch2", "tensor2", "vec",
    "vec2", "tensor", "exponent", "weight", "target",
)  # fmt: skip
"""Saved names that are inputs of their operation, in the order of the inputs."""


@dataclass
class Saved:
    """The saved tensors and operands of a node by name; `lost` says why others cannot be read.

    `freed` is true if backward has run and released them.
    """

    items: dict[str, TensorLike | float] = field(default_factory=dict)
    lost: dict[str, str] = field(default_factory=dict)
    freed: bool = False

    def tensors(self) -> dict[str, TensorLike]:
        """Return the items that are tensors, which backward releases."""
        return {key: each for key, each in self.items.items() if not isinstance(each, int | float)}

    def constants(self) -> list[TensorLike | float]:
        """Return the operands that do not need a gradient, in the order of the inputs."""
        return [
            self.items[name]
            for name in OPERANDS
            if name in self.items and not getattr(self.items[name], "requires_grad", False)
        ]


def read_saved(node: NodeLike) -> Saved:
    """Read what `node` has saved, without sizes and flags."""
    saved = Saved()
    for attribute in sorted(dir(node), key=_position):
        if attribute.startswith("_saved_") or attribute == "saved_tensors":
            name = attribute.removeprefix("_").removeprefix("saved_")
            try:
                value = getattr(node, attribute)
            except Exception as error:  # from the engine, or from a user's saved-tensor hook
                if "already been freed" in str(error):
                    saved.freed = True
                else:
                    saved.lost[name] = _why(error)
            else:
                kept: Any = getattr(node, "_saved", {}).get(name)
                if type(kept).__name__ == "SavedTensor" and kept.number is None:
                    value = kept.tensor  # in early chapters `value` only shares its memory
                saved.items.update(_wanted(name, value))
    if not any(each.startswith("_saved_") or each == "saved_tensors" for each in dir(node)):
        for name, kept in getattr(node, "_saved", {}).items():  # in chapter 03, nothing else
            if type(kept).__name__ == "SavedTensor":
                saved.items.update(_wanted(name, kept.tensor))
    return saved


def _why(error: Exception) -> str:
    """Say why a saved tensor cannot be read; after an edit PyTorch's message has the versions."""
    versions = re.search(r"is at version (\d+); expected version (\d+)", str(error))
    if versions is None:
        return f"cannot be read ({type(error).__name__})"
    return f"edited in place (version {versions[2]} → {versions[1]})"


def _position(attribute: str) -> tuple[int, str]:
    """Return a sort key: operands in the order of the inputs, then the rest."""
    name = attribute.removeprefix("_saved_")
    return OPERANDS.index(name) if name in OPERANDS else len(OPERANDS), name


def _wanted(name: str, value: Any) -> Iterator[tuple[str, TensorLike | float]]:
    """Yield the tensors in a saved value, and a number if it was an operand."""
    if is_tensor(value):
        yield name, value
    elif isinstance(value, list | tuple):
        for index, item in enumerate(value):
            if is_tensor(item):
                yield f"{name}[{index}]", item
    elif name in OPERANDS and isinstance(value, int | float):
        yield name, value
