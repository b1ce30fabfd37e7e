"""Checks that read the graph: what `backward` and `grad` are given, and what they return."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..support import errors
from ..support.backward_args import GradientEdge, as_cotangents, as_inputs
from ..support.options import GradOptions
from .node import Edge, Node, gradient_edge
from .tensor import Tensor, new_tensor


def root_edges(roots: Sequence[Any], gradients: Any) -> tuple[Sequence[Edge], Sequence[Tensor]]:
    """The edge where backward starts for each root, and the gradient it starts with.

    Args:
        roots: tensors or gradient edges.
        gradients: a tensor of the root's shape for each, or None for a root of one element.

    Raises:
        RuntimeError: a root without a graph, a missing gradient, or one of another shape.
    """
    given = (None,) * len(roots) if gradients is None else as_cotangents(gradients)
    edges: list[Edge] = []
    grads: list[Tensor] = []
    for index, cotangent in enumerate(given[: len(roots)]):
        root = roots[index]
        if isinstance(root, Tensor):
            shape, kind = root._data.shape, root.dtype
        elif isinstance(root, GradientEdge):
            shape, kind = root.node._meta[root.output_nr]
        else:
            raise AssertionError("Expected output to be a torch.Tensor")
        edge = gradient_edge(root)
        if cotangent is not None:
            if cotangent._data.shape != shape:
                raise errors.cotangent_shape(index, cotangent.shape, shape)
        elif edge[0] is not None or root.requires_grad:
            if math.prod(shape) != 1:
                raise errors.not_a_scalar()
            if not kind.is_floating_point:
                raise errors.not_real(kind)
            cotangent = new_tensor(np.ones(shape, kind.numpy) if shape else np.array(1, kind.numpy))
        if edge[0] is None or cotangent is None:
            raise errors.no_graph(index)
        edges.append(edge)
        grads.append(cotangent if cotangent.dtype is kind else cotangent.to(kind))
    if len(roots) > len(given):
        raise RuntimeError(f"got {len(roots)} tensors and {len(given)} gradients")
    return edges, grads


def input_edges(current: GradOptions) -> list[Edge]:
    """The edge of each input of a pass that `grad` starts. Raises for one without a gradient."""
    current.inputs = as_inputs("grad", current.inputs)
    edges = [gradient_edge(place) for place in current.inputs]
    for each in current.inputs:
        if not (isinstance(each, GradientEdge) or each._requires_grad or each.requires_grad):
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    return edges


def found_gradients(current: GradOptions) -> tuple[Tensor | None, ...]:
    """The gradients that a pass found, one for each input.

    A missing one raises RuntimeError, unless `allow_unused` lets it be None or `materialize_grads`
    turns it into zeros.
    """
    gradients = [current.found.get(edge) for edge in current.edges]
    for index, gradient in enumerate(gradients):
        if gradient is None and current.materialize_grads:
            place = current.inputs[index]
            if isinstance(place, GradientEdge):
                raise errors.nothing_to_materialize()
            recorded = getattr(current, "create_graph", False)  # chapter 13 has no such option yet
            gradients[index] = new_tensor(np.zeros_like(place._data), recorded)
        elif gradient is None and not current.allow_unused:
            raise errors.unused_input(index)
    return tuple(gradients)


def check_all_saved(node: Node) -> None:
    """Raise RuntimeError if something that `node` saved was changed in place or freed.

    PyTorch checks this even in a node that receives no gradient.
    """
    for name in node._saved:
        node._unpack(name)


def check_followed(operands: Sequence[Any]) -> None:
    """Raise RuntimeError for an operand that is a view and cannot follow a change of its base.

    PyTorch asks the operands for their histories before it checks anything else about them.
    """
    for each in operands:
        view = getattr(each, "_view", None)
        if view is not None:
            view.refresh(each)
