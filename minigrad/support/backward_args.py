"""The arguments of `backward` and `grad`: roots, cotangents, inputs and options."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import errors
from .options import GradOptions


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


def check_grad_options(options: GradOptions) -> None:
    """Raise for options of `grad` that contradict each other, or that are not there."""
    if options.materialize_grads and options.allow_unused is False:
        raise errors.contradicting_unused()
    if options.is_grads_batched:
        raise errors.no_batched_gradients()
    if not options.only_inputs:
        errors.warn_only_inputs()
