"""Checking derivatives: what backward computes, compared with finite differences of the function.

The *numerical* Jacobian comes from moving every element of an input by ±eps and looking at the
change of every output. The *analytical* one comes from backward, called once for each element of
the output. Both have a row for each element of the input and a column for each element of the
output. Where they differ, either a backward is wrong or the function has a kink there.

Inputs should be float64, because in float32 the function's rounding error, divided by 2·eps, is
larger than any useful tolerance.

`minigrad.autograd.gradcheck` is built from these functions. It also checks the arguments and more
properties of backward, and it reports errors in PyTorch's words.

Source: https://docs.pytorch.org/docs/2.13/notes/gradcheck.html
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .tensor import Tensor, as_array, new_tensor

Array = np.ndarray[Any, Any]
Tensors = tuple[Tensor, ...]
Pairs = Iterable[tuple[Tensor, Tensor]]
Step = tuple[tuple[int, ...], Pairs]
"""The index of an element, and each output with that element one step lower and one step higher."""


def as_tuple(values: Any) -> tuple[Any, ...]:
    """What a function takes or returns, as a tuple even if it is a single tensor."""
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def requires_grad(value: Any) -> bool:
    """Whether `value` is a tensor that requires grad."""
    return isinstance(value, Tensor) and value.requires_grad


def evaluate(func: Callable[..., Any], inputs: tuple[Any, ...]) -> Tensors:
    """What `func` returns now, copied because it may be an input that is about to move."""
    return tuple(output.clone() for output in as_tuple(func(*inputs)))


# The numerical Jacobian


def differences(
    func: Callable[..., Any], inputs: tuple[Any, ...], moved: Tensor, eps: float
) -> Iterator[Step]:
    """Move each element of `moved`, one of `inputs`, down and up, and restore it."""
    values = as_array(moved)
    for index in np.ndindex(values.shape):
        original = new_tensor(np.array(values[index]))
        try:
            values[index] = as_array(original - eps)
            below = evaluate(func, inputs)
            values[index] = as_array(original + eps)
            above = evaluate(func, inputs)
        finally:
            values[index] = as_array(original)
        yield index, zip(below, above, strict=True)


def slopes(steps: Iterable[Step], moved: Tensor, outputs: Tensors, eps: float) -> list[Array]:
    """The Jacobian of each output with respect to `moved`, a row for each of its steps."""
    jacobians = [
        np.zeros((moved.numel(), output.numel()), as_array(output).dtype) for output in outputs
    ]
    for row, (_, pairs) in enumerate(steps):
        for jacobian, (below, above) in zip(jacobians, pairs, strict=True):
            jacobian[row] = as_array((above - below) / (2 * eps)).reshape(-1)
    return jacobians


def numerical_jacobians(
    func: Callable[..., Any], inputs: tuple[Any, ...], moved: Tensor, outputs: Tensors, eps: float
) -> list[Array]:
    """The Jacobian of each of `outputs`, which `func(*inputs)` returned, by differences."""
    return slopes(differences(func, inputs, moved, eps), moved, outputs, eps)


# The analytical Jacobian


def units(output: Tensor) -> Iterator[Tensor]:
    """One tensor for each element of `output`: 1 at this element and 0 everywhere else."""
    for number in range(output.numel()):
        unit = np.zeros(output.shape, as_array(output).dtype)
        unit.flat[number] = 1
        yield new_tensor(unit)


def by_backward(output: Tensor, inputs: Tensors, unit: Tensor) -> list[Tensor | None]:
    """The `.grad` of each input after `backward(unit)`; it is None again afterwards."""
    for x in inputs:
        x.grad = None
    output.backward(unit, retain_graph=True)
    found = [x.grad for x in inputs]
    for x in inputs:
        x.grad = None
    return found


def analytical_jacobians(
    output: Tensor, inputs: Tensors, gradients: Callable[..., Any] = by_backward
) -> list[Array]:
    """The Jacobian of `output` for each of `inputs`; every backward fills one column."""
    jacobians = [np.zeros((x.numel(), output.numel()), as_array(x).dtype) for x in inputs]
    for column, unit in enumerate(units(output)):
        for jacobian, gradient in zip(jacobians, gradients(output, inputs, unit), strict=True):
            if gradient is not None:  # None: the output does not depend on this input
                jacobian[:, column] = as_array(gradient).reshape(-1)
    return jacobians


# The comparison


def agree(analytical: Array, numerical: Array, atol: float, rtol: float) -> bool:
    """Whether |analytical - numerical| <= atol + rtol * |numerical| in every element."""
    return np.allclose(analytical, numerical, rtol, atol)


def gradcheck(
    func: Callable[..., Any],
    inputs: tuple[Any, ...],
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
) -> bool:
    """Whether backward through `func` agrees with finite differences of `func`.

    Args:
        func: takes tensors, returns a tensor or a tuple of them.
        inputs: its arguments; those that require grad are checked, and should be float64.
        eps: how far an element is moved to either side.
        atol, rtol: how much the Jacobians may differ; see `agree`.
    """
    checked = tuple(filter(requires_grad, inputs))
    outputs = as_tuple(func(*inputs))
    numerical = [numerical_jacobians(func, inputs, x, outputs, eps) for x in checked]
    for output, *expected in zip(outputs, *numerical, strict=True):
        if output.requires_grad:
            found = analytical_jacobians(output, checked)
            if not all(agree(a, n, atol, rtol) for a, n in zip(found, expected, strict=True)):
                return False
    return True
