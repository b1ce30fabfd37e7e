"""What version counters say beside the version: that there is none, or of whom it is."""

from __future__ import annotations

import weakref
from typing import Any

from . import errors


class Untracked(list[Any]):
    """Stands where a version counter would be; asking it for the version raises RuntimeError."""

    def __getitem__(self, index: Any) -> Any:
        raise errors.saved_inference_tensor()


UNTRACKED = Untracked()


def counts_no_versions(tensor: Any) -> bool:
    """Whether the tensor was made in inference mode."""
    return getattr(tensor, "_counter", None) is UNTRACKED  # chapter 02 has no counters yet


class Detached(int):
    """A version of memory at which a tensor was cut out of its graph by `detach_`.

    It counts on as other versions do. The tensor is known by the output that it was, held weakly;
    views of it share the counter and are not cut off.
    """

    maker: weakref.ref[Any]
    number: int

    def __add__(self, change: int) -> Detached:
        return Detached(int(self) + change).of(self.maker, self.number)

    def of(self, maker: weakref.ref[Any], number: int) -> Detached:
        self.maker, self.number = maker, number
        return self


def note_detached(tensor: Any, counter: list[Any]) -> None:
    """Let those who have saved `tensor` know that it is about to be detached in place."""
    if tensor._node is not None:
        maker = weakref.ref(tensor._node)
        counter[0] = Detached(counter[0]).of(maker, tensor._output_nr)


def is_detached(saved: Any) -> bool:
    """Whether the tensor that was saved, an input and no leaf, has been detached in place."""
    version = saved.counter[0]
    if not isinstance(version, Detached) or saved.number is not None:
        return False
    maker, number = saved.edge
    return maker is not None and maker is version.maker() and number == version.number


def check_not_detached(saved: Any, node: Any) -> None:
    """RuntimeError if what `node` has saved was detached in place; a user's Function may use it."""
    if not is_detached(saved):
        return
    if not hasattr(type(node), "saved_tensors"):
        raise errors.saved_and_detached()
    saved.edge = (None, 0)
