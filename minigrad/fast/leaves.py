"""AccumulateGrad nodes for the accelerator, which are faster to create than the plain ones."""

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
NOTHING_SAVED: dict[str, Any] = {}
PLAIN_NODE = object()  # the `_extra` of nodes that the accelerator did not generate


class AccumulateGrad(plain.AccumulateGrad):
    """An AccumulateGrad that takes half the time to create.

    Attributes:
        like: see `GeneratedNode`.
        order: its position in the lane: after all operations, since nobody can see the difference.
        _extra: see `GeneratedNode`.
    """

    __module__ = "builtins"
    _seq = LAST
    _saved = NOTHING_SAVED
    like: Any
    order = -1  # less than any operation's
    _extra: Any = None

    @property
    def _meta(self) -> Any:  # type: ignore[override]
        return [meta(self.like)]

    def _own(self, name: str) -> HookDict:
        self._extra = HOOKED
        return super()._own(name)


HOOKED = object()  # the `_extra` of an AccumulateGrad with hooks


def meta(like: Any) -> tuple[Size, Any]:
    """`like` in the form that the plain library uses: a shape and a dtype."""
    shape, dtype = shape_and_dtype(like)
    return Size(shape), from_numpy_dtype(dtype)


def shape_and_dtype(like: Any) -> tuple[tuple[int, ...], np.dtype[Any]]:
    return like if like.__class__ is tuple else ((), np.dtype(like))


def leaf_node(leaf: Tensor) -> plain.AccumulateGrad:
    """`core.node.leaf_node`, for a leaf that requires grad."""
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


def fast_leaf(node: plain.AccumulateGrad) -> AccumulateGrad:
    """The node to use instead of the plain AccumulateGrad that was just created."""
    replacement = new(AccumulateGrad)
    replacement.variable = node.variable
    prepare(replacement)
    return replacement


def prepare(node: AccumulateGrad) -> None:
    """Set the attributes that the lane reads from the leaf's node, and from the leaf."""
    leaf = node.variable
    data = leaf._data
    node.like = (data.shape, data.dtype) if data.__class__ is np.ndarray else data.__class__
    if leaf._hooks is not None:
        node._own("_tensor_hooks")[0] = leaf._hooks
    # Every operation reads these two, and instance attributes are faster to look up.
    leaf._view, leaf._node = leaf._view, leaf._node


method_of(plain.Node, "_extra")(PLAIN_NODE)
method_of(plain.Node, "order")(property(lambda node: node._seq))
