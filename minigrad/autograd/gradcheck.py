"""The public `gradcheck` and `gradgradcheck`, with PyTorch's options and error messages.

The two Jacobians come from `minigrad.core.gradcheck`. This module also checks three properties that
the rest of autograd relies on: backward gives the same result each time, is linear in grad_output
(so zeros give zeros), and works if an output gets no gradient.

The function is called in the same order and as often as in PyTorch, so one that counts its calls or
modifies its arguments behaves the same.

In the package, the name `gradcheck` is the function rather than this module, as in PyTorch. To get
at the module, use `from minigrad.autograd.gradcheck import GradcheckError`.

Source: https://docs.pytorch.org/docs/2.13/notes/gradcheck.html
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ..core.function import Function
from ..core.gradcheck import (
    Array,
    Tensors,
    agree,
    analytical_jacobians,
    as_tuple,
    differences,
    requires_grad,
    slopes,
)
from ..core.targets import grad
from ..core.tensor import Tensor, new_tensor
from ..ops.creation import empty, zeros_like
from ..rows.silence import silence
from ..support.errors import warn

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """The check failed: the two Jacobians differ, or backward lacks a required property."""

    __module__ = "torch.autograd.gradcheck"


NOT_REENTRANT = """\
Backward is not reentrant, i.e., running backward with same input and grad_output multiple times \
gives different values, although analytical gradient matches numerical gradient.The tolerance for \
nondeterminism was {}.

NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether backward through `func` agrees with finite differences of `func`.

    Args:
        func: takes tensors, returns a tensor or a tuple of them.
        inputs: its arguments; those that require grad are checked, and should be float64.
        eps: the step of the finite differences, to either side.
        atol, rtol: the Jacobians agree if |analytical - numerical| <= atol + rtol * |numerical|.
        raise_exception: raise GradcheckError, with the two Jacobians, rather than return False.
        nondet_tol: by how much two runs of backward may differ.
        check_undefined_grad: also check that backward works if outputs get no gradient.
        fast_mode: has no effect; in PyTorch, it compares a single number for each Jacobian.
        check_grad_dtypes, masked: have no effect, because the engine casts every gradient to the
            dtype of its input, and all tensors are dense.

    Raises:
        GradcheckError: backward is wrong.
        ValueError: no input requires grad.
        NotImplementedError: one of the other arguments is not at its default.
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError(
            "Expected at least one of check_forward_ad or check_backward_ad to be True"
        )
    refuse("forward-mode differentiation", check_forward_ad or check_batched_forward_grad)
    refuse("batched gradients", check_batched_grad)
    arguments = as_tuple(inputs)
    checked = differentiable_inputs(arguments)
    try:
        results = as_tuple(func(*arguments))
        outputs = requiring_grad(results)
        require_jacobians(func, arguments, checked, results, eps, atol, rtol, nondet_tol)
        if not has_zero_grads(outputs, checked):
            raise GradcheckError("backward not multiplied by grad_output")
        if check_undefined_grad:
            require_undefined_grad_support(func, arguments, checked, len(outputs))
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def refuse(what: str, wanted: bool) -> None:
    if wanted:
        raise NotImplementedError(f"minigrad has no {what}")


def requiring_grad(values: tuple[Any, ...]) -> Tensors:
    return tuple(each for each in values if each.requires_grad)


def differentiable_inputs(arguments: tuple[Any, ...]) -> Tensors:
    """The arguments to check. ValueError if there are none, RuntimeError if one overlaps itself."""
    checked = []
    for index, argument in enumerate(arguments):
        if not requires_grad(argument):
            continue
        if argument.dtype.name != "float64":
            warn(
                f"Input #{index} requires gradient and is not a double precision floating point"
                " or complex. This check will likely fail if all the inputs are not of double"
                " precision floating point or complex. "
            )
        steps = zip(argument.stride(), argument.shape, strict=True)
        if argument.numel() and any(step == 0 and size > 1 for step, size in steps):
            raise RuntimeError(
                f"The {index}th input has a dimension with stride 0. gradcheck only supports"
                " inputs that are non-overlapping to be able to compute the numerical gradients"
                " correctly. You should call .contiguous on the input before passing it to"
                " gradcheck."
            )
        checked.append(argument)
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have"
            " requires_grad=True."
        )
    for index, argument in enumerate(arguments):
        if isinstance(argument, (tuple, list)) and any(map(requires_grad, argument)):
            kind = type(argument).__name__
            raise ValueError(f"gradcheck does not look into a {kind}, as the {index}th input is")
    return tuple(checked)


# The two Jacobians, and the other requirements


def reproducible_jacobians(output: Tensor, checked: Tensors, nondet_tol: float) -> list[Array]:
    """The Jacobians of `output` by backward. GradcheckError if a second run differs."""
    vjp = partial(grad, retain_graph=True, allow_unused=True)
    first, second = (analytical_jacobians(output, checked, vjp) for _ in range(2))
    for expected, found in zip(first, second, strict=True):
        difference = new_tensor(expected) - new_tensor(found)
        if expected.size and difference.abs().max() > nondet_tol:
            raise GradcheckError(NOT_REENTRANT.format(nondet_tol))
    return first


