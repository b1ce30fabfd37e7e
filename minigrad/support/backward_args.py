"""The arguments of `backward` and `grad`: roots, cotangents, inputs and options."""

from __future__ import annotations

from typing import Any, NamedTuple


class GradientEdge(NamedTuple):
    """An output of a node, where a gradient can start or be requested without the tensor itself."""

    node: Any
    output_nr: int
    ownership_token: Any = None


def as_roots(tensors: Any) -> tuple[Any, ...]:
    """One tensor or edge, or a sequence of them, as a tuple."""
    single = hasattr(tensors, "_data") or isinstance(tensors, GradientEdge)
    return (tensors,) if single else tuple(tensors)


def as_cotangents(grads: Any) -> tuple[Any, ...]:
    """One cotangent, or a sequence in which some may be None, as a tuple. TypeError for others."""
    cotangents = as_roots(grads)
    for cotangent in cotangents:
        if cotangent is not None and not hasattr(cotangent, "_data"):
            raise TypeError(
                f"gradients can be either Tensors or None, but got {type(cotangent).__name__}"
            )
    return cotangents


def as_inputs(function: str, inputs: Any) -> tuple[Any, ...]:
    """`inputs` as a tuple. RuntimeError if it is empty, or has anything but tensors and edges."""
    targets = as_roots(inputs)
    if not targets:
        raise RuntimeError(f"`inputs` argument to `{function}()` cannot be empty.")
    for target in targets:
        if not hasattr(target, "_data") and not isinstance(target, GradientEdge):
            raise RuntimeError(
                f"all inputs have to be Tensors or GradientEdges, but got {type(target).__name__}"
            )
    return targets
