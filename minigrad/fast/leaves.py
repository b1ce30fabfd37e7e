"""The end of a path, as the lane needs it."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from ..core import node as plain
from ..core.node import LAST
from ..core.tensor import Tensor
from ..support import observers
from ..support.dtypes import Size, from_numpy_dtype
from ..support.hook_handles import HookDict
from ..support.methods import method_of
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


def leaf_node(leaf: Tensor) -> plain.AccumulateGrad:
    """What `core.node.leaf_node` does for a leaf that requires grad."""
    if observers.active and watched():
        return plain.leaf_node(leaf)
    reference = leaf._accumulator
    node: Any = reference() if reference is not None else None
    if node is None:
        node = new(AccumulateGrad)
        node.variable = leaf
        prepare(node)
        leaf._accumulator = weakref.ref(node)
    return node  # type: ignore[no-any-return]


def leaf(node: plain.AccumulateGrad) -> AccumulateGrad:
    """One of these, in the place of the AccumulateGrad that the core has made."""
    made = new(AccumulateGrad)
    made.variable = node.variable
    prepare(made)
    return made


def prepare(node: AccumulateGrad) -> None:
    """Note what the leaf is."""
    leaf = node.variable
    data = leaf._data
    node.like = (data.shape, data.dtype) if data.__class__ is np.ndarray else data.__class__
    if leaf._hooks is not None:
        node._own("_tensor_hooks")[0] = leaf._hooks
    # Operations read these again and again: an own blank is found faster than the class's.
    leaf._view, leaf._node = leaf._view, leaf._node


method_of(plain.Node, "_extra")(FOREIGN)  # of other nodes
method_of(plain.Node, "order")(property(lambda node: node._seq))
