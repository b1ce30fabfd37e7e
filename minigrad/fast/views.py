"""Views, by the shortest way."""

from __future__ import annotations

from ..core import inplace as plain
from ..core.grad_mode import mode
from ..core.inplace import View
from ..core.tensor import Tensor
from ..support.version_counters import UNTRACKED

new = object.__new__


def track_view(out: Tensor, source: Tensor) -> None:
    """What `core.inplace.track_view` does, and `View.__init__`, without the calls."""
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


def follow(view: View, tensor: Tensor) -> bool:
    """What `View.refresh` does, if there is anything to do; whether `tensor` is a stray."""
    moved_on = tensor._counter[0] != view.version  # type: ignore[index]
    if moved_on and (mode.recording or not view.refuses):  # else nobody wants its history
        view.refresh(tensor)
    return tensor._node is None and view.base._requires_grad and not tensor._requires_grad
