"""Products of vectors and matrices. As in PyTorch, `matmul` is composed of the others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor, count_change
from ..support import dtypes, errors
from ..rows.declarations import export
from ..support.dtypes import from_numpy_dtype
from ..support.shapes import broadcast_shape
from .shapes import reshape, t, t_, transpose, unsafe_view, unsqueeze


SMALL = 400  # multiplications, below which PyTorch's `bmm` has a kernel of its own


def same_dtype(message: str, a: Any, b: Any) -> None:
    if a.dtype != b.dtype:
        first, second = from_numpy_dtype(a.dtype), from_numpy_dtype(b.dtype)
        raise RuntimeError(message.format(first.legacy, second.legacy, first.c_name, second.c_name))


def refuse_bools(function: str, a: Any, b: Any) -> None:
    """NotImplementedError for a product of bools, unless one of the operands is empty."""
    if a.dtype.kind == "b" and a.size and b.size:
        raise errors.not_implemented(function, dtypes.bool_)


def dot_kernel(self: Any, tensor: Any) -> Any:
    if self.ndim != 1 or tensor.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {self.ndim}D and {tensor.ndim}D tensors")
    same_dtype("dot : expected both vectors to have same dtype, but found {} and {}", self, tensor)
    if self.shape != tensor.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{self.size}] and src [{tensor.size}] to"
            f" have the same number of elements, but got {self.size} and {tensor.size} elements"
            " respectively"
        )
    if self.dtype.kind == "b":
        raise errors.not_implemented("dot", dtypes.bool_)
    return self @ tensor


def mv_kernel(self: Any, vec: Any) -> Any:
    if self.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got 1, {self.ndim}, {vec.ndim}")
    if self.shape[1] != vec.shape[0]:
        raise RuntimeError(
            f"size mismatch, got input ({self.shape[0]}), mat ({self.shape[0]}x{self.shape[1]}), "
            f"vec ({vec.shape[0]})"
        )
    same_dtype("addmv input tensors must have the same dtype, but got {1}, {0}, and {1}", self, vec)
    refuse_bools("addmv_impl_cpu", self, vec)
    return self @ vec


def mm_kernel(self: Any, mat2: Any) -> Any:
    check_matrices(self, mat2)
    number = self.shape[1] == 1 and 1 in (len(self), mat2.shape[1])
    return self @ mat2 if number else product(self, mat2)


def product(self: Any, mat2: Any) -> Any:
    """`self @ mat2`, but without BLAS for a column times a row, because adding to 0 loses a -0.

    `dot` has less overhead than `@`, but it zeroes the result first, which is slow for many rows.
    """
    if self.shape[1] == 1:
        return np.multiply(self, mat2, order="C")
    return self.dot(mat2) if len(self) < 256 else self @ mat2


def check_matrices(self: Any, mat2: Any) -> None:
    fit = self.ndim == mat2.ndim == 2 and self.shape[1] == mat2.shape[0]
    if fit and self.dtype is mat2.dtype and self.dtype.kind == "f":
        return
    for name, matrix in (("self", self), ("mat2", mat2)):
        if matrix.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    if self.shape[1] != mat2.shape[0]:
        (rows, columns), (rows2, columns2) = self.shape, mat2.shape
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({rows}x{columns} and {rows2}x{columns2})"
        )
    same_dtype("expected m1 and m2 to have the same dtype, but got: {2} != {3}", self, mat2)
    refuse_bools("addmm_impl_cpu_", self, mat2)


def bmm_kernel(self: Any, mat2: Any) -> Any:
    for name, batch in (("batch1", self), ("batch2", mat2)):
        if batch.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if self.shape[0] != mat2.shape[0] or self.shape[2] != mat2.shape[1]:
        expected = [self.shape[0], self.shape[2]]
        raise RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {expected} "
            f"but got: {list(mat2.shape[:2])}."
        )
    if not self.size or not mat2.size:  # PyTorch then ignores the first dtype
        return (self @ mat2).astype(mat2.dtype, copy=False)
    small = self.shape[1] * self.shape[2] * mat2.shape[2] < SMALL
    refuse_bools("bmm" if small else "addmm_impl_cpu_", self, mat2)
    same_dtype("expected scalar type {0} but found {1}", self, mat2)
    return self @ mat2


def addmm_kernel(self: Any, mat1: Any, mat2: Any) -> Any:
    same_dtype("mat1 and mat2 must have the same dtype, but got {} and {}", mat1, mat2)
    same_dtype("self and mat2 must have the same dtype, but got {} and {}", self, mat2)
    check_matrices(mat1, mat2)
    return added(self, product(mat1, mat2))


def added(self: Any, product: Any) -> Any:
    """`product` plus `self`, which must broadcast to its shape, else ValueError."""
    product += self
    return product


# The gradient of a matrix has the same memory layout as the matrix, which for a transposed weight
# is the layout of the weight.


def grad_of_left(grad: Tensor, strides: tuple[int, int], mat2: Tensor) -> Tensor:
    """The gradient of the left matrix, which has these strides, in a product with `mat2`."""
    return t_(mm(mat2, t_(grad))) if 0 < strides[0] < strides[1] else mm(grad, t_(mat2))


def grad_of_right(grad: Tensor, mat1: Tensor, strides: tuple[int, int]) -> Tensor:
    """The gradient of the right matrix, which has these strides, in a product with `mat1`."""
    return t_(mm(t_(grad), mat1)) if 0 < strides[0] < strides[1] else mm(t_(mat1), grad)


dot = op(
    "dot",
    dot_kernel,
    doc=(
        "The sum of the products of two vectors. Shapes: (n), (n) → ().\n\n"
        "RuntimeError for other shapes and for two dtypes."
    ),
    self=lambda grad, tensor: grad * tensor,
    tensor=lambda grad, self: grad * self,
)
mv = op(
    "mv",
    mv_kernel,
    doc=(
        "The product of a matrix and a vector. Shapes: (n, m), (m) → (n).\n\n"
        "RuntimeError for other shapes and for two dtypes."
    ),
    self=lambda grad, vec: reshape(grad, (-1, 1)) * vec,
    vec=lambda grad, self: t_(self) @ grad,
)
mm = op(
    "mm",
    mm_kernel,
    doc=(
        "The product of two matrices. Shapes: (n, m), (m, p) → (n, p).\n\n"
        "RuntimeError for other shapes and for two dtypes."
    ),
    self=lambda grad, self_strides, mat2: grad_of_left(grad, self_strides, mat2),
    mat2=lambda grad, self, mat2_strides: grad_of_right(grad, self, mat2_strides),
)
bmm = op(
    "bmm",
    bmm_kernel,
    doc=(
        "The matrix products of two batches. Shapes: (b, n, m), (b, m, p) → (b, n, p).\n\n"
        "RuntimeError for other shapes and for two dtypes."
    ),
    self=lambda grad, mat2: bmm(grad, transpose(mat2, 1, 2)),
    mat2=lambda grad, self: bmm(transpose(self, 1, 2), grad),
)
addmm = op(
    "addmm",
    addmm_kernel,
    self=lambda grad: grad,
    mat1=lambda grad, mat1_strides, mat2: grad_of_left(grad, mat1_strides, mat2),
    mat2=lambda grad, mat1, mat2_strides: grad_of_right(grad, mat1, mat2_strides),
)
drop_row = op(
    "drop_row", lambda self: self[0], node="SqueezeBackward4", self=lambda grad: unsqueeze(grad, 0)
)  # what matmul does to the product of a row with a matrix


@export()
def matmul(input: Tensor, other: Tensor) -> Tensor:
    """The product of two vectors, a matrix and a vector, two matrices, or batches of matrices.

    Shapes: (n) @ (n) → (); (m, n) @ (n) → (m); (m, n) @ (n, k) → (m, k). Leading dimensions are
    batch dimensions, which broadcast. RuntimeError for other shapes and for two dtypes.
    """
    if not isinstance(other, Tensor):
        raise errors.argument_type("matmul", "other", 2, "Tensor", other)
    dims = (input._data.ndim, other._data.ndim)
    if dims == (2, 2):
        return mm(input, other)
    if 0 in dims:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {dims[0]}D and"
            f" {dims[1]}D"
        )
    if dims == (1, 1):
        return dot(input, other)
    if dims == (2, 1):
        return mv(input, other)
    if dims == (1, 2):
        product = drop_row(mm(input.unsqueeze(0), other))
        count_change(product)  # PyTorch drops the row in place, which counts as a change  #@11
        return product
    if dims == (3, 3) and input.shape[0] != other.shape[0]:
        # As in PyTorch, a batch of one that requires grad is not expanded, but treated as a matrix.
        if input.shape[0] == 1 and input.requires_grad:
            return matmul(input.squeeze(0), other)
        if other.shape[0] == 1 and other.requires_grad:
            return matmul(input, other.squeeze(0))
    return folded(input, other) if should_fold(input, other) else batched(input, other)


def matmul_operator(self: Tensor, other: Any) -> Tensor:
    """`self @ other`."""
    tensors = isinstance(self, Tensor) and isinstance(other, Tensor)
    return matmul(self, other) if tensors else NotImplemented


def reversed_matmul(self: Tensor, other: Any) -> Tensor:
    """`other @ self`."""
    return matmul_operator(other, self)


def should_fold(self: Tensor, other: Tensor) -> bool:
    """Whether to fold a batch into the rows of one matrix, if only one operand is a batch.

    PyTorch folds if the other operand requires grad, because its gradient would be a whole batch
    otherwise, or if folding needs no copy.
    """
    larger: Any = self if self.ndim >= other.ndim else other.mT
    smaller = other if self.ndim >= other.ndim else self
    if smaller.ndim > 2:
        return False
    if smaller.requires_grad:
        return True
    shape, strides = larger.shape, larger._data.strides
    return self.ndim != 2 and (
        larger.numel() == 0
        or all(strides[dim] == strides[dim + 1] * shape[dim + 1] for dim in range(larger.ndim - 2))
    )


def folded(self: Tensor, other: Tensor) -> Tensor:
    """`matmul` of a batch with one matrix or vector, on either side."""
    swap = other.ndim > self.ndim
    batch = transpose(other, -2, -1) if swap else self
    single = other if not swap else self.t() if self.ndim == 2 else self
    rows = batch.reshape(math.prod(batch.shape[:-1]), batch.shape[-1])
    product = unsafe_view(matmul(rows, single), (*batch.shape[:-1], *single.shape[1:]))
    return transpose(product, -2, -1).contiguous() if swap and single.ndim == 2 else product


def batched(self: Tensor, other: Tensor) -> Tensor:
    """`matmul` of batches, which broadcast against each other."""
    left = self.unsqueeze(0) if self.ndim == 1 else self
    right = other.unsqueeze(-1) if other.ndim == 1 else other
    batch = broadcast_shape(left.shape[:-2], right.shape[:-2])
    (m, n), (n2, k) = left.shape[-2:], right.shape[-2:]
    count = int(np.prod(batch, dtype=int))
    product = bmm(
        left.expand(*batch, m, n).reshape(count, m, n),
        right.expand(*batch, n2, k).reshape(count, n2, k),
    )
    shape = (*batch, *((m,) if self.ndim > 1 else ()), *((k,) if other.ndim > 1 else ()))
    return unsafe_view(product, shape)


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """`input @ weight.T + bias`. Shapes: (…, in), (out, in), (out) → (…, out)."""
    if bias is None:
        return matmul(input, t(weight))
    if input._data.ndim == 2:
        return addmm(bias, input, t(weight))
    rows = input.reshape(math.prod(input.shape[:-1]), input.shape[-1])
    folded = addmm(bias, rows, t(weight))
    return folded.view(*input.shape[:-1], weight.shape[0])
