"""The version of PyTorch whose behavior this library has, as `torch.__version__` shows it."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from typing import Any


class Version(str):
    """A version that compares by number with a str or a tuple: "2.13.0" >= "2.2", (2, 2)."""


def numbers(version: Any) -> list[int]:
    """[2, 13, 0] for "2.13.0+cpu", and for the tuple (2, 13, 0)."""
    text = version if isinstance(version, str) else ".".join(map(str, version))
    return [int(number) for number in re.findall(r"\d+", text.partition("+")[0])]


def by_number(compare: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """The operator `compare` for versions."""
    return lambda self, other: compare(numbers(self), numbers(other))


for _compare in (operator.lt, operator.le, operator.gt, operator.ge):
    setattr(Version, f"__{_compare.__name__}__", by_number(_compare))
__version__ = Version("2.13.0+cpu")
