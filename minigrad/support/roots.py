"""What `backward` and `grad` are asked: roots, cotangents, inputs, and what they return."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from . import errors
from .checks import is_stray

F = TypeVar("F", bound=Callable[..., Any])


class GradientEdge(NamedTuple):
    """A place in the graph where a gradient can start or be asked for, without the tensor."""

    node: Any
    output_nr: int
    ownership_token: Any = None


def as_roots(tensors: Any) -> tuple[Any, ...]:
    """One tensor or edge, or several, as a tuple."""
    single = hasattr(tensors, "_data") or isinstance(tensors, GradientEdge)
    return (tensors,) if single else tuple(tensors)


def as_cotangents(grads: Any) -> tuple[Any, ...]:
    """One cotangent, or several of which some may be None, as a tuple."""
    cotangents = as_roots(grads)
    for cotangent in cotangents:
        if cotangent is not None and not hasattr(cotangent, "_data"):
            raise errors.cotangent_type(cotangent)
    return cotangents


def as_inputs(function: str, inputs: Any) -> tuple[Any, ...]:
    """`inputs` as a tuple. RuntimeError if it is empty."""
    places = as_roots(inputs)
    if not places:
        raise RuntimeError(f"`inputs` argument to `{function}()` cannot be empty.")
    for place in places:
        if not hasattr(place, "_data") and not isinstance(place, GradientEdge):
            raise errors.no_place_for_gradient(place)
    return places


def checked_roots(roots: Sequence[Any], grads: Any) -> list[tuple[Any, Any, Any]]:
    """Each root with its cotangent, or None, and the shape and dtype that its gradient must have.
    RuntimeError for a root without a graph, a cotangent of wrong shape, or a missing one.
    """
    cotangents = (None,) * len(roots) if grads is None else as_cotangents(grads)
    checked = []
    for index, (root, cotangent) in enumerate(zip(roots, cotangents, strict=False)):
        if isinstance(root, GradientEdge):
            (shape, kind), recorded, stray = root.node._meta[root.output_nr], True, False
        elif hasattr(root, "_data"):
            shape, kind = root._data.shape, root.dtype
            recorded = root._requires_grad or root.requires_grad
            stray = not root._requires_grad and is_stray(root)
        else:
            raise AssertionError("Expected output to be a torch.Tensor")
        if cotangent is not None and cotangent.shape != shape:
            raise errors.cotangent_shape(index, cotangent.shape, shape)
        if cotangent is None and recorded and math.prod(shape) != 1:
            raise errors.not_a_scalar()
        if cotangent is None and recorded and not kind.is_floating_point:
            raise errors.not_real(kind)
        if not recorded or stray:
            raise errors.no_graph(index)
        checked.append((root, cotangent, (shape, kind)))
    if len(roots) > len(cotangents):
        raise RuntimeError(f"got {len(roots)} tensors and {len(cotangents)} gradients")
    return checked


def check_grad_options(
    only_inputs: bool, allow_unused: bool | None, is_grads_batched: bool, materialize_grads: bool
) -> None:
    """Raise for options of `grad` that contradict each other, or that are not there."""
    if materialize_grads and allow_unused is False:
        raise errors.contradicting_unused()
    if is_grads_batched:
        raise errors.no_batched_gradients()
    if not only_inputs:
        errors.warn_only_inputs()


def check_inputs(places: Sequence[Any]) -> None:
    """RuntimeError unless every input requires grad."""
    for each in places:
        if not (isinstance(each, GradientEdge) or each._requires_grad or each.requires_grad):
            raise RuntimeError("One of the differentiated Tensors does not require grad")


def check_found(found: Sequence[Any], allow_unused: bool | None) -> None:
    """RuntimeError for an input that was not reached, unless `allow_unused`."""
    for index, gradient in enumerate(found):
        if gradient is None and not allow_unused:
            raise errors.unused_input(index)


def check_materialized(found: Sequence[Any], places: Sequence[Any]) -> None:
    """RuntimeError where zeros are wanted in place of a gradient, but nobody knows their shape."""
    for gradient, place in zip(found, places, strict=True):
        if gradient is None and isinstance(place, GradientEdge):
            raise errors.nothing_to_materialize()


def warns_of_cycle(run: F) -> F:
    """Warn after a pass that adds recorded gradients to `.grad`: they hold the graph that holds
    them.
    """

    @functools.wraps(run)
    def wrapper(walk: Any, roots: Any) -> None:
        try:
            run(walk, roots)
        finally:
            if walk.graph and (walk.targets is None or walk.targets.accumulate):
                errors.warn_create_graph()

    return wrapper  # type: ignore[return-value]
