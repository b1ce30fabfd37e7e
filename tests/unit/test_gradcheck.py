"""gradcheck and gradgradcheck where they differ from PyTorch's, and what they leave alone."""

from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function
from minigrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck


def double(value: Any) -> Tensor:
    return tensor(value, dtype=minigrad.float64, requires_grad=True)


def made(backward: Any) -> type[Function]:
    members = {"forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(backward)}
    return type("Made", (Function,), members)


def test_the_error_is_a_runtime_error_named_as_pytorchs() -> None:
    assert issubclass(GradcheckError, RuntimeError)
    assert GradcheckError.__module__ == "torch.autograd.gradcheck"


def test_tensors_nested_in_an_argument_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^gradcheck does not look into a list, as the 0th inp"):
        gradcheck(lambda xs, y: xs[0] * y, ([double(1.0)], double(2.0)))
    assert gradcheck(lambda xs, y: xs[0] * y, ([tensor(1.0)], double(2.0)))


@pytest.mark.parametrize(
    ("check", "argument", "what"),
    [
        (gradcheck, "check_forward_ad", "forward-mode differentiation"),
        (gradcheck, "check_batched_grad", "batched gradients"),
        (gradcheck, "check_batched_forward_grad", "forward-mode differentiation"),
        (gradgradcheck, "check_fwd_over_rev", "forward-mode differentiation"),
        (gradgradcheck, "check_batched_grad", "batched gradients"),
    ],
)
def test_what_is_missing_says_so(check: Any, argument: str, what: str) -> None:
    with pytest.raises(NotImplementedError, match=f"^minigrad has no {what}$"):
        check(minigrad.exp, double(1.0), **{argument: True})


def test_integer_outputs_may_be_at_any_position() -> None:
    """PyTorch's check loses count of them: it fails with an IndexError unless they come last."""
    assert gradcheck(lambda x: (x.long(), x * 2, x.long(), x * 3), double([0.5]))
    with pytest.raises(GradcheckError, match=r"^Jacobian mismatch for output 1 with"):
        gradcheck(lambda x: (x.long(), x * 2, made(lambda ctx, g: g).apply(x)), double([0.5]))


def test_cotangents_are_drawn_from_the_default_generator() -> None:
    drawn = []

    def watching(x: Tensor) -> Tensor:
        y = x * 2
        y.register_hook(lambda grad: drawn.append(grad.tolist()))
        return y

    for _ in range(2):
        minigrad.manual_seed(0)
        assert gradgradcheck(watching, double([1.0, 2.0]))
    assert drawn[: len(drawn) // 2] == drawn[len(drawn) // 2 :]
    assert all(-1 <= number < 1 for number in drawn[0])


def test_inputs_are_left_as_they_were() -> None:
    x = double([[1.0, 2.0], [3.0, 4.0]])
    x.grad = minigrad.ones(2, 2).double()
    before = x.tolist()
    assert gradcheck(lambda x: (x.t() * x).sum(), x)
    assert gradgradcheck(lambda x: (x.t() * x).sum(), x)
    assert (x.tolist(), x._version, x.grad.tolist()) == (before, 0, [[1.0, 1.0], [1.0, 1.0]])
    calls = iter(range(100))

    def breaks(x: Tensor) -> Tensor:
        if next(calls) == 3:
            raise KeyError("mine")
        return x * 2

    with pytest.raises(KeyError):
        gradcheck(breaks, x)
    assert x.tolist() == before
