"""The helpers behind Jacobian products, and a Jacobian that is not symmetric."""

from typing import Any

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function
from minigrad.autograd.functional import hvp, jacobian, vhp
from minigrad.core.jacobians import gradients, linear_in_v


def double(*values: float) -> Tensor:
    return tensor(values, dtype=minigrad.float64)


X, Y = double(1.0, 2.0), double(3.0, 4.0)


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


def test_inputs_are_left_as_they_were() -> None:
    x = X.clone().requires_grad_()
    outside = Y.clone().requires_grad_()
    jacobian(lambda z: z * outside, (x,))
    hvp(lambda z: (z**3).sum(), (x,), (Y,))
    assert (x.grad, outside.grad, x._version) == (None, None, 0)


def test_the_vector_of_the_double_backward_trick_is_differentiated_not_used() -> None:
    x = X.clone().requires_grad_()
    (product,), (v,) = linear_in_v((x**2,), (x,))
    assert (product.tolist(), v.tolist()) == ([0.0, 0.0], [0.0, 0.0])
    (column,) = gradients((product,), (v,), (double(1.0, 0.0),))
    assert column.tolist() == [2.0, 0.0]
