"""The end of a path, as the lane needs it."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from ..core import node as plain
from ..core import tensor
from ..core.node import LAST
from ..core.tensor import Tensor
from ..support import watching
from ..support.dtypes import Size, from_numpy_dtype
from ..support.hooks import HookDict
from .modes import watched

new = object.__new__
NOTHING: dict[str, Any] = {}
FOREIGN = object()  # of nodes that the lane does not know from inside


class AccumulateGrad(plain.AccumulateGrad):
    """An AccumulateGrad that is made in half the time.

    Attributes:
        like: see `WrittenNode`.
        order: where the lane has it: behind all operations, because nobody can tell there.
        _extra: see `WrittenNode`.
    """

    __module__ = "builtins"
    _seq = LAST
    _saved = NOTHING
    like: Any
    order = -1  # less than any operation's
    _extra: Any = None

    @property
    def _meta(self) -> Any:  # type: ignore[override]
        return [meta(self.like)]

    def _own(self, name: str) -> HookDict:
        self._extra = HOOKED
        return super()._own(name)


HOOKED = object()  # of leaves with hooks on their AccumulateGrad


def meta(like: Any) -> tuple[Size, Any]:
    """`like` as everybody else sees it: a shape and a dtype."""
    shape, dtype = shape_and_dtype(like)
    return Size(shape), from_numpy_dtype(dtype)


def shape_and_dtype(like: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return like if like.__class__ is tuple else ((), np.dtype(like))


plain_leaf_node = plain.leaf_node


def leaf_node(leaf: Tensor) -> plain.AccumulateGrad:
    """The AccumulateGrad of a leaf that requires grad; made if no graph has one yet."""
    if watching.active and watched():
        return plain_leaf_node(leaf)
    reference = leaf._accumulator
    node: Any = reference() if reference is not None else None
    if node is None:
        node = new(AccumulateGrad)
        data = leaf._data
        node.variable = leaf
        node.like = (data.shape, data.dtype) if data.__class__ is np.ndarray else data.__class__
        # Operations read these again and again: an own blank is found faster than the class's.
        leaf._view, leaf._node = leaf._view, leaf._node
        leaf._accumulator = weakref.ref(node)
    return node  # type: ignore[no-any-return]


plain_tensor: Any = tensor
plain_to_array = plain_tensor.to_array
audible_to_array = plain_to_array.__wrapped__  # it warns no more all the same, see `silence`


def to_array(data: Any, kind: Any, requires_grad: bool) -> Any:
    """What a new leaf holds: one number as a NumPy scalar, with which NumPy computes faster.

    It becomes an array as soon as somebody wants to share its memory, see `core.tensor.as_array`.
    """
    try:
        array = audible_to_array(data, kind, requires_grad)
    except FloatingPointError:  # `np.seterr` can want it
        array = plain_to_array(data, kind, requires_grad)
    return array if array.ndim else array[()]


def plug_in() -> None:
    """Let leaves and their AccumulateGrads be made here, and other nodes be known as such."""
    plain_tensor.to_array = to_array
    plain.leaf_node = leaf_node
    plain.Node._extra = FOREIGN  # type: ignore[attr-defined]
