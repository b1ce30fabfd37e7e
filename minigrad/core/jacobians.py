"""Products with Jacobians: what a backward from several outputs computes, and what it is good for.

One backward is one vector-Jacobian product, vᵀJ, and never forms J. Everything else is built on it:

- `rows` computes one such product for each element of the output;
- `linear_in_v` records vᵀJ as a function of v. It is linear in v, so its derivative along u is Ju,
  the product from the other side, which is known as the double-backward trick.

Here inputs and vectors are tuples of tensors. `minigrad.autograd.functional` makes Jacobians,
Hessians and products with either of them, as PyTorch does.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .gradcheck import Tensors
from .targets import grad
from .tensor import Tensor

Func = Callable[..., Any]


def gradients(
    outputs: Tensors, inputs: Tensors, v: Sequence[Tensor | None] | None = None, **options: Any
) -> Tensors:
    """vᵀJ by one backward; zeros for an input that no output depends on.

    Outputs that were not recorded are constants. `v` has one vector for each output, or is None
    if they have one element each. `options` are those of `grad`.
    """
    pairs = zip(outputs, v or [None] * len(outputs), strict=True)
    recorded = [(y, vector) for y, vector in pairs if y.requires_grad]
    found: Sequence[Tensor | None] = [None] * len(inputs)
    if recorded:
        roots, vectors = zip(*recorded, strict=True)
        found = grad(roots, inputs, vectors, allow_unused=True, **options)
    reached = zip(found, inputs, strict=True)
    return tuple(x.new_zeros(x.shape) if part is None else part for part, x in reached)


def linear_in_v(outputs: Tensors, inputs: Tensors) -> tuple[Tensors, Tensors]:
    """vᵀJ, recorded as a function of v, and the v at which it was recorded.

    Zeros will do for v, because a linear function has the same derivative everywhere.
    """
    v = tuple(output.new_zeros(output.shape).requires_grad_() for output in outputs)
    return gradients(outputs, inputs, v, create_graph=True), v


def rows(output: Tensor, inputs: Tensors, **options: Any) -> Iterator[Tensors]:
    """The Jacobian of `output`, one row after another: the gradients of each element."""
    for element in output.reshape(-1).unbind():
        yield gradients((element,), inputs, retain_graph=True, **options)
