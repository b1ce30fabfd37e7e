"""Silence that takes no time: NumPy's warnings end before they begin.

The plain library computes in blocks in which NumPy ignores inf and nan (`support.silence`). To
enter one takes as long as to multiply two numbers, so the accelerator does without. A warning is
issued in the name of the module whose code is running; where that has no name, because its global
`__name__` is None, Python lets the warning go before it looks at any filter. (It does so for what
is left of modules while the interpreter shuts down: `warn_explicit` in Python/_warnings.c.) So
functions that compute have globals without a name.

That leaves users who want something else from NumPy than warnings. Where `np.seterr` makes it
raise, written code takes the error for a reason to leave the matter to the plain code, as any
other; and backward passes ask beforehand.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

from ..support.silence import SETTINGS, silence

settings = SETTINGS.get  # settings(None) is None: NumPy does what it does by itself


def quietly(function: Any, *args: Any) -> Any:
    """`function(*args)`, also where somebody has told NumPy what to do."""
    if settings(None) is None:
        return function(*args)
    with silence():
        return function(*args)


class Nameless(ModuleType):
    """A module whose code finds no name, while everybody else still sees it."""

    @property
    def __name__(self) -> str:  # type: ignore[override]
        spec: Any = self.__spec__
        return spec.name  # type: ignore[no-any-return]


def nameless(*names: str) -> None:
    """Let the modules of this package whose names start with these warn of nothing from now on."""
    package = __name__.partition(".")[0]
    for name, module in list(sys.modules.items()):
        if name.startswith(tuple(f"{package}.{each}" for each in names)):
            module.__class__ = Nameless
            vars(module)["__name__"] = None
