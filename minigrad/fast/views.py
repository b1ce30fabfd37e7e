"""Tracking views with as few calls as possible."""

from __future__ import annotations

from ..core import inplace as plain
from ..core.grad_mode import mode
from ..core.inplace import View
from ..core.tensor import Tensor
from ..support.version_counters import UNTRACKED

new = object.__new__


def track_view(out: Tensor, source: Tensor) -> None:
    """`core.inplace.track_view` and `View.__init__`, inlined."""
    counter = source._counter
    if counter is UNTRACKED or not mode.recording:
        plain.track_view(out, source)
        return
    if counter is None:
        counter = source._counter = [0]
    out._counter = counter
    view, before = new(View), source._view
    if before is None:
        view.base = source
    else:
        view.base, view.refuses = before.base, before.refuses
    view.version = counter[0]
    out._view = view


def refresh_view(view: View, tensor: Tensor) -> bool:
    """Call `View.refresh` if the base has changed; returns `is_stray(tensor)`."""
    changed = tensor._counter[0] != view.version  # type: ignore[index]
    if changed and (mode.recording or not view.refuses):  # else nobody needs its history
        view.refresh(tensor)
    return tensor._node is None and view.base._requires_grad and not tensor._requires_grad
