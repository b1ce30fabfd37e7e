"""Jacobian products one at a time, for functions whose Jacobians are known."""

import itertools
from collections.abc import Callable
from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function
from minigrad.autograd.functional import hessian, hvp, jacobian, jvp, vhp, vjp
from minigrad.core.jacobians import gradients, linear_in_v, rows


def double(*values: float) -> Tensor:
    return tensor(values, dtype=minigrad.float64)


def product_and_sum(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return x * y, (x**2).sum()


X, Y = double(1.0, 2.0), double(3.0, 4.0)
OF_PRODUCT = [[[3.0, 0.0], [0.0, 4.0]], [[1.0, 0.0], [0.0, 2.0]]]  # with respect to x and y
OF_SUM = [[2.0, 4.0], [0.0, 0.0]]


def listed(found: tuple[Tensor, ...]) -> list[list[float]]:
    return [each.tolist() for each in found]


def test_jacobian_has_a_block_for_each_output_and_input() -> None:
    of_product, of_sum = jacobian(product_and_sum, (X, Y))
    assert listed(of_product) == OF_PRODUCT
    assert listed(of_sum) == OF_SUM


def test_blocks_have_the_shape_of_the_output_and_that_of_the_input() -> None:
    matrix = minigrad.arange(6.0).reshape(2, 3)
    by_matrix, by_vector = jacobian(lambda a, b: a @ b, (matrix, minigrad.ones(3)))
    assert (by_matrix.shape, by_vector.shape) == ((2, 2, 3), (2, 3))
    assert by_vector.tolist() == matrix.tolist()


def test_the_products_are_those_with_the_jacobian() -> None:
    v = double(1.0, 10.0)
    assert listed(vjp(lambda x, y: x * y, (X, Y), v)[1]) == [[3.0, 40.0], [1.0, 20.0]]
    assert listed(vjp(product_and_sum, (X, Y), (v, tensor(2.0).double()))[1]) == [
        [7.0, 48.0],
        [1.0, 20.0],
    ]
    _, (along_product, along_sum) = jvp(product_and_sum, (X, Y), (v, double(0.0, 1.0)))
    assert (along_product.tolist(), along_sum.item()) == ([3.0, 42.0], 42.0)


def test_the_two_products_agree() -> None:
    """v·(Ju) is (vᵀJ)·u for every pair of unit vectors, even if J is far from symmetric."""

    def func(x: Tensor) -> Tensor:
        return (x**2).cumsum(0) * x[0]

    units = [double(1.0, 0.0), double(0.0, 1.0)]
    for u, v in itertools.product(units, units):
        (_, forward), (_, backward) = jvp(func, X, u), vjp(func, X, v)
        assert (v * forward).sum().item() == (backward * u).sum().item()


def energy(x: Tensor, y: Tensor) -> Tensor:
    return (x**2 * y).sum()


def test_second_derivatives() -> None:
    blocks = [listed(row) for row in hessian(energy, (X, Y))]
    diagonal = [[[6.0, 0.0], [0.0, 8.0]], [[2.0, 0.0], [0.0, 4.0]]]
    assert blocks == [diagonal, [diagonal[1], [[0.0, 0.0], [0.0, 0.0]]]]
    v = (double(1.0, 1.0), double(0.0, 10.0))
    for product in (hvp, vhp):
        assert listed(product(energy, (X, Y), v)[1]) == [[6, 48], [2, 4]]


class Field(Function):
    """Returns (x₀, x₀x₁): its Jacobian is not symmetric, so it is not the gradient of anything."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.sum()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        (x,) = ctx.saved_tensors
        return grad * minigrad.stack([x[0], x[0] * x[1]])


def test_hvp_and_vhp_multiply_from_different_sides() -> None:
    v = double(1.0, 10.0)
    assert hvp(Field.apply, X, v)[1].tolist() == [1.0, 12.0]
    assert vhp(Field.apply, X, v)[1].tolist() == [21.0, 10.0]


@pytest.mark.parametrize("product", [hvp, vhp])
def test_the_hessian_of_a_linear_function_is_zero(product: Callable[..., Any]) -> None:
    assert product(lambda x: (x * 3).sum(), X, Y)[1].tolist() == [0.0, 0.0]


def test_inputs_are_left_as_they_were() -> None:
    x = X.clone().requires_grad_()
    outside = Y.clone().requires_grad_()
    jacobian(lambda z: z * outside, (x,))
    hvp(lambda z: (z**3).sum(), (x,), (Y,))
    assert (x.grad, outside.grad, x._version) == (None, None, 0)


def test_gradients_pass_over_what_was_not_recorded() -> None:
    x = X.clone().requires_grad_()
    assert listed(gradients((X, Y), (x,))) == [[0.0, 0.0]]
    assert listed(gradients((X, Y, x * 2), (x,), (X, X, Y))) == [[6.0, 8.0]]


def test_zeros_for_what_is_not_reached_are_constants_again() -> None:
    x, unused = X.clone().requires_grad_(), Y.clone().requires_grad_()
    first = gradients(((x**3).sum(),), (x, unused), create_graph=True)
    assert [each.requires_grad for each in first] == [True, False]
    assert listed(gradients(first, (x, unused), (Y, Y))) == [[18.0, 48.0], [0.0, 0.0]]


def test_the_vector_of_the_double_backward_trick_is_differentiated_not_used() -> None:
    x = X.clone().requires_grad_()
    (product,), (v,) = linear_in_v((x**2,), (x,))
    assert (product.tolist(), v.tolist()) == ([0.0, 0.0], [0.0, 0.0])
    (column,) = gradients((product,), (v,), (double(1.0, 0.0),))
    assert column.tolist() == [2.0, 0.0]


def test_rows_are_the_gradients_of_the_elements() -> None:
    x, y = X.clone().requires_grad_(), Y.clone().requires_grad_()
    found = [listed(row) for row in rows(x * 2, (x, y))]
    assert found == [[[2.0, 0.0], [0.0, 0.0]], [[0.0, 2.0], [0.0, 0.0]]]
