"""A derivative checked: what backward computes, compared with differences of the function itself.

The *numerical* Jacobian moves every element of an input by ±eps and looks at the change of every
output. The *analytical* one asks backward, once for each element of the output. Both have one row
for each element of the input and one column for each element of the output. Where they differ,
a backward is wrong, or the function has a kink there.

Inputs should be float64: in float32 the rounding of the function, divided by 2·eps, is larger than
any useful tolerance.

`minigrad.autograd.gradcheck` is built of these functions. It asks more of the arguments and of
backward, and reports in PyTorch's words.

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
"""Where an element was moved, and each output a step below and above it."""


def as_tuple(values: Any) -> tuple[Any, ...]:
    """What a function takes or returns, as a tuple, also if it is one tensor."""
    return tuple(values) if isinstance(values, (tuple, list)) else (values,)


def requires_grad(value: Any) -> bool:
    """Whether `value` is a tensor that a gradient can be asked for."""
    return isinstance(value, Tensor) and value.requires_grad


def evaluate(func: Callable[..., Any], inputs: tuple[Any, ...]) -> Tensors:
    """What `func` returns now: copies, for it may be an input that is about to be moved again."""
    return tuple(output.clone() for output in as_tuple(func(*inputs)))


# The numerical Jacobian


def differences(
    func: Callable[..., Any], inputs: tuple[Any, ...], moved: Tensor, eps: float
) -> Iterator[Step]:
    """The steps of `moved`, one of `inputs`, element by element. It is left as it was."""
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
    """For each of `outputs`, which `func(*inputs)` returned, its Jacobian by differences."""
    return slopes(differences(func, inputs, moved, eps), moved, outputs, eps)


# The analytical Jacobian


def units(output: Tensor) -> Iterator[Tensor]:
    """One tensor for each element of `output`: 1 at this element and 0 everywhere else."""
    for number in range(output.numel()):
        unit = np.zeros(output.shape, as_array(output).dtype)
        unit.flat[number] = 1
        yield new_tensor(unit)


def by_backward(output: Tensor, inputs: Tensors, unit: Tensor) -> list[Tensor | None]:
    """What `backward(unit)` leaves in the `.grad` of each input, which is empty afterwards."""
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
    """For each of `inputs` the Jacobian of `output`: a unit into backward, a column out of it."""
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
    """Whether backward through `func` agrees with differences of `func`.

    Args:
        func: takes tensors, returns a tensor or a tuple of them.
        inputs: its arguments; those that require grad are checked, and should be float64.
        eps: how far an element is moved to either side.
        atol, rtol: how far the Jacobians may be apart; see `agree`.
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