def require_jacobians(
    func: Callable[..., Any],
    arguments: tuple[Any, ...],
    checked: Tensors,
    results: Tensors,
    eps: float,
    atol: float,
    rtol: float,
    nondet_tol: float,
) -> None:
    """Raise unless the two Jacobians of every output agree, element by element.

    If no output requires grad, the floating-point outputs must not depend on the inputs.
    """
    slopes_by_input = []
    for tensor in checked:
        steps = differences(func, arguments, tensor, eps)
        slopes_by_input.append(slopes(steps, tensor, results, eps))
    numerical = list(zip(results, zip(*slopes_by_input, strict=True), strict=True))
    recorded = [(output, row) for output, row in numerical if output.requires_grad]
    for output, row in numerical:
        if not recorded and output.is_floating_point() and any(each.any() for each in row):
            raise GradcheckError("Numerical gradient for function expected to be zero")
    for k, (output, row) in enumerate(recorded):
        found = reproducible_jacobians(output, checked, nondet_tol)
        for j, (analytical, expected) in enumerate(zip(found, row, strict=True)):
            with silence():
                agrees = agree(analytical, expected, atol, rtol)
            if not agrees:
                raise GradcheckError(
                    f"Jacobian mismatch for output {k} with respect to input {j},\n"
                    f"numerical:{new_tensor(expected)}\nanalytical:{new_tensor(analytical)}\n"
                )


def has_zero_grads(outputs: Tensors, checked: Tensors) -> bool:
    """Whether grad_outputs of zeros give zeros or None; they must, because backward is linear."""
    grads = grad(outputs, checked, [zeros_like(each) for each in outputs], allow_unused=True)
    return all(gradient is None or gradient.eq(0).all() for gradient in grads)


def require_undefined_grad_support(
    func: Callable[..., Any], arguments: tuple[Any, ...], checked: Tensors, count: int
) -> None:
    """Raise unless backward gives zero or None if all outputs, or any one of them, get no gradient.

    Args:
        count: how many outputs of `func` require grad.
    """

    def trial(without: range) -> Tensors:
        outputs = requiring_grad(as_tuple(func(*arguments)))
        return tuple(UndefinedGrad.apply(o) if k in without else o for k, o in enumerate(outputs))

    trials = [trial(range(count))]
    if count > 1:
        trials += [trial(range(k, k + 1)) for k in range(count)]
    for outputs in trials:
        try:
            has_zeros = has_zero_grads(outputs, checked)
        except RuntimeError as error:
            raise missing_support(
                "Expected backward function to handle undefined output grads"
            ) from error
        if not has_zeros:
            raise missing_support(
                "Expected all input grads to be undefined or zero when all output grads are"
                " undefined or zero"
            )


class UndefinedGrad(Function):
    """The identity in forward, but without a gradient in backward."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor) -> Tensor:
        return tensor.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> None:
        return None


def missing_support(problem: str) -> GradcheckError:
    """The error for a backward that does not support a missing gradient, with PyTorch's warning."""
    warn(
        "Backwards compatibility: New undefined gradient support checking feature is enabled by"
        " default, but it may break existing callers of this function. If this is true for you, you"
        ' can call this function with "check_undefined_grad=False" to disable the feature'
    )
    return GradcheckError(
        f'{problem}. Please look at "Notes about undefined output gradients" in'
        ' "tools/autograd/derivatives.yaml"'
    )


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Whether the second derivatives of `func` agree with finite differences of its gradients.

    Args:
        grad_outputs: the cotangents to use, which are checked like inputs if they require grad. By
            default they are random numbers from -1 to 1 that require grad.
        gen_non_contig_grad_outputs: make these random tensors non-contiguous.
        func, inputs and the others: as for `gradcheck`.
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError(
            "Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True"
        )
    arguments = as_tuple(inputs)
    if grad_outputs is None:
        outputs = requiring_grad(as_tuple(func(*arguments)))
        cotangents = tuple(random_cotangent(o, gen_non_contig_grad_outputs) for o in outputs)
    else:
        cotangents = as_tuple(grad_outputs)
    count = len(cotangents)

    def first_derivative(*arguments: Any) -> Tensors:
        sources = list(filter(requires_grad, arguments[:-count]))
        results = requiring_grad(as_tuple(func(*arguments[:-count])))
        grads = grad(results, sources, arguments[-count:], create_graph=True, allow_unused=True)
        return tuple(gradient for gradient in grads if gradient is not None)

    return gradcheck(
        first_derivative,
        arguments + cotangents,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def random_cotangent(output: Tensor, non_contiguous: bool) -> Tensor:
    cotangent = empty(*output.shape, 2 if non_contiguous else 1, dtype=output.dtype).uniform_(-1, 1)
    return cotangent[..., 0].requires_grad_()
