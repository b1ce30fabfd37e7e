"""`gradcheck`: compare the derivatives that backward computes with differences of the function
itself.

The numerical Jacobian moves every element of every input by ±eps and looks at the change of every
output; the analytical one calls backward with one unit cotangent after the other. Double precision
is needed: in float32 the rounding of the function, divided by 2·eps, is larger than any useful
tolerance.

Source: https://docs.pytorch.org/docs/2.13/notes/gradcheck.html
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .engine import grad
from .function import Function
from .grad_mode import enable_grad, no_grad
from .tensor import Tensor, new_tensor


class GradcheckError(RuntimeError):
    """The check failed: two Jacobians differ, or backward is not what it should be."""

    __module__ = "torch.autograd.gradcheck"


UNDEFINED = (
    "Expected backward function to handle undefined output grads. Please look at "
    '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)
NOT_REENTRANT = (
    "Backward is not reentrant, i.e., running backward with same input and grad_output multiple"
    " times gives different values, although analytical gradient matches numerical gradient.The"
    " tolerance for nondeterminism was {}."
)


def gradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
) -> bool:
    """Whether backward through `func` agrees with differences of `func`.

    Args:
        func: takes tensors, returns a tensor or a tuple of them.
        inputs: its arguments; those that require grad are checked, and should be float64.
        eps: how far an element is moved to either side.
        atol, rtol: the Jacobians agree if |numerical - analytical| <= atol + rtol * |analytical|.
        raise_exception: raise GradcheckError with the two Jacobians, rather than return False.
        nondet_tol: how much two runs of backward may differ.
        check_undefined_grad: also check that backward copes with outputs that get no gradient.
        check_grad_dtypes: also check that gradients have the dtype of their inputs.

    Raises:
        GradcheckError: they do not agree. ValueError: no input requires grad.
    """
    arguments = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    checked = differentiable_inputs(arguments)
    try:
        outputs = differentiable_outputs(func(*arguments))
        numerical = numerical_jacobians(func, arguments, checked, eps)
        if not outputs:
            if any(np.any(np.abs(jacobian) > atol) for row in numerical for jacobian in row):
                raise GradcheckError("Numerical gradient for function expected to be zero")
            return True
        compare(func, arguments, checked, numerical, (atol, rtol, nondet_tol, check_grad_dtypes))
        if check_undefined_grad:
            check_undefined(func, arguments, checked)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def differentiable_inputs(arguments: tuple[Any, ...]) -> list[Tensor]:
    checked = []
    for index, argument in enumerate(arguments):
        if isinstance(argument, Tensor) and argument.requires_grad:
            if argument.dtype.name != "float64":
                warnings.warn(
                    f"Input #{index} requires gradient and is not a double precision floating point"
                    " or complex. This check will likely fail if all the inputs are not of double"
                    " precision floating point or complex. ",
                    UserWarning,
                    stacklevel=3,
                )
            if any(step == 0 for step in argument._data.strides):
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
    return checked


def differentiable_outputs(result: Any) -> list[Tensor]:
    outputs = result if isinstance(result, (tuple, list)) else (result,)
    return [output for output in outputs if output.requires_grad]


def numerical_jacobians(
    func: Callable[..., Any], arguments: tuple[Any, ...], checked: list[Tensor], eps: float
) -> list[list[np.ndarray[Any, Any]]]:
    """For each input and output the Jacobian, (inputs, outputs), by central differences."""
    jacobians = []
    for tensor in checked:
        array = tensor.data.numpy()
        columns = []
        for index in np.ndindex(array.shape):
            original = array[index]
            try:
                array[index] = original + eps
                above = evaluate(func, arguments)
                array[index] = original - eps
                below = evaluate(func, arguments)
            finally:
                array[index] = original
            columns.append([(a - b) / (2 * eps) for a, b in zip(above, below, strict=True)])
        sizes = [each.size for each in evaluate(func, arguments)]
        jacobians.append(
            [
                np.array([column[k] for column in columns], tensor.dtype.numpy).reshape(
                    tensor.numel(), size
                )
                for k, size in enumerate(sizes)
            ]
        )
    return jacobians


def evaluate(func: Callable[..., Any], arguments: tuple[Any, ...]) -> list[np.ndarray[Any, Any]]:
    """The outputs of `func` that could be differentiated, as flat float arrays."""
    with no_grad():
        result = func(*arguments)
    outputs = result if isinstance(result, (tuple, list)) else (result,)
    return [np.array(o.detach().numpy()).ravel() for o in outputs if o.is_floating_point()]


def analytical_jacobian(
    output: Tensor, checked: list[Tensor], dtypes: bool
) -> list[np.ndarray[Any, Any]]:
    """For each input the Jacobian of `output`, (inputs, outputs), a backward for each column."""
    columns = [np.zeros((tensor.numel(), output.numel()), tensor.dtype.numpy) for tensor in checked]
    for k in range(output.numel()):
        cotangent = np.zeros(output.numel(), output.dtype.numpy)
        cotangent[k] = 1
        grads = grad(
            output,
            checked,
            new_tensor(cotangent.reshape(output.shape)),
            retain_graph=True,
            allow_unused=True,
        )
        for column, tensor, gradient in zip(columns, checked, grads, strict=True):
            if gradient is not None:
                if dtypes and gradient.dtype is not tensor.dtype:
                    raise GradcheckError("Gradient has dtype mismatch")
                column[:, k] = gradient.detach().numpy().ravel()
    return columns


def compare(
    func: Callable[..., Any],
    arguments: tuple[Any, ...],
    checked: list[Tensor],
    numerical: list[list[np.ndarray[Any, Any]]],
    options: tuple[float, float, float, bool],
) -> None:
    """Raise unless analytical and numerical Jacobians agree, and a second backward as well."""
    atol, rtol, nondet_tol, dtypes = options
    with enable_grad():
        result = func(*arguments)
    outputs = [
        o
        for o in (result if isinstance(result, (tuple, list)) else (result,))
        if o.is_floating_point()
    ]
    for k, output in enumerate(outputs):
        if not output.requires_grad:
            continue
        first = analytical_jacobian(output, checked, dtypes)
        for j, analytical in enumerate(first):
            if not np.allclose(numerical[j][k], analytical, rtol, atol):
                raise GradcheckError(
                    f"Jacobian mismatch for output {k} with respect to input {j},\n"
                    f"numerical:{new_tensor(numerical[j][k])}\nanalytical:{new_tensor(analytical)}\n"
                )
        again = analytical_jacobian(output, checked, dtypes)
        for one, other in zip(first, again, strict=True):
            if not np.allclose(one, other, 0, nondet_tol):
                raise GradcheckError(NOT_REENTRANT.format(nondet_tol))


class UndefinedGrad(Function):
    """Passes a tensor on, and no gradient back."""

    @staticmethod
    def forward(ctx: Any, tensor: Tensor) -> Tensor:
        return tensor.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> None:
        return None


def check_undefined(
    func: Callable[..., Any], arguments: tuple[Any, ...], checked: list[Tensor]
) -> None:
    """Raise unless backward gives zero, or nothing, when no output gets a gradient."""
    outputs = [UndefinedGrad.apply(output) for output in differentiable_outputs(func(*arguments))]
    try:
        grads = grad(
            outputs,
            checked,
            [new_tensor(np.ones_like(o._data)) for o in outputs],
            allow_unused=True,
        )
    except RuntimeError as error:
        raise GradcheckError(UNDEFINED) from error
    if any(gradient is not None and np.any(gradient.detach().numpy()) for gradient in grads):
        raise GradcheckError(UNDEFINED)


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Tensor | Sequence[Any],
    grad_outputs: Tensor | Sequence[Tensor] | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
) -> bool:
    """Whether backward through the backward of `func` agrees with differences: `gradcheck` one
    order higher.

    Args:
        grad_outputs: the cotangents at which to check; random ones by default.
        func, inputs and the others: as for `gradcheck`.
    """
    arguments = (inputs,) if isinstance(inputs, Tensor) else tuple(inputs)
    if grad_outputs is None:
        generator = np.random.default_rng(0)
        cotangents = [
            new_tensor(
                generator.standard_normal(output.shape).astype(output.dtype.numpy),
                requires_grad=True,
            )
            for output in differentiable_outputs(func(*arguments))
        ]
    else:
        cotangents = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)

    def first_derivative(*together: Any) -> tuple[Tensor | None, ...]:
        sources = [
            each
            for each in together[: len(arguments)]
            if isinstance(each, Tensor) and each.requires_grad
        ]
        with enable_grad():
            outputs = differentiable_outputs(func(*together[: len(arguments)]))
            return grad(
                outputs,
                sources,
                together[len(arguments) :],
                create_graph=True,
                materialize_grads=True,
            )

    return gradcheck(
        first_derivative,
        (*arguments, *cotangents),
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
    )
