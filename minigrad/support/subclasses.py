"""Subclasses of Tensor: results of operations take on the subclass, except for Parameter."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .tensor_like import is_tensor


def in_class_of(function: str, inputs: Iterable[Any], out: Any) -> Any:
    """`out` as an instance of the most derived class among `inputs`.

    TypeError, naming `function`, if two of the classes are unrelated.
    """
    cls = type(out)
    for value in inputs:
        if is_tensor(value) and value.__class__ is not cls:
            cls = common_class(function, cls, value._class_of_results)
    return out if cls is type(out) else out.as_subclass(cls)


def common_class(function: str, cls: type, other: type) -> type:
    """The more derived of two classes. TypeError if they are unrelated."""
    if issubclass(other, cls):
        return other
    if issubclass(cls, other):
        return cls
    raise TypeError(
        f"Multiple dispatch failed for 'torch.{function}'; all __torch_function__ handlers returned"
        f" NotImplemented:\n\n  - tensor subclass {cls}\n  - tensor subclass {other}\n\nFor more"
        " information, try re-running with TORCH_LOGS=not_implemented"
    )
