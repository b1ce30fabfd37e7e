"""The gradcheck that chapter 09 builds: both Jacobians, their comparison, the whole check."""

from typing import Any

import numpy as np
import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function
from minigrad.core.gradcheck import (
    agree,
    analytical_jacobians,
    gradcheck,
    numerical_jacobians,
    units,
)


def double(value: Any) -> Tensor:
    return tensor(value, dtype=minigrad.float64, requires_grad=True)


def product_and_square(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """Their Jacobians at x = (1, 2), y = 3 are below, with one row per input element."""
    return x * y, (x**2).sum()


BY_X = [[[3.0, 0.0], [0.0, 3.0]], [[2.0], [4.0]]]
BY_Y = [[[1.0, 2.0]], [[0.0]]]


def test_both_jacobians_have_a_row_for_each_element_of_the_input() -> None:
    x, y = double([1.0, 2.0]), double(3.0)
    outputs = product_and_square(x, y)
    for moved, expected in ((x, BY_X), (y, BY_Y)):
        found = numerical_jacobians(product_and_square, (x, y), moved, outputs, 1e-6)
        for jacobian, rows in zip(found, expected, strict=True):
            np.testing.assert_allclose(jacobian, rows, atol=1e-8)
    for output, *expected in zip(outputs, BY_X, BY_Y, strict=True):
        found = analytical_jacobians(output, (x, y))
        assert [jacobian.tolist() for jacobian in found] == expected
    assert x.grad is None
    assert y.grad is None


def test_units_have_the_shape_and_dtype_of_the_output() -> None:
    assert [unit.tolist() for unit in units(double([[1.0, 2.0]]))] == [[[1.0, 0.0]], [[0.0, 1.0]]]
    (unit,) = units(tensor(5.0))
    assert (unit.shape, unit.dtype, unit.item()) == ((), minigrad.float32, 1.0)


@pytest.mark.parametrize(
    ("analytical", "agrees"), [(2.5, True), (2.6, False), (float("nan"), False)]
)
def test_the_tolerance_grows_with_the_numerical_jacobian(analytical: float, agrees: bool) -> None:
    assert agree(np.array([[analytical]]), np.array([[2.0]]), atol=0.1, rtol=0.2) is agrees


class Cube(Function):
    """Cubes its input, but backward forgets the factor 3."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * ctx.saved_tensors[0] ** 2


def test_the_whole_check() -> None:
    x, y = double([1.0, 2.0]), double(3.0)
    assert gradcheck(product_and_square, (x, y)) is True
    assert gradcheck(lambda x, n: (x**n, x.detach()), (x, 3)) is True
    assert gradcheck(Cube.apply, (x,)) is False
    assert gradcheck(lambda x: (x * 2, Cube.apply(x)), (x,)) is False
    assert gradcheck(lambda x, y: Cube.apply(x) * y, (x, y)) is False  # only y is right
    assert gradcheck(Cube.apply, (double([0.0]),)) is True  # where the factor does not matter
    assert gradcheck(minigrad.exp, (double([]),)) is True
