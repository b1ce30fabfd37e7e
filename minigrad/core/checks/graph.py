"""Where a backward pass begins and ends, and whether it can use what it finds on the way."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, TYPE_CHECKING

import numpy as np

from ...support import errors
from ...support.backward_args import GradientEdge, as_cotangents, as_inputs, check_grad_options
from ..node import Edge, Node, gradient_edge
from ..tensor import Tensor, new_tensor

if TYPE_CHECKING:
    from ..targets import PassTo


def root_edges(roots: Sequence[Any], gradients: Any) -> tuple[Sequence[Edge], Sequence[Tensor]]:
    """The edge at which backward begins for each root, and the gradient with which it begins.

    Args:
        roots: tensors or gradient edges.
        gradients: a tensor of the root's shape for each, or None for a root of one element.

    Raises:
        RuntimeError: a root without a graph, a gradient that is missing or of another shape.
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


def input_edges(current: PassTo) -> list[Edge]:
    """The edges along which the gradients of a pass to some inputs arrive, one for each input.

    Raises for options that contradict each other, and for inputs that cannot have a gradient.
    """
    check_grad_options(current)
    current.inputs = as_inputs("grad", current.inputs)
    edges = [gradient_edge(place) for place in current.inputs]
    for each in current.inputs:
        if not (isinstance(each, GradientEdge) or each._requires_grad or each.requires_grad):
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    return edges


def found_gradients(current: PassTo) -> tuple[Tensor | None, ...]:
    """What a pass to some inputs has found at each. RuntimeError where that is nothing, unless
    `allow_unused`, or `materialize_grads`, which makes zeros of it.
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


def check_kept(node: Node) -> None:
    """RuntimeError if something that `node` has saved was changed in place, or is freed.

    PyTorch's nodes look before they ask whether a gradient has reached them at all.
    """
    for name in node._saved:
        node._unpack(name)


def check_followed(operands: Sequence[Any]) -> None:
    """RuntimeError for an operand that is a view and cannot follow a change of its base.

    PyTorch asks the operands for their histories before it looks whether they can be computed with.
    """
    for each in operands:
        view = getattr(each, "_view", None)
        if view is not None:
            view.refresh(each)
