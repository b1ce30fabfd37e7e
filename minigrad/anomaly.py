"""Anomaly mode: find the forward line behind an error, or a nan, that appears in backward.

While it is on, every recorded node notes the stack of the call that recorded it
(`node.metadata["traceback_"]`). If its backward fails, or returns nan, a warning shows that stack.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#anomaly-detection
"""

from __future__ import annotations

import traceback
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from . import watching

if TYPE_CHECKING:
    from .node import Node

enabled = False
check_nan = True


def note_traceback(node: Node) -> None:
    """Note where the operation was called: the stack without the frames of this package."""
    stack = traceback.extract_stack()
    while stack and "minigrad" in stack[-1].filename:
        stack.pop()
    node.metadata["traceback_"] = traceback.format_list(stack)


class set_detect_anomaly:  # noqa: N801 - PyTorch's spelling
    """Switch anomaly mode: at once when called, and until the end of the block as a manager."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = (enabled, globals()["check_nan"])
        switch(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        switch(*self.before)


class detect_anomaly:  # noqa: N801 - PyTorch's spelling
    """In this block, errors and nans in backward show the forward call behind them."""

    def __init__(self, check_nan: bool = True) -> None:
        self.before = (enabled, globals()["check_nan"])
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        switch(True, self.check_nan)

    def __exit__(self, *error: object) -> None:
        switch(*self.before)


def switch(mode: bool, nan: bool) -> None:
    global enabled, check_nan
    if mode and not enabled:
        watching.add(note_traceback)
    elif enabled and not mode:
        watching.remove(note_traceback)
    enabled, check_nan = mode, nan


def is_anomaly_enabled() -> bool:
    return enabled


def is_anomaly_check_nan_enabled() -> bool:
    return check_nan


def run(node: Node, grad: Any, keep: bool, graph: bool) -> tuple[Any, ...]:
    """Run a node's backward; if it fails or returns nan, show what it belongs to."""
    try:
        results = (node.backward_graph if graph else node.backward)(grad, keep)
        if check_nan:
            for index, result in enumerate(results):
                values = result if result is None or not graph else result._data
                if values is not None and np.isnan(values).any():
                    raise RuntimeError(
                        f"Function '{node.name()}' returned nan values in its {index}th output."
                    )
    except Exception:
        warnings.warn(report(node), UserWarning, stacklevel=2)
        raise
    return results


def report(node: Node) -> str:
    trace = node.metadata.get("traceback_")
    if trace is None:
        return (
            f"Error detected in {node.name()}. No forward pass information available. Enable "
            "detect anomaly during forward pass for more information."
        )
    return (
        f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n"
        + "".join(trace)
    )
