"""Gradients of functions of one or two arrays: chains, fan-out, elementwise work, broadcasting.

A function is written once, `f(ops, *leaves)`, with what it needs (`tanh`, `sum`) taken from `ops`:
the module of the library that has them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from ..harness import Program, Step
from ..libraries import accelerator_off

Array = np.ndarray[Any, Any]
Function = Callable[..., Any]

# The functions


def chain_of_tensors(ops: Any, w: Any, b: Any, count: int) -> Any:
    """Every operation has two operands that want a gradient."""
    y = w
    for _ in range(count // 2):
        y = y * w + b
    return y


def chain_of_numbers(ops: Any, x: Any, count: int) -> Any:
    """Every operation has a Python number: there is a single path."""
    y = x
    for _ in range(count // 2):
        y = y * 0.9999 + 0.0001
    return y


def fan_out(ops: Any, x: Any, count: int) -> Any:
    """One tensor, not a leaf, used `count` times."""
    y = x * 0.5
    total = y * 0.5
    for _ in range(count - 1):
        total = total + y
    return total


def elementwise(ops: Any, x: Any, count: int) -> Any:
    """`count` operations: products, sums, tanh, with tensors and with numbers; and a sum."""
    y = x
    for _ in range(count // 4):
        y = ops.tanh(y * x + 0.5) * 0.9
    return ops.sum(y)


def outer(ops: Any, column: Any, row: Any, count: int) -> Any:
    """A column times a row, summed."""
    return ops.sum(column * row)


def leaves(function: Function, elements: int) -> list[Array]:
    """What `function` is called with: float32, the same in every library."""
    if function is chain_of_tensors:
        return [np.array(0.999, np.float32), np.array(0.001, np.float32)]
    if function in (chain_of_numbers, fan_out):
        return [np.array(0.999, np.float32)]
    values = np.random.default_rng(0).normal(size=(2, elements)).astype(np.float32)
    return [values[0, :, None], values[1, None]] if function is outer else [values[0]]


# Their gradients. The size of each program: the function, its count, the elements of its leaves.

Size = tuple[Function, int, int]


def with_torch(torch: Any, size: Size) -> Step:
    function, count, elements = size
    values = [each if each.ndim else each.item() for each in leaves(function, elements)]
    tensors = [torch.tensor(each, requires_grad=True) for each in values]

    def step() -> Sequence[Any]:
        for each in tensors:
            each.grad = None
        function(torch, *tensors, count).backward()
        return [each.grad for each in tensors]

    return step


def with_autograd(autograd: Any, size: Size) -> Step:
    import autograd.numpy

    function, count, elements = size
    arrays = leaves(function, elements)
    numbers = [each[()] for each in arrays]
    gradient = autograd.grad(
        lambda *each: function(autograd.numpy, *each, count), tuple(range(len(arrays)))
    )
    return partial(gradient, *numbers)


def with_mygrad(mygrad: Any, size: Size) -> Step:
    function, count, elements = size
    tensors = [mygrad.tensor(each) for each in leaves(function, elements)]

    def step() -> Sequence[Any]:
        function(mygrad, *tensors, count).backward()
        return [each.grad for each in tensors]

    return step


def with_dezero(dezero: Any, size: Size) -> Step:
    function, count, elements = size
    variables = [dezero.Variable(each) for each in leaves(function, elements)]

    def step() -> Sequence[Any]:
        for each in variables:
            each.cleargrad()
        function(dezero.functions, *variables, count).backward()
        return [each.grad for each in variables]

    return step


def with_micrograd(micrograd: Any, size: Size) -> Step:
    from micrograd.engine import Value

    function, count, elements = size
    numbers = [float(each) for each in leaves(function, elements)]
    sys.setrecursionlimit(10 * count + 1000)  # its backward recurses

    def step() -> Sequence[Any]:
        values = [Value(each) for each in numbers]
        function(None, *values, count).backward()
        return [each.grad for each in values]

    return step


# By hand


def elementwise_by_hand(numpy: Any, size: Size) -> Step:
    function, count, elements = size
    (x,) = leaves(function, elements)

    def step() -> Sequence[Any]:
        inputs, slopes = [], []
        y = x
        for _ in range(count // 4):
            inputs.append(y)
            t = y * x
            t += 0.5
            numpy.tanh(t, out=t)
            slopes.append(t)
            y = t * 0.9
        y.sum()
        y.fill(1.0)  # from here on the gradient
        x_grad = numpy.zeros_like(x)
        while inputs:
            t, before = slopes.pop(), inputs.pop()
            y *= 0.9
            t *= t
            numpy.subtract(1.0, t, out=t)
            y *= t
            numpy.multiply(y, before, out=t)
            x_grad += t
            y *= x
        x_grad += y
        return (x_grad,)

    return step


def outer_by_hand(numpy: Any, size: Size) -> Step:
    column, row = leaves(*size[::2])

    def step() -> Sequence[Any]:
        product = column * row
        product.sum()
        grad = numpy.broadcast_to(numpy.float32(1.0), product.shape)
        return (grad * row).sum(1, keepdims=True), (grad * column).sum(0, keepdims=True)

    return step


NUMPY_PEERS: dict[str, Program] = {
    "autograd": with_autograd,
    "mygrad": with_mygrad,
    "dezero": with_dezero,
}
ARRAYS: dict[str, Program] = {
    "minigrad": with_torch,
    "plain": accelerator_off(with_torch),
    "torch": with_torch,
    **NUMPY_PEERS,
}
SCALARS: dict[str, Program] = {**ARRAYS, "micrograd": with_micrograd}
ELEMENTWISE: dict[str, Program] = {**ARRAYS, "numpy": elementwise_by_hand}
OUTER: dict[str, Program] = {**ARRAYS, "numpy": outer_by_hand}
