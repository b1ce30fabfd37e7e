"""Clipping gradients, between `backward` and the optimizer's step.

Source: https://docs.pytorch.org/docs/2.13/nn.html#utilities
"""

from __future__ import annotations

import math
import types
from collections.abc import Iterable

import numpy as np

from ..core.tensor import Tensor, as_array, count_change, new_tensor
from ..rows.silence import silent
from ..support.errors import warn
from ..support.missing import public_names

__all__ = ["clip_grad_norm_", "clip_grad_value_"]


@silent
def clip_grad_norm_(
    parameters: Tensor | Iterable[Tensor],
    max_norm: float,
    norm_type: float = 2.0,
    error_if_nonfinite: bool = False,
    foreach: bool | None = None,
) -> Tensor:
    """Scale all gradients by the same factor, so that their total norm is at most max_norm.

    Args:
        parameters: those without a gradient are ignored.
        max_norm: the upper bound of the total norm.
        norm_type: the order of the norm; math.inf for the largest absolute value.
        error_if_nonfinite: raise RuntimeError if the norm is inf or nan.
        foreach: selects an implementation in PyTorch; has no effect here.

    Returns:
        The total norm before scaling, as a 0-d tensor.
    """
    grads, max_norm, norm_type = _grads_of(parameters), float(max_norm), float(norm_type)
    norms = [np.linalg.norm(grad._data.reshape(-1), norm_type) for grad in grads]
    total = np.linalg.norm(np.array(norms), norm_type) if norms else np.float32(0)
    if error_if_nonfinite and not math.isfinite(total):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is"
            " non-finite, so it cannot be clipped. To disable this error and scale the gradients by"
            " the non-finite norm anyway, set `error_if_nonfinite=False`"
        )
    factor = np.minimum(max_norm / (total + 1e-6), 1.0)  # nan stays nan, as in PyTorch
    for grad in grads:
        array = as_array(grad)
        array *= factor
        count_change(grad)
    return new_tensor(total)


@silent
def clip_grad_value_(
    parameters: Tensor | Iterable[Tensor], clip_value: float, foreach: bool | None = None
) -> None:
    """Clamp every element of the gradients to the range from -clip_value to clip_value.

    `foreach` selects an implementation in PyTorch, and has no effect here.
    """
    for grad in _grads_of(parameters):
        array = as_array(grad)
        np.clip(array, -clip_value, clip_value, out=array)
        count_change(grad)


def _grads_of(parameters: Tensor | Iterable[Tensor]) -> list[Tensor]:
    """The gradients that are not None. Warns about an exhausted generator."""
    tensors = [parameters] if isinstance(parameters, Tensor) else list(parameters)
    if not tensors and isinstance(parameters, types.GeneratorType):
        warn("`parameters` is an empty generator, no gradient clipping will occur.")
    return [tensor.grad for tensor in tensors if tensor.grad is not None]


__getattr__, __dir__ = public_names(__name__, __all__)
