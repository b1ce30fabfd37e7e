"""gradcheck and gradgradcheck: what they find, require, and leave alone."""

from typing import Any

import pytest

import minigrad
from minigrad import Tensor, tensor
from minigrad.autograd import Function
from minigrad.autograd.gradcheck import GradcheckError, gradcheck, gradgradcheck


def double(value: Any) -> Tensor:
    return tensor(value, dtype=minigrad.float64, requires_grad=True)


class WrongSine(Function):
    """Its first derivative is right, but it cannot be differentiated again."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Tensor:
        ctx.save_for_backward(x)
        return x.sin()

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> Tensor:
        return grad * ctx.saved_tensors[0].detach().cos()


def made(backward: Any) -> type[Function]:
    members = {"forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(backward)}
    return type("Made", (Function,), members)


@pytest.mark.parametrize(
    ("func", "inputs"),
    [
        (lambda x: x.exp() * x, double([0.5, 1.5])),
        (lambda x: x**3, double(2.0)),
        (lambda x, y: (x @ y, x.sum()), (double([[1.0, 2.0]]), double([[3.0], [4.0]]))),
        (lambda x, n: x * n, (double([1.0]), 3)),
        (lambda x, y: x * y, (double([1.0, 2.0]), tensor([3.0, 4.0], dtype=minigrad.float64))),
        (lambda x: x[:0].sum() + x.sum(), double([1.0])),
        (lambda x: x.clone().mul_(x), double([1.0, 2.0])),
        (lambda x: [x * 2, x * 3], double([0.5])),
    ],
)
def test_right_derivatives_pass(func: Any, inputs: Any) -> None:
    assert gradcheck(func, inputs) is True
    assert gradgradcheck(func, inputs) is True


def test_wrong_derivatives_fail_with_both_jacobians() -> None:
    wrong = made(lambda ctx, g: g * 3)
    with pytest.raises(
        GradcheckError, match=r"^Jacobian mismatch for output 0 with respect to inp"
    ) as e:
        gradcheck(wrong.apply, double([1.0, 2.0]))
    text = str(e.value)
    assert "numerical:tensor([[2.0000, 0.0000],\n        [0.0000, 2.0000]]" in text
    assert "analytical:tensor([[3., 0.],\n        [0., 3.]]" in text
    assert gradcheck(wrong.apply, double([1.0]), raise_exception=False) is False


def test_the_error_is_a_runtime_error_named_as_pytorchs() -> None:
    assert issubclass(GradcheckError, RuntimeError)
    assert GradcheckError.__module__ == "torch.autograd.gradcheck"


def test_the_failing_input_and_output_are_named() -> None:
    class Second(Function):
        @staticmethod
        def forward(ctx: Any, x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
            return x + y, x + 2 * y

        @staticmethod
        def backward(ctx: Any, a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
            return a + b, a + b

    with pytest.raises(
        GradcheckError, match=r"^Jacobian mismatch for output 1 with respect to input 1"
    ):
        gradcheck(Second.apply, (double(1.0), double(2.0)))


def test_tolerances() -> None:
    close = made(lambda ctx, g: g * 2.001)
    assert not gradcheck(close.apply, double(1.0), rtol=1e-5, raise_exception=False)
    assert gradcheck(close.apply, double(1.0), rtol=1e-2)
    assert gradcheck(close.apply, double(1.0), rtol=0, atol=0.01)
    # The tolerance scales with the numerical Jacobian, 2, and not with the analytical one.
    half = made(lambda ctx, g: g)
    assert gradcheck(half.apply, double(1.0), rtol=0.51, atol=0)


def test_second_derivatives_are_seen_by_gradgradcheck_alone() -> None:
    assert gradcheck(WrongSine.apply, double([0.5]))
    with pytest.raises(GradcheckError, match=r"^Jacobian mismatch"):
        gradgradcheck(WrongSine.apply, double([0.5]))


def test_gradgradcheck_at_given_cotangents() -> None:
    assert gradgradcheck(lambda x: x**3, double([1.0, 2.0]), double([3.0, 4.0]))


def test_backward_that_differs_from_run_to_run() -> None:
    noise = iter(range(1000))
    unsteady = made(lambda ctx, g: g * (2 + next(noise) * 1e-7))
    with pytest.raises(GradcheckError, match=r"^Backward is not reentrant"):
        gradcheck(unsteady.apply, double([1.0]))
    assert gradcheck(unsteady.apply, double([1.0]), nondet_tol=1e-3)


def test_backward_that_fails_on_missing_gradients() -> None:
    members: dict[str, Any] = {
        "forward": staticmethod(lambda ctx, x: ctx.set_materialize_grads(False) or x * 2),
        "backward": staticmethod(
            lambda ctx, g: g * 2 if g is not None else minigrad.ones(1).double()
        ),
    }
    needy = type("Needy", (Function,), members)
    with (
        pytest.warns(UserWarning, match=r"^Backwards compatibility: New undefined gradient"),
        pytest.raises(GradcheckError, match=r"^Expected all input grads to be undefined or zero"),
    ):
        gradcheck(needy.apply, double([1.0]))
    assert gradcheck(needy.apply, double([1.0]), check_undefined_grad=False)


def test_functions_that_do_not_depend_on_their_input() -> None:
    assert gradcheck(lambda x: tensor([1.0], dtype=minigrad.float64), double([1.0]))
    with pytest.raises(
        GradcheckError, match=r"^Numerical gradient for function expected to be zero"
    ):
        gradcheck(lambda x: x.detach() * 2, double([1.0]))


def test_float32_is_warned_about_and_too_coarse() -> None:
    x = tensor([0.5], requires_grad=True)
    with (
        pytest.warns(
            UserWarning, match=r"^Input #0 requires gradient and is not a double precision"
        ),
        pytest.raises(GradcheckError),
    ):
        gradcheck(lambda x: x.exp(), x)


def test_inputs_that_cannot_be_checked() -> None:
    with pytest.raises(
        ValueError, match=r"^gradcheck expects at least one input tensor to require grad"
    ):
        gradcheck(lambda x: x, tensor([1.0]))
    expanded = tensor([[1.0]], dtype=minigrad.float64).expand(2, 1).requires_grad_()
    with pytest.raises(RuntimeError, match=r"^The 0th input has a dimension with stride 0"):
        gradcheck(lambda x: x * 2, expanded)


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


def test_non_contiguous_inputs() -> None:
    x = minigrad.arange(6, dtype=minigrad.float64).reshape(2, 3).t().requires_grad_()
    assert not x.is_contiguous()
    assert gradcheck(lambda x: x**2, x)
