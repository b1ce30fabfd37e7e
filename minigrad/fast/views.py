"""Views, by the shortest way."""

from __future__ import annotations

from ..core import inplace as plain
from ..core.grad_mode import mode
from ..core.inplace import View
from ..core.tensor import Tensor
from ..support import watching
from ..support.counters import UNTRACKED
from . import modes

new = object.__new__


def track_view(out: Tensor, source: Tensor) -> None:
    """What `core.inplace.track_view` does, and `View.__init__`, without the calls."""
    counter = source._counter
    if counter is UNTRACKED or ((modes.threads_off or watching.active) and not mode.records()):
        plain.track_view(out, source)
        return
    if counter is None:
        counter = source._counter = [0]
    out._requires_grad, out._counter = source._requires_grad, counter
    view, before = new(View), source._view
    if before is None:
        view.base = source
    else:
        view.base, view.refuses = before.base, before.refuses
    view.version = counter[0]
    out._view = view


def follow(tensor: Tensor) -> None:
    """What `View.refresh` does, if there is anything to do."""
    view = tensor._view
    assert view is not None
    if view.base._requires_grad:
        tensor._requires_grad = True
    if tensor._counter[0] == view.version:  # type: ignore[index]
        return
    if mode.records() or not view.refuses:  # else nobody wants its history
        view.refresh(tensor)
