"""The libraries that are compared: how each is imported, on how many threads, and its version."""

from __future__ import annotations

import importlib
import importlib.metadata
import os
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

import numpy as np

# In the order of the tables. "plain" is minigrad without its accelerator, as the notebooks build
# it; "numpy" is forward and backward written by hand: the limit.
PEERS = ["autograd", "mygrad", "dezero", "micrograd"]
NAMES = ["minigrad", "plain", "torch", "numpy", *PEERS]
Step = Callable[[], Sequence[Any]]  # forward and backward; returns the gradients
PACKAGES = {"plain": "minigrad"}


def load(name: str) -> ModuleType | None:
    """The library `name`, ready to be measured; None if it is not installed."""
    if name == "dezero":
        vars(np).setdefault("int", int)  # an alias that DeZero 0.0.13 needs and NumPy has dropped
    try:
        library = importlib.import_module(PACKAGES.get(name, name))
    except ModuleNotFoundError as error:
        if error.name == name:
            return None
        raise
    if name == "torch":
        library.set_num_threads(int(os.environ["OMP_NUM_THREADS"]))
    return library


def version(name: str) -> str | None:
    """The installed version of `name`, or None."""
    try:
        return importlib.metadata.version(PACKAGES.get(name, name))
    except importlib.metadata.PackageNotFoundError:
        return None


def accelerator_off(program: Callable[[Any, Any], Step]) -> Callable[[Any, Any], Step]:
    """A program of minigrad's whose steps the plain library does."""

    def plain(minigrad: Any, size: Any) -> Step:
        step = program(minigrad, size)

        def plain_step() -> Sequence[Any]:
            with minigrad.fast.off():
                return step()

        return plain_step

    return plain


def as_array(value: Any) -> np.ndarray[Any, Any]:
    """A gradient, whichever library it comes from, as an array."""
    if hasattr(value, "detach"):
        value = value.detach().numpy()
    elif not isinstance(value, (np.ndarray, np.generic)) and hasattr(value, "data"):
        value = value.data
    return np.asarray(value)
