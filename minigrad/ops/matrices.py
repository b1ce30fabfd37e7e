"""Inverse, determinant and linear equations, of one matrix or of a batch.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/torch/csrc/autograd/FunctionsManual.cpp
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor
from ..support.dtypes import from_numpy_dtype
from ..support.silence import silence
from .shapes import transpose, unsqueeze


class _LinAlgError(RuntimeError):
    """There is no solution: PyTorch's `torch.linalg.LinAlgError`."""


_LinAlgError.__module__ = "torch._C"


def check_square(name: str, array: Any) -> None:
    """RuntimeError unless `array` is a floating-point matrix of equal sides, or a batch of them."""
    if array.ndim < 2:
        raise RuntimeError(f"{name}: The input tensor A must have at least 2 dimensions.")
    rows, columns = array.shape[-2:]
    if rows != columns:
        raise RuntimeError(
            f"{name}: A must be batches of square matrices, but they are {rows} by {columns}"
            " matrices"
        )
    if array.dtype not in (np.float32, np.float64):
        kind = from_numpy_dtype(array.dtype)
        low = "Low precision dtypes not supported. Got " if kind.is_floating_point else (
            "Expected a floating point or complex tensor as input. Got "
        )  # fmt: skip
        raise RuntimeError(f"{name}: {low}{kind.legacy}")


def by_columns(array: Any) -> Any:
    """The same matrices with their columns in order in memory, as LAPACK returns them."""
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def inverse_kernel(self: Any) -> Any:
    check_square("linalg.inv", self)
    try:
        with silence():  # for `np.linalg` is written in Python and would warn in its own name
            return by_columns(np.linalg.inv(self))
    except np.linalg.LinAlgError:
        pivot = int(np.min(np.linalg.matrix_rank(self))) + 1  # where elimination ends
        raise _LinAlgError(
            f"linalg.inv: The diagonal element {pivot} is zero, the inversion could not be"
            " completed because the input matrix is singular."
        ) from None


def determinant_kernel(self: Any) -> Any:
    check_square("linalg.det", self)
    with silence():
        return np.linalg.det(self)


def solve_kernel(self: Any, other: Any) -> Any:
    check_square("linalg.solve", self)
    vector = is_vector(self, other)
    rows = other.shape[-1 if vector else -2]
    if rows != self.shape[-1]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B"
            f" ({self.shape[-2]}x{self.shape[-1]} and {rows}x{1 if vector else other.shape[-1]})"
        )
    try:
        with silence():
            if vector:
                return np.linalg.solve(self, other[..., None])[..., 0]
            return by_columns(np.linalg.solve(self, other))
    except np.linalg.LinAlgError:
        raise _LinAlgError(
            "torch.linalg.solve: The solver failed because the input matrix is singular."
        ) from None


def is_vector(self: Any, other: Any) -> bool:
    """Whether the right side of an equation is one vector for each matrix."""
    return other.ndim == 1 or bool(self.shape[:-1] == other.shape)


def solve_backward(grad: Tensor, result: Tensor, vector: bool) -> Tensor:
    """The gradient of the matrix; `grad` is that of the right side."""
    if vector:
        return -(grad.unsqueeze(-1) * result.unsqueeze(-2))
    return -(grad @ transpose(result, -2, -1))


inverse = op(
    "linalg_inv",
    inverse_kernel,
    node="LinalgInvExBackward0",
    self=lambda grad, result: -(transpose(result, -2, -1) @ (grad @ transpose(result, -2, -1))),
)
determinant = op(
    "linalg_det",
    determinant_kernel,
    node="LinalgDetBackward0",
    self=lambda grad, self, result: (
        unsqueeze(unsqueeze(grad * result, -1), -1) * transpose(inverse(self), -2, -1)
    ),
)
solve_ = op(
    "linalg_solve",
    lambda self, other, vector: solve_kernel(self, other),
    node="LinalgSolveExBackward0",
    self=lambda grad, self, vector, result: solve_backward(
        solve_(transpose(self, -2, -1), grad, vector), result, vector
    ),
    other=lambda grad, self, vector: solve_(transpose(self, -2, -1), grad, vector),
)


def inv(A: Tensor) -> Tensor:  # noqa: N803 - PyTorch's name
    """The inverse of a square matrix. RuntimeError if there is none."""
    return inverse(A)


def det(A: Tensor) -> Tensor:  # noqa: N803
    """The determinant of a square matrix."""
    return determinant(A)


def solve(A: Tensor, B: Tensor) -> Tensor:  # noqa: N803
    """The X of A X = B, for a vector or a matrix B. RuntimeError if A has no inverse."""
    return solve_(A, B, is_vector(A, B))


FUNCTIONS: dict[str, Any] = {"inverse": inverse, "det": determinant}
