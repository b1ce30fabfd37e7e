"""The user's own operations where PyTorch fails, or where no recorded program looks."""

from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function, grad
from tests.tensors import leaf


def value(x: Tensor | None) -> Any:
    return None if x is None else x.tolist()


def make(forward: Any, backward: Any) -> type[Function]:
    """A Function with this forward and backward."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type("Made", (Function,), members)


def test_an_error_in_forward_restores_the_mode() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        raise KeyError("mine")

    with pytest.raises(KeyError):
        make(forward, None).apply(leaf())
    assert minigrad.is_grad_enabled()


def test_a_saved_constant_is_the_same_object_while_alive_and_an_equal_one_after() -> None:
    def forward(ctx: Any, x: Tensor, constant: Tensor) -> Tensor:
        ctx.save_for_backward(constant)
        return x * constant

    constant = tensor([3.0])
    y = make(forward, None).apply(leaf([2.0]), constant)
    assert y.grad_fn is not None
    assert y.grad_fn.saved_tensors[0] is constant
    del constant
    assert value(y.grad_fn.saved_tensors[0]) == [3.0]


def test_saved_numbers_share_the_memory_of_the_tensors() -> None:
    def forward(ctx: Any, x: Tensor) -> Tensor:
        result = x * x
        ctx.save_for_backward(x, result)
        return result

    x = leaf(3.0) * 1
    y = make(forward, None).apply(x)
    x.data.mul_(2)
    y.data.mul_(10)
    assert [value(each) for each in y.grad_fn.saved_tensors] == [6.0, 90.0]


def test_saved_tensors_are_freed_even_if_there_were_none() -> None:
    for saved in ((), (None,)):
        y = make(lambda ctx, x, saved=saved: ctx.save_for_backward(*saved) or x * 1, None).apply(
            leaf()
        )
        assert y.grad_fn.saved_tensors == saved
        y.grad_fn.release_variables()
        with pytest.raises(RuntimeError, match=r"^Trying to backward through the graph a second"):
            _ = y.grad_fn.saved_tensors


def test_a_constant_that_forward_has_recorded_loses_its_history() -> None:
    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        with minigrad.enable_grad():
            y, part = x * 2, x[:1]
        ctx.mark_non_differentiable(y, part)
        return y, part

    x = leaf([1.0, 2.0]) * 1
    y, part = make(forward, None).apply(x)
    assert (y.requires_grad, y.grad_fn, y.is_leaf) == (False, None, True)
    assert (part._base is x, part.grad_fn is not None) == (True, True)  # detach_ refuses views


def test_retained_gradients_follow_inputs_changed_in_place_to_their_outputs() -> None:
    def forward(ctx: Any, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        ctx.mark_dirty(x.mul_(2), y.mul_(3))
        return y, x

    x, y = leaf([1.0]) * 1, leaf([1.0]) * 1
    x.retain_grad()
    y.retain_grad()
    first, second = make(forward, lambda ctx, g, h: (h, g)).apply(x, y)
    (first * 5 + second * 7).sum().backward()
    assert (value(x.grad), value(y.grad)) == ([7.0], [5.0])  # PyTorch fails an assertion here


def test_a_gradient_that_is_a_leaf_of_a_subclass() -> None:
    weight = minigrad.nn.Parameter(tensor([4.0]))
    x = leaf([1.0])
    made = make(lambda ctx, x: x.double(), lambda ctx, g: weight)
    (g,) = grad(made.apply(x * 1).sum(), x, create_graph=True)
    assert g is not None
    assert (value(g), value(grad(g.sum(), weight)[0])) == ([4.0], [1.0])


@pytest.mark.parametrize("changes", [False, True])
def test_an_input_that_is_returned_is_saved_with_its_own_history(changes: bool) -> None:
    """PyTorch checks if the node created the saved tensor, but its output is another one here."""
    seen = []

    def forward(ctx: Any, x: Tensor) -> tuple[Tensor, Tensor]:
        if changes:
            x.mul_(2)
            ctx.mark_dirty(x)
            ctx.mark_non_differentiable(x)
        ctx.save_for_backward(x)
        return x, x * 1

    def backward(ctx: Any, to_same: Tensor, to_copy: Tensor) -> Tensor:
        seen.append(ctx.saved_tensors[0].grad_fn.name())
        return to_copy

    _, copy = make(forward, backward).apply(leaf([1.0, 2.0]) * 1)
    copy.sum().backward()
    assert seen == ["MulBackward0"]
