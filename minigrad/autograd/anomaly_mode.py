"""Anomaly mode: find the line in the forward pass behind an error or a nan in backward.

While it is enabled in a thread, every recorded node stores the stack of the call that recorded it
(`node.metadata["traceback_"]`). If the backward of another node recorded it, under `create_graph`,
it also stores that node (`node.metadata["parent_"]`). If its backward then raises or returns nan,
warnings show its stack and those of its parents.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#anomaly-detection
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.node import Node
from ..support import errors, observers
from ..support.errors import anomaly

PACKAGE_FILES = (os.path.dirname(os.path.dirname(__file__)) + os.sep, "<written by minigrad")


def note_traceback(node: Node, outputs: Sequence[Any]) -> None:
    """Store the stack of the call that recorded `node`, without the frames of this package."""
    import traceback  # imported here to keep `import minigrad` fast

    stack = traceback.extract_stack()
    while stack and stack[-1].filename.startswith(PACKAGE_FILES):
        stack.pop()
    node.metadata["traceback_"] = traceback.format_list(stack)
    if anomaly.node is not None:
        node.metadata["parent_"] = anomaly.node


class set_detect_anomaly:  # noqa: N801 - PyTorch's spelling
    """Switch anomaly mode immediately; as a context manager, restore it afterwards."""

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.before = (anomaly.enabled, anomaly.check_nan)
        switch(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        switch(*self.before)


class detect_anomaly(set_detect_anomaly):  # noqa: N801 - PyTorch's spelling
    """In this block, errors and nans in backward show the forward call that caused them."""

    def __init__(self, check_nan: bool = True) -> None:
        self.before = (anomaly.enabled, anomaly.check_nan)
        self.check_nan = check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should "
            "only be enabled for debugging.",
            UserWarning,
            stacklevel=2,
        )

    def __enter__(self) -> None:
        switch(True, self.check_nan)


def switch(mode: bool, check_nan: bool) -> None:
    for name, value in (("enabled", mode), ("check_nan", check_nan)):
        if not isinstance(value, bool):
            position = 1 + (name == "check_nan")
            raise errors.argument_type("set_anomaly_enabled", name, position, "bool", value)
    if mode and not anomaly.enabled:
        observers.add(note_traceback)
        observers.add_around(run_and_report)
    elif anomaly.enabled and not mode:
        observers.remove(note_traceback)
        observers.remove_around(run_and_report)
    anomaly.enabled, anomaly.check_nan = mode, check_nan


def is_anomaly_enabled() -> bool:
    """Whether anomaly mode is enabled in this thread."""
    return anomaly.enabled


def is_anomaly_check_nan_enabled() -> bool:
    """Whether anomaly mode checks for nan."""
    return anomaly.check_nan


def run_and_report(run: observers.Run, node: Node, grads: list[Any]) -> Any:
    """Run the node; if it raises or returns nan, report where it was recorded."""
    before, anomaly.node = anomaly.node, node
    try:
        results = run(node, grads)
        if anomaly.check_nan:
            check_for_nan(node, results)
    except Exception:
        report(node)
        raise
    finally:
        anomaly.node = before
    return results


def check_for_nan(node: Node, results: Sequence[Any]) -> None:
    for index, result in enumerate(results):
        values = getattr(result, "_data", result)
        if values is not None and np.isnan(values).any():
            raise RuntimeError(
                f"Function '{node.name()}' returned nan values in its {index}th output."
            )


def report(node: Node) -> None:
    """Warn where `node` was recorded, then where its parents were, one after another."""
    current: Node | None = node
    while current is not None:
        trace = current.metadata.get("traceback_")
        if trace is None:
            text = (
                f"Error detected in {current.name()}. No forward pass information available."
                " Enable detect anomaly during forward pass for more information."
            )
        elif current is node:
            text = (
                f"Error detected in {node.name()}. Traceback of forward call that caused the"
                f" error:\n{''.join(trace)}"
            )
        else:
            text = (
                f"\n\nPrevious calculation was induced by {current.name()}. Traceback of forward"
                f" call that induced the previous calculation:\n{''.join(trace)}"
            )
        warnings.warn(text, UserWarning, stacklevel=3)
        current = current.metadata.get("parent_")
