"""Sums and means, where each term has the same gradient, so backward just expands it; argmax."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor
from ..rows.arguments import MISSING, Dims, is_integer
from ..rows.declarations import export
from ..support.dtypes import dtype, from_numpy_dtype
from ..support.shapes import wrap_dim
from .shapes import axes, count, expand, expand_to, in_c_order, restored, unsqueeze


def sum_dtype(self: Any, dtype: dtype | None) -> Any:
    """The NumPy dtype of a sum: `dtype` if given, else int64 for integers and bools."""
    return dtype.numpy if dtype else self.dtype if self.dtype.kind == "f" else np.int64


def total(self: Any, dim: Dims, keepdim: bool = False, dtype: dtype | None = None) -> Any:
    """The sum over `dim` in `dtype`, which defaults to int64 for integers and bools.

    We avoid `self.sum`, because its warnings about nan would point at NumPy's source.
    """
    if dim is None and not keepdim:
        return total_of_all(self, dtype)
    kind = sum_dtype(self, dtype)
    result = np.add.reduce(self, axes(dim, self.ndim), kind, keepdims=keepdim)  # type: ignore[call-overload]
    return in_c_order(result)


def total_of_all(self: Any, dtype: dtype | None = None) -> Any:
    """The sum of all elements, see `total`."""
    if dtype is None and self.dtype.kind == "f":
        return total_of_floats(self)
    return np.add.reduce(self, None, sum_dtype(self, dtype))


def total_of_floats(self: Any) -> Any:
    """The sum of all elements. A large array is summed as about √n rows of about √n elements.

    That takes half the time, because NumPy adds rows faster than it sums the elements of one row,
    and it is about as accurate.
    """
    if self.size < 2**16 or not self.flags.c_contiguous:
        return np.add.reduce(self, None)
    columns = 2 ** (self.size.bit_length() // 2 + 1)
    flat, cut = self.reshape(-1), self.size - self.size % columns
    sums = np.add.reduce(flat[:cut].reshape(-1, columns), 0)
    return total_of_floats(sums) + np.add.reduce(flat[cut:])


def average(self: Any, dim: Dims, keepdim: bool = False, dtype: dtype | None = None) -> Any:
    if (dtype.numpy if dtype else self.dtype).kind != "f":
        raise RuntimeError(
            "mean(): could not infer output dtype. Input dtype must be either a floating point or"
            f" complex dtype. Got: {from_numpy_dtype(self.dtype).legacy}"
        )
    result = total(self, dim, keepdim, dtype)
    return result / result.dtype.type(self.size if dim is None else count(self.shape, dim))


def restore(grad: Any, shape: tuple[int, ...], dim: Dims, keepdim: bool) -> Any:
    """`grad` of a reduction, an array or a tensor, with the reduced dimensions back at length 1."""
    return grad if keepdim or not shape else grad.reshape(restored(shape, dim))


def unsqueezed(grad: Tensor, shape: tuple[int, ...], dim: Dims, keepdim: bool) -> Tensor:
    """The same for a tensor, by `unsqueeze` as PyTorch usually does it, unless all were reduced."""
    dims: Any = dim
    if keepdim or not shape or dim is None or not (is_integer(dim) or dims):
        return grad
    for axis in sorted(axes(dim, len(shape))):
        grad = unsqueeze(grad, int(axis))
    return grad


sum_all = op(
    "sum",
    total_of_all,
    self=lambda grad, self_shape: expand_to(grad, self_shape),
)
sum_dim = op(
    "sum",
    total,
    node="SumBackward1",
    self=lambda grad, self_shape, dim, keepdim: expand(
        unsqueezed(grad, self_shape, dim, keepdim), self_shape
    ),
)
mean_all = op(
    "mean",
    lambda self, dtype=None: average(self, None, dtype=dtype),
    self=lambda grad, self_shape: expand(grad, self_shape) / count(self_shape, None),
)
mean_dim = op(
    "mean",
    average,
    node="MeanBackward1",
    self=lambda grad, self_shape, dim, keepdim: (
        expand(unsqueezed(grad, self_shape, dim, keepdim), self_shape) / count(self_shape, dim)
    ),
)


@export()
def sum_(input: Tensor, dim: Dims = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The sum of all elements, or over the dimensions `dim`, which `keepdim` keeps at length 1."""
    if dim is not MISSING:
        return sum_dim(input, dim, keepdim, dtype)
    if keepdim:
        raise TypeError
    return sum_all(input, dtype)


@export()
def mean(input: Tensor, dim: Dims = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The mean of all elements, or over the dimensions `dim`. RuntimeError for integers."""
    if dim is not MISSING:
        return mean_dim(input, dim, keepdim, dtype)
    if keepdim:
        raise TypeError
    return mean_all(input, dtype)


def truth(name: str, find: Callable[..., Any], doc: str) -> Callable[..., Tensor]:
    def kernel(self: Any, dim: Dims = None, keepdim: bool = False) -> Any:
        found = in_c_order(find(self, axes(dim, self.ndim), keepdims=keepdim))
        # As bools, or as uint8 if `self` is uint8, which once was the dtype of masks.
        return found.astype(self.dtype if self.dtype == np.uint8 else bool)

    return op(name, kernel, doc=doc, tensor_args=("self",))


all_ = truth("all", np.all, "Whether all elements are true.")
any_ = truth("any", np.any, "Whether any element is true.")


def place_of(find: Any, self: Any, dim: int | None, keepdim: bool) -> Any:
    """The result of `find`, which is `np.argmax` or `np.argmin`. IndexError for no elements."""
    name = f"{find.__name__}()"
    if self.dtype.kind == "b":
        raise RuntimeError(f"{name}: does not support bool input")
    if dim is None and self.size == 0:
        raise IndexError(f"{name}: Expected reduction dim to be specified for input.numel() == 0.")
    axis = None if dim is None else wrap_dim(dim, self.ndim)
    if axis is not None and self.shape[axis : axis + 1] == (0,):
        raise IndexError(f"{name}: Expected reduction dim {axis} to have non-zero size.")
    return find(self, axis=axis if self.ndim else None, keepdims=keepdim)


argmax_dim = op(
    "argmax",
    lambda self, dim, keepdim: place_of(np.argmax, self, dim, keepdim),
    tensor_args=("self",),
)
argmin_dim = op(
    "argmin",
    lambda self, dim, keepdim: place_of(np.argmin, self, dim, keepdim),
    tensor_args=("self",),
)


@export()
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the largest element, of all elements or along `dim`. Not differentiable."""
    return argmax_dim(input, dim, keepdim)


@export()
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Tensor:
    """The index of the smallest element, of all elements or along `dim`. Not differentiable."""
    return argmin_dim(input, dim, keepdim)


@export()
def equal(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape and the same elements."""
    return bool(np.array_equal(input._data, other._data))
