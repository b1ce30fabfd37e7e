"""Sums and means. Every term of a sum has the same gradient: backward spreads it out again."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arguments import MISSING, Dims, is_integer
from ..dtypes import dtype
from ..tensor import Tensor, wrap_dim
from .table import ARRAYS, TENSORS, op


def axes(dim: Dims, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce, counted from the front; all for None and for an empty list."""
    if dim is None:
        return tuple(range(ndim))
    if dim.__class__ is int and 0 <= dim < ndim:
        return (dim,)
    dims: Any = dim
    if not isinstance(dims, tuple) and is_integer(dims):
        axis = wrap_dim(dims, ndim)
        return (axis,) if ndim else ()
    if not dims:
        return tuple(range(ndim))
    wrapped = tuple([wrap_dim(each, ndim) for each in dims])
    if len(set(wrapped)) < len(wrapped):
        twice = next(each for each in wrapped if wrapped.count(each) > 1)
        raise RuntimeError(f"dim {twice} appears multiple times in the list of dims")
    return wrapped if ndim else ()


def total(self: Any, dim: Dims, keepdim: bool, dtype: dtype | None) -> Any:
    """The sum over `dim`, as `dtype`; by default integers and bools are summed as int64."""
    if dim is None and dtype is None and not keepdim and self.dtype.kind == "f":
        return total_of_floats(self)
    kind: Any = dtype.numpy if dtype else None if self.dtype.kind == "f" else np.int64
    axis = None if dim is None else axes(dim, self.ndim)
    return np.add.reduce(self, axis, kind, keepdims=keepdim)  # type: ignore[call-overload]


def total_of_floats(self: Any) -> Any:
    """The sum of all elements. Of many it adds rows first, √n of about as many, which takes half
    the time: NumPy adds two rows faster than the elements of one. It is about as exact.
    """
    if self.size < 2**16 or not self.flags.c_contiguous:
        return np.add.reduce(self, None)
    columns = 2 ** (self.size.bit_length() // 2 + 1)
    flat, cut = self.reshape(-1), self.size - self.size % columns
    sums = np.add.reduce(flat[:cut].reshape(-1, columns), 0)
    return total_of_floats(sums) + np.add.reduce(flat[cut:])


def average(self: Any, dim: Dims, keepdim: bool, dtype: dtype | None) -> Any:
    if (dtype.numpy if dtype else self.dtype).kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or"
            f" complex dtype. Got: {dtype_name(self)}"
        )
    result = total(self, dim, keepdim, dtype)
    return result / result.dtype.type(count(self.shape, dim))


def dtype_name(array: Any) -> str:
    from ..dtypes import from_numpy_dtype

    return from_numpy_dtype(array.dtype).legacy


def count(shape: tuple[int, ...], dim: Dims) -> int:
    """How many elements of an array of `shape` go into one element of its reduction over `dim`."""
    number = 1
    for axis in axes(dim, len(shape)):
        number *= shape[axis]
    return number


def restore(grad: Any, shape: tuple[int, ...], dim: Dims, keepdim: bool) -> Any:
    """`grad` of a reduction, array or tensor, with the reduced dimensions back at length 1."""
    if keepdim or not shape:
        return grad
    reduced = axes(dim, len(shape))
    return grad.reshape([1 if axis in reduced else length for axis, length in enumerate(shape)])


def unsqueezed(grad: Tensor, shape: tuple[int, ...], dim: Dims, keepdim: bool) -> Tensor:
    """The same of a tensor as PyTorch mostly does it: by `unsqueeze`, and not if `dim` is all."""
    dims: Any = dim
    if keepdim or not shape or dim is None or not (is_integer(dim) or dims):
        return grad
    for axis in sorted(axes(dim, len(shape))):
        grad = grad.unsqueeze(int(axis))
    return grad


for helper in (count, restore, total):
    ARRAYS[helper.__name__] = TENSORS[helper.__name__] = helper
ARRAYS["unsqueezed"], TENSORS["unsqueezed"] = restore, unsqueezed

