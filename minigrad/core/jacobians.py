"""Products with Jacobians: what a backward from several outputs computes, and what it is good for.

One backward is one vector-Jacobian product, vᵀJ; it never forms J. Everything else is made of it:

- `jacobian` takes one such product for each element of the output, with a unit vector;
- `jvp`, the product from the other side, differentiates vᵀJ by v. It is linear in v, so its
  derivative along u is Ju: the double-backward trick;
- `hessian`, `hvp` and `vhp` are `jacobian`, `jvp` and `vjp` of the gradient.

Here inputs and vectors are tuples of tensors, and so are results. `minigrad.autograd.functional`
takes and gives single tensors too, makes results differentiable, and refuses what PyTorch refuses.

Source: https://docs.pytorch.org/docs/2.13/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from .gradcheck import Tensors, as_tuple
from .targets import grad
from .tensor import Tensor

Func = Callable[..., Any]
Gradients = tuple[Tensor | None, ...]


# Of outputs that are recorded


def gradients(
    outputs: Sequence[Tensor | None],
    inputs: Tensors,
    v: Sequence[Tensor | None] | None = None,
    **options: Any,
) -> Gradients:
    """vᵀJ by one backward; None for an input that no output depends on.

    Outputs that are None or were not recorded count as constants. `v` has one vector for each,
    or is None if they have one element each. `options` are those of `grad`.
    """
    pairs = zip(outputs, v or [None] * len(outputs), strict=True)
    recorded = [(y, vector) for y, vector in pairs if y is not None and y.requires_grad]
    if not recorded:
        return (None,) * len(inputs)
    roots, vectors = zip(*recorded, strict=True)
    return grad(roots, inputs, vectors, allow_unused=True, **options)


def zeros_like(tensor: Tensor) -> Tensor:
    """Zeros in the shape and dtype of `tensor`, outside its graph."""
    return tensor.detach().clone().zero_()


def zeros_for_none(found: Gradients, like: Tensors) -> Tensors:
    """`found`, with zeros in the shape of `like` where it has None."""
    return tuple(
        zeros_like(x) if gradient is None else gradient
        for gradient, x in zip(found, like, strict=True)
    )


def linear_in_v(outputs: Tensors, inputs: Tensors) -> tuple[Gradients, Tensors]:  # 23
    """vᵀJ, recorded as a function of v, and the v at which it was recorded.

    Zeros will do for v: a linear function has the same derivative everywhere.
    """
    v = tuple(zeros_like(output).requires_grad_() for output in outputs)
    return gradients(outputs, inputs, v, create_graph=True), v


def rows(output: Tensor, inputs: Tensors, **options: Any) -> Iterator[Gradients]:  # 23
    """The Jacobian of `output`, row by row: the gradients of one element after the other."""
    for element in output.reshape(-1).unbind():
        yield gradients([element], inputs, retain_graph=True, **options)


# Of functions


def record(func: Func, inputs: Tensors) -> tuple[Tensors, Tensors]:
    """The outputs of `func`, and the inputs that it was given: new leaves with these values."""
    sources = tuple(x.detach().requires_grad_() for x in inputs)
    return as_tuple(func(*sources)), sources


def vjp(func: Func, inputs: Tensors, v: Tensors) -> Tensors:
    """vᵀJ, one part for each input: one backward. `v` has the shapes of the outputs."""
    outputs, sources = record(func, inputs)
    return zeros_for_none(gradients(outputs, sources, v), sources)


def jvp(func: Func, inputs: Tensors, u: Tensors) -> Tensors:  # 23
    """Ju, one part for each output: two backwards. `u` has the shapes of the inputs."""
    outputs, sources = record(func, inputs)
    product, v = linear_in_v(outputs, sources)
    return zeros_for_none(gradients(product, v, u), v)


def jacobian(func: Func, inputs: Tensors) -> tuple[Tensors, ...]:  # 23
    """For each output a block for each input, of the output's shape + the input's."""
    outputs, sources = record(func, inputs)
    return tuple(blocks(output, sources) for output in outputs)


def blocks(output: Tensor, inputs: Tensors) -> Tensors:  # 23
    found = tuple(x.new_zeros((output.numel(), *x.shape)) for x in inputs)
    for number, row in enumerate(rows(output, inputs)):
        for block, gradient in zip(found, row, strict=True):
            if gradient is not None:
                block[number] = gradient
    return tuple(b.reshape(output.shape + x.shape) for b, x in zip(found, inputs, strict=True))


# Of gradients  # 23


def gradient_of(func: Func) -> Func:  # 23
    """The gradient of `func`, which has one output of one element, as a function of its inputs."""

    def gradient(*inputs: Tensor) -> Tensors:
        output = func(*inputs)
        return zeros_for_none(gradients([output], inputs, create_graph=True), inputs)

    return gradient


def hessian(func: Func, inputs: Tensors) -> tuple[Tensors, ...]:  # 23
    """For each input a block for each input: the Jacobian of the gradient."""
    return jacobian(gradient_of(func), inputs)


def hvp(func: Func, inputs: Tensors, v: Tensors) -> Tensors:  # 23
    """Hv, one part for each input: three backwards."""
    return jvp(gradient_of(func), inputs, v)


def vhp(func: Func, inputs: Tensors, v: Tensors) -> Tensors:  # 23
    """vᵀH, the same numbers where H is symmetric, by two backwards."""
    return vjp(gradient_of(func), inputs, v)
