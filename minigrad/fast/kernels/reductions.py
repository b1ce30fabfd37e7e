"""Faster kernels for `ops.reductions` and `statistics`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...ops import normalization, statistics
from ...ops import reductions as plain
from ...ops.dims import axes, count, in_c_order, restored
from ...ops.layouts import in_order
from ...support.arguments import Dims
from ...support.dtypes import dtype
from .arrays import TWINS, kernel_of, on_arrays, through_tensors, twin_of

TWINS[plain.restore] = plain.restore


@twin_of(plain.unsqueezed)
def unsqueezed(grad: Any, shape: tuple[int, ...], dim: Dims, keepdim: bool) -> Any:
    """`grad` of a reduction over `dim`, with the reduced dimensions back at length 1"""
    if keepdim or not shape or dim is None or (isinstance(dim, (tuple, list)) and not dim):
        return grad
    return grad.reshape(restored(shape, dim))


@kernel_of(plain.sum_dim)
def total(self: Any, dim: Dims, keepdim: bool = False, dtype: dtype | None = None) -> Any:
    """np.add.reduce over `dim`; integers as int64"""
    if dim is None and dtype is None and not keepdim and self.dtype.kind == "f":
        return total_of_floats(self)
    kind: Any = dtype.numpy if dtype else None if self.dtype.kind == "f" else np.int64
    if isinstance(dim, int) and 0 <= dim < self.ndim:
        return in_c_order(np.add.reduce(self, dim, kind, keepdims=keepdim))  # type: ignore[call-overload]
    axis = None if dim is None else axes(dim, self.ndim)
    return in_c_order(np.add.reduce(self, axis, kind, keepdims=keepdim))  # type: ignore[call-overload]


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


@kernel_of(plain.sum_all)
def sum_all(self: Any, dtype: dtype | None = None) -> Any:
    """np.add.reduce over everything"""
    return total(self, None, False, dtype)


@kernel_of(plain.mean_dim)
def average(self: Any, dim: Dims, keepdim: bool = False, dtype: dtype | None = None) -> Any:
    """The sum, divided by the number of its terms"""
    if (dtype.numpy if dtype else self.dtype).kind != "f":
        return plain.average(self, dim, keepdim, dtype)  # which says what is wrong
    result = total(self, dim, keepdim, dtype)
    return result / result.dtype.type(self.size if dim is None else count(self.shape, dim))


@kernel_of(plain.mean_all)
def mean_all(self: Any, dtype: dtype | None = None) -> Any:
    """The sum of all elements, divided by their number"""
    return average(self, None, False, dtype)


TWINS[plain.total], TWINS[plain.average] = total, average

# Helpers of rules that are the same code on arrays, or that go through tensors

helper: Any
for helper in (statistics.half_over, statistics.var_backward):
    TWINS[helper] = on_arrays(helper)
for helper in (
    statistics.prod_backward,
    statistics.share_along,
    statistics.share_of_all,
    statistics.norm_backward,
    statistics.cumprod_backward,
):
    TWINS[helper] = through_tensors(helper)


@twin_of(statistics.sum_from_end)
def sum_from_end(grad: Any, dim: int) -> Any:
    """np.flip(np.cumsum(np.flip(grad, dim), dim), dim)"""
    if not grad.ndim or grad.shape[dim] == 1:
        return grad
    sums = np.empty(grad.shape, grad.dtype)
    np.flip(grad, dim).cumsum(dim, out=np.flip(sums, dim))
    return sums


# A layer and its normal form: the same arithmetic in place


def normal_form(self: Any, dims: Dims, eps: float) -> tuple[Any, Any]:
    """`self` less its mean over `dims` and divided by its standard deviation, and the latter."""
    form = self - average(self, dims, True)
    spread = np.sqrt(average(form * form, dims, True) + self.dtype.type(eps))
    form /= spread
    return form, spread


@twin_of(statistics.normalized)
def normalized(self: Any, dims: Dims, eps: float) -> Any:
    return normal_form(self, dims, eps)[0]


@kernel_of(statistics.layer_norm)
def layer_norm(self: Any, weight: Any, bias: Any, dims: Dims, eps: float) -> Any:
    """normalized(self) * weight + bias"""
    form, _ = normal_form(in_order(self), dims, eps)
    if weight is not None:
        form *= weight
    if bias is not None:
        form += bias
    return form


@twin_of(statistics.layer_norm_backward)
def layer_norm_backward(grad: Any, self: Any, weight: Any, dims: Dims, eps: float) -> Any:
    form, spread = normal_form(self, dims, eps)
    grad = grad.copy() if weight is None else grad * weight
    along_form = average(grad * form, dims, True)
    grad -= average(grad, dims, True)
    form *= along_form
    grad -= form
    grad /= spread
    return grad


TWINS[normalization.channel_dims] = normalization.channel_dims
TWINS[statistics.affine] = statistics.affine
for helper in (
    normalization.of_channels,
    normalization.batch_norm_backward,
    normalization.standard_form,
):
    TWINS[helper] = on_arrays(helper)


# Softmax


@kernel_of(statistics.softmax_dim)
def softmax(self: Any, dim: int) -> Any:
    """powers / sum of powers"""
    powers, axis = statistics.below_zero(self, dim, "softmax")
    powers = np.exp(powers)
    powers /= np.add.reduce(powers, axis, keepdims=True)
    return powers


@kernel_of(statistics.log_softmax_dim)
def log_softmax(self: Any, dim: int) -> Any:
    """below - np.log(sum of np.exp(below))"""
    result, axis = statistics.below_zero(self, dim, "log_softmax")
    result -= np.log(np.add.reduce(np.exp(result), axis, keepdims=True))
    return result


@kernel_of(statistics.softmax_backward_data)
def softmax_backward(grad_output: Any, output: Any, dim: int) -> Any:
    """(grad_output - sum of grad_output * output) * output"""
    slope = grad_output - np.add.reduce(grad_output * output, dim, keepdims=True)
    slope *= output
    return slope


@kernel_of(statistics.log_softmax_backward_data)
def log_softmax_backward(grad_output: Any, output: Any, dim: int) -> Any:
    """grad_output - np.exp(output) * sum of grad_output"""
    slope = np.exp(output)
    slope *= -np.add.reduce(grad_output, dim, keepdims=True)
    slope += grad_output
    return slope