sum_all = op(
    "sum_all(self, dtype)",
    "total(self, None, False, dtype)",
    node="SumBackward0",
    gives="kernel",
    self="expand(grad, self.shape)",
)
sum_dim = op(
    "sum_dim(self, dim, keepdim, dtype)",
    total,
    node="SumBackward1",
    gives="kernel",
    self="expand(unsqueezed(grad, self.shape, dim, keepdim), self.shape)",
)
mean_all = op(
    "mean_all(self, dtype)",
    lambda self, dtype: average(self, None, False, dtype),
    node="MeanBackward0",
    gives="kernel",
    self="expand(grad, self.shape) / count(self.shape, None)",
)
mean_dim = op(
    "mean_dim(self, dim, keepdim, dtype)",
    average,
    node="MeanBackward1",
    gives="kernel",
    self="expand(unsqueezed(grad, self.shape, dim, keepdim), self.shape) / count(self.shape, dim)",
)


def sum_(input: Tensor, dim: Dims = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum of all elements, or over dimensions `dim`, which stay at length 1 if `keepdim`."""
    if dim is not MISSING:
        return sum_dim(input, dim, keepdim, dtype)
    if keepdim:
        raise TypeError
    return sum_all(input, dtype)


def mean(input: Tensor, dim: Dims = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean of all elements, or over the dimensions `dim`. RuntimeError for integers."""
    if dim is not MISSING:
        return mean_dim(input, dim, keepdim, dtype)
    if keepdim:
        raise TypeError
    return mean_all(input, dtype)


def reduce_logical(ufunc: Any) -> Any:
    """Reduction to bool; to uint8 for uint8, the type that masks once had."""
    return lambda self, dim, keepdim: ufunc.reduce(
        self, axis=axes(dim, self.ndim), keepdims=keepdim, dtype=bool
    ).astype(self.dtype if self.dtype == np.uint8 else bool)


all_dim = op("all_dim(self: Tensor, dim, keepdim)", reduce_logical(np.logical_and), gives="kernel")
any_dim = op("any_dim(self: Tensor, dim, keepdim)", reduce_logical(np.logical_or), gives="kernel")


def all_(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """Whether all elements are true."""
    return all_dim(input, dim, keepdim)


def any_(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """Whether any element is true."""
    return any_dim(input, dim, keepdim)


def arg_extreme(find: Any) -> Any:
    """The kernel for `np.argmax` or `np.argmin`. IndexError where there is nothing to choose."""

    def kernel(self: Any, dim: int | None, keepdim: bool) -> Any:
        if self.dtype.kind == "b":
            raise RuntimeError(f"{find.__name__}(): does not support bool input")
        if dim is None and self.size == 0:
            raise IndexError(
                f"{find.__name__}(): Expected reduction dim to be specified for input.numel() == 0."
            )
        axis = None if dim is None else wrap_dim(dim, self.ndim)
        if axis is not None and self.shape[axis : axis + 1] == (0,):
            raise IndexError(
                f"{find.__name__}(): Expected reduction dim {axis} to have non-zero size."
            )
        return np.asarray(find(self, axis=axis if self.ndim else None, keepdims=keepdim), np.int64)[
            ()
        ]

    return kernel


argmax_dim = op("argmax_dim(self: Tensor, dim, keepdim)", arg_extreme(np.argmax), gives="kernel")
argmin_dim = op("argmin_dim(self: Tensor, dim, keepdim)", arg_extreme(np.argmin), gives="kernel")


def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest element, of all or along `dim`. Not differentiable."""
    return argmax_dim(input, dim, keepdim)


def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest element, of all or along `dim`. Not differentiable."""
    return argmin_dim(input, dim, keepdim)


def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements."""
    return bool(np.array_equal(input._data, other._data))


def allclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> bool:
    """Whether |self - other| <= atol + rtol * |other| everywhere. RuntimeError if dtypes differ."""
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.legacy} did not match {other.dtype.legacy}")
    return bool(np.allclose(input._data, other._data, rtol, atol, equal_nan))
