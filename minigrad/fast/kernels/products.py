"""Faster kernels for `ops.products`, `contractions` and `matrices`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import matrices
from ...ops import products as plain
from .arrays import TWINS, kernel_of, on_arrays, twin_of

BOOL = np.dtype(bool)


def product(self: Any, mat2: Any) -> Any:
    """`self @ mat2`.

    `dot` takes a third of a microsecond less to begin, but fills the result with zeros first, which
    costs more than that if there are many rows.
    """
    return self.dot(mat2) if len(self) < 256 else self @ mat2


def checked(self: Any, mat2: Any) -> None:
    """What `check_matrices` does, sooner where all is well."""
    fits = self.ndim == mat2.ndim == 2 and self.shape[1] == mat2.shape[0]
    kind = self.dtype
    if not fits or kind is not mat2.dtype or kind is BOOL:
        plain.check_matrices(self, mat2)


@kernel_of(plain.mm)
def mm(self: Any, mat2: Any) -> Any:
    """self @ mat2"""
    checked(self, mat2)
    return plain.mm_kernel(self, mat2) if self.shape[1] == 1 else product(self, mat2)


@kernel_of(plain.addmm)
def addmm(self: Any, mat1: Any, mat2: Any) -> Any:
    """self + mat1 @ mat2"""
    if not self.dtype is mat1.dtype is mat2.dtype:
        return plain.addmm_kernel(self, mat1, mat2)  # which says what is wrong
    checked(mat1, mat2)
    result = plain.product(mat1, mat2) if mat1.shape[1] == 1 else product(mat1, mat2)
    result += self
    return result


for helper in (plain.left, plain.right):
    TWINS[helper] = on_arrays(helper)


@twin_of(matrices.solve_backward)
def solve_backward(grad: Any, result: Any, vector: bool) -> Any:
    if vector:
        return -(grad[..., None] * result[..., None, :])
    return -(grad @ np.swapaxes(result, -2, -1))
