"""More reductions: variance, products, extremes, norms; and cumulative sums, products and softmax.

`max(dim)` and `min(dim)` select one element, which gets the whole gradient. `max()`, `amax` and the
infinity norm divide it evenly among equal elements. Norms have derivative 0 at 0.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/torch/csrc/autograd/FunctionsManual.cpp
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..core.grad_mode import is_grad_enabled, mode
from ..core.node import Node, SavedTensor
from ..core.operation import op
from ..core.tensor import Tensor, as_array, new_tensor
from ..support import dtypes, errors, observers
from ..rows.arguments import MISSING, Dims
from ..rows.declarations import export
from ..support.dtypes import dtype, from_numpy_dtype
from ..rows.operands import is_absent
from ..rows.row import in_rules
from ..rows.silence import silent
from ..support.shapes import wrap_dim
from . import elementwise, functions, indexing, gather_scatter, reductions
from .elementwise import exp, isnan, masked_fill_number, where_
from .layouts import in_order
from .gather_scatter import put_back
from .reductions import average, mean_all, mean_dim, restore, sum_dim, sum_dtype, total, unsqueezed
from .results import finish, return_type
from .shapes import axes, count, expand, in_c_order

# Variance


def variance(self: Any, dim: Dims, correction: float, keepdim: bool) -> Any:
    deviation = self - average(self, dim, True)
    freedom = count(self.shape, dim) - correction
    return total(deviation * deviation, dim, keepdim) / self.dtype.type(max(freedom, 0))


def deviation(self: Any, dim: Dims, correction: float, keepdim: bool) -> Any:
    return np.sqrt(variance(self, dim, correction, keepdim))


def slope_of_variance(shape: tuple[int, ...], dim: Dims, correction: float) -> float:
    freedom = count(shape, dim) - correction
    return 2 / freedom if freedom else math.inf


def var_backward(grad: Tensor, self: Tensor, dim: Dims, correction: float, keepdim: bool) -> Any:
    """The gradient with respect to the input of `var`: a multiple of x - mean."""
    grad = unsqueezed(grad, self.shape, dim, keepdim or self.ndim < 2)
    mean = mean_all(self) if dim is None or not self.ndim else mean_dim(self, dim, True)
    if (dim is None or not self.ndim) and count(self.shape, dim) <= correction:
        return grad * where_(self == mean, math.nan, math.inf)  # ∞ times the deviation
    return slope_of_variance(self.shape, dim, correction) * grad * (self - mean)


def half_over(grad: Tensor, result: Any) -> Any:
    """grad / (2 * result), the gradient with respect to the input of sqrt, but 0 if that is 0."""
    return masked_fill_number(grad / (result * 2), result == 0, 0)


var_dim = op(
    "var",
    variance,
    self=lambda grad, self, dim, correction, keepdim: var_backward(
        grad, self, dim, correction, keepdim
    ),
)
std_dim = op(
    "std",
    deviation,
    self=lambda grad, self, dim, correction, keepdim, result: var_backward(
        half_over(grad, result), self, dim, correction, keepdim
    ),
)


def spread(name: str, operation: Callable[..., Any], doc: str) -> Callable[..., Any]:
    """`operation` as `var` or `std`, with arguments in any of the forms that PyTorch accepts."""

    def function(
        input: Tensor,
        dim: Dims | bool = None,
        unbiased: bool | None = None,
        keepdim: bool = False,
        *,
        correction: float | None = None,
    ) -> Any:
        over: Any = dim
        if isinstance(dim, bool):  # var(unbiased)
            over, unbiased = None, dim
        if correction is None:
            correction = 1 if unbiased is None else int(unbiased)
        if not input.dtype.is_floating_point:
            what = name if name.endswith("_mean") else "std and var"
            raise RuntimeError(f"{what} only support floating point and complex dtypes")
        reduced = count(input.shape, over)
        result = operation(input, over, correction, keepdim)  # raises before there is a warning
        if (reduced if input.numel() else 0) <= correction:
            errors.warn(
                f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the"
                " reduction factor (input numel divided by output numel)."
            )
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return export(only="function" if name.endswith("_mean") else "")(function)


var = spread(
    "var",
    var_dim,
    """The variance of all elements, or over `dim`: Σ (x - mean)² / (n - correction).

`correction` is 1 unless given, 0 if `unbiased` is False. `keepdim` keeps `dim` at length 1.
RuntimeError for integers; warns where n <= correction, because the result is inf or nan.""",
)
std = spread(
    "std", std_dim, "The standard deviation: the square root of `var`, with the same arguments."
)


class VarMeanBackward0(Node):
    """Adds the gradients through the variance and through the mean, which one node has computed."""

    __module__ = "builtins"

    def __init__(self, dim: Dims, correction: float, keepdim: bool) -> None:
        self._saved, self.over = {}, (dim, correction, keepdim)

    @in_rules
    def backward(self, *grads: Tensor | None) -> list[Tensor | None]:
        x, (spread, of_mean), (dim, correction, keepdim) = self._unpack("self"), grads, self.over
        parts = []
        if spread is not None and "result0" in self._saved:  # the standard deviation
            spread = half_over(spread, self._unpack("result0"))
        if spread is not None:
            parts.append(var_backward(spread, x, dim, correction, keepdim))
        if of_mean is not None:
            everywhere = expand(unsqueezed(of_mean, x.shape, dim, keepdim), x.shape)
            parts.append(everywhere / count(x.shape, dim))
        return [parts[0] + parts[1] if len(parts) == 2 else parts[0] if parts else None]


class StdMeanBackward0(VarMeanBackward0):
    """The same, through the standard deviation."""

    __module__ = "builtins"


@silent
def with_mean(root: bool, self: Tensor, dim: Dims, correction: float, keepdim: bool) -> Any:
    """The variance, or its `root`, and the mean."""
    kernel, node_class = (deviation, StdMeanBackward0) if root else (variance, VarMeanBackward0)
    arrays = kernel(self._data, dim, correction, keepdim), average(self._data, dim, keepdim)
    results, node = [new_tensor(each) for each in arrays], node_class(dim, correction, keepdim)
    if self.requires_grad and mode.recording:
        node._saved = {"self": SavedTensor(self)}
        if root:
            node._saved["result0"] = SavedTensor(results[0], 0)
    return finish("std_mean" if root else "var_mean", node, [self], results)


var_mean = spread(
    "var_mean",
    partial(with_mean, False),
    "The variance and the mean, in a tuple, with the arguments of `var`.",
)
std_mean = spread(
    "std_mean",
    partial(with_mean, True),
    "The standard deviation and the mean, in a tuple, with the arguments of `var`.",
)

# Layer normalization


def layer_norm_kernel(self: Any, weight: Any, bias: Any, dims: Dims, eps: float) -> Any:
    kind, self = self.dtype, in_order(self)
    self = self.astype(np.float32) if kind == np.float16 else self  # as PyTorch computes it
    deviation = self - average(self, dims, True)
    spread = np.sqrt(average(deviation * deviation, dims, True) + self.dtype.type(eps))
    return affine(deviation / spread, weight, bias).astype(kind, copy=False)


def affine(numbers: Any, weight: Any, bias: Any) -> Any:
    """`numbers * weight + bias`, where each of the two may be absent."""
    numbers = numbers if is_absent(weight) else numbers * weight
    return numbers if is_absent(bias) else numbers + bias


def normalized(self: Tensor, dims: Dims, eps: float) -> Tensor:
    """A tensor minus its mean over `dims`, divided by its standard deviation."""
    self = at_least_single(self)
    deviation = self - self.mean(dims, True)
    return deviation / ((deviation * deviation).mean(dims, True) + eps).sqrt()


def at_least_single(tensor: Tensor) -> Tensor:
    """`tensor`, as float32 if it is float16."""
    return tensor.float() if tensor.dtype is dtypes.float16 else tensor


def layer_norm_backward(
    grad: Tensor, self: Tensor, weight: Tensor, dims: Dims, eps: float
) -> Tensor:
    """The gradient with respect to the input of layer normalization.

    That is the gradient minus its projections on the mean and on the normalized input, divided by
    the standard deviation.
    """
    kind, self = self.dtype, at_least_single(self)
    grad, form = affine(at_least_single(grad), weight, None), normalized(self, dims, eps)
    spread = ((self - self.mean(dims, True)) ** 2).mean(dims, True) + eps
    along_form = form * (grad * form).mean(dims, True)
    result: Tensor = (grad - grad.mean(dims, True) - along_form) / spread.sqrt()
    return result.to(kind)


layer_norm = op(
    "layer_norm",
    layer_norm_kernel,
    node="NativeLayerNormBackward0",
    self=lambda grad, self, weight, dims, eps: layer_norm_backward(grad, self, weight, dims, eps),
    weight=lambda grad, self, dims, eps: grad * normalized(self, dims, eps),
    bias=lambda grad: grad,
)

# Products


def prod_backward(grad: Tensor, self: Tensor, result: Tensor, dim: int | None) -> Any:
    """`grad` times, for each element, the product of all others along `dim`; overall for None."""
    if self.ndim and self._data.all():
        return grad * (result / self)
    if (self.numel() if dim is None or not self.ndim else self.shape[dim]) == 1:
        return grad.clone().reshape(self.shape) if dim is None else grad
    if dim is not None:
        return grad * product_of_others(self, dim)
    if not is_grad_enabled() and self.numel() - np.count_nonzero(self._data) > 1:  #@10
        return elementwise.zeros_like(self)
    return (grad * product_of_others(self.reshape(-1), 0)).reshape(self.shape)


def product_of_others(self: Tensor, dim: int) -> Any:
    """For each element, the product of the elements before it along `dim` and of those after it."""
    all_but_one = self.shape[dim] - 1
    ones = new_tensor(np.ones_like(as_array(self.narrow(dim, 0, 1))))
    before = indexing.cat([ones, self.narrow(dim, 0, all_but_one)], dim).cumprod(dim)
    after = indexing.cat([ones, self.narrow(dim, 1, all_but_one).flip(dim)], dim).cumprod(dim)
    return before * after.flip(dim)


def product(self: Any, dim: Any, keepdim: bool = False, dtype: dtype | None = None) -> Any:
    kind = sum_dtype(self, dtype)
    result = np.multiply.reduce(self, axes(dim, self.ndim), kind, keepdims=keepdim)  # type: ignore[call-overload]
    return in_c_order(result)


prod_all = op(
    "prod",
    lambda self, dtype=None: product(self, None, dtype=dtype),
    self=lambda grad, self, result: prod_backward(grad, self, result, None),
)
prod_dim = op(
    "prod",
    product,
    node="ProdBackward1",
    self=lambda grad, self, dim, keepdim, result: prod_backward(
        unsqueezed(grad, self.shape, dim, keepdim),
        self,
        unsqueezed(result, self.shape, dim, keepdim),
        dim,
    ),
)


@export()
def prod(input: Tensor, dim: int = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The product of all elements, or over the dimension `dim`."""
    if isinstance(dim, int):
        return prod_dim(input, dim, keepdim, dtype)
    if dim is not MISSING or keepdim:
        raise TypeError
    return prod_all(input, dtype)


# Extremes


def share(grad: Tensor, equals: Tensor, dim: Dims) -> Tensor:
    """`grad` divided evenly among the elements where the mask `equals` is true, along `dim`."""
    return grad / equals.sum(dim, True) * equals


def share_along(grad: Tensor, self: Tensor, result: Tensor, dim: Dims, keepdim: bool) -> Tensor:
    """`grad` divided evenly among the elements that equal the result, along `dim`."""
    shape = self.shape
    equals = restore(result, shape, dim, keepdim) == self
    return share(restore(grad, shape, dim, keepdim), equals, dim)


def share_of_all(grad: Tensor, self: Any, result: Any) -> Any:
    """`grad`, a 0-d tensor, divided evenly among all elements that equal the result."""
    equals = (self == result) | elementwise.bitwise_and(isnan(self), isnan(result))
    nowhere = new_tensor(np.zeros(self.shape, grad.dtype.numpy))
    return gather_scatter.masked_fill_tensor(nowhere, equals, grad / equals.sum())


def put_along(
    grad: Tensor, shape: tuple[int, ...], dim: int, keepdim: bool, indices: Tensor
) -> Tensor:
    """Zeros of `shape` with `grad` written to the positions `indices` along `dim`."""
    index = unsqueezed(indices, shape, dim, keepdim)
    return put_back(unsqueezed(grad, shape, dim, keepdim), shape, dim, index)


def extreme(find: Any, name: str, self: Any, dim: Dims, keepdim: bool) -> Any:
    """The largest or smallest elements, with `np.maximum` or `np.minimum`. IndexError for none."""
    check_not_empty(self, dim, name)
    return in_c_order(find.reduce(self, axes(dim, self.ndim), keepdims=keepdim))


def check_not_empty(self: Any, dim: Dims, name: str) -> None:
    reduced = axes(dim, self.ndim)
    if self.size == 0 and (dim is None or dim == ()):
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the"
            " reduction dim with the 'dim' argument."
        )
    given = dim if isinstance(dim, (tuple, list)) else [dim]
    for axis, number in zip(reduced, given if reduced else (), strict=False):
        if self.shape[axis] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {number} to have non-zero size.")


def pick(self: Any, dim: int, keepdim: bool, indices: Any) -> Any:
    index = restore(indices, self.shape, dim, keepdim)
    return gather_scatter.gathered(self, dim, index).reshape(indices.shape)


def extreme_over(name: str, find: np.ufunc, size: str) -> Callable[..., Tensor]:
    """`amax` or `amin`."""

    def kernel(self: Any, dim: Dims = (), keepdim: bool = False) -> Any:
        return extreme(find, name, self, dim, keepdim)

    return op(
        name,
        kernel,
        doc=(
            f"The {size} element over `dim`, by default of all; equal ones share the gradient.\n\n"
            "IndexError for a dimension of length 0 or one that does not exist."
        ),
        self=lambda grad, self, dim, keepdim, result: share_along(grad, self, result, dim, keepdim),
    )


def extreme_of_all(name: str, find: np.ufunc) -> Callable[..., Tensor]:
    """`max` or `min` of all elements."""

    def kernel(self: Any) -> Any:
        return extreme(find, name, self, None, False)

    return op(
        name,
        kernel,
        node=f"{name.title()}Backward1",
        self=lambda grad, self, result: share_of_all(grad, self, result),
    )


def pick_along(name: str, node: str | None = None) -> Callable[..., Tensor]:
    """The elements at `indices` along a dimension, which gave `max`, `min` or `median` there."""
    return op(
        name,
        pick,
        node=node,
        tensor_args=("indices",),
        self=lambda grad, self_shape, dim, keepdim, indices: put_along(
            grad, self_shape, dim, keepdim, indices
        ),
    )


amax = extreme_over("amax", np.maximum, "largest")
amin = extreme_over("amin", np.minimum, "smallest")
max_all, min_all = extreme_of_all("max", np.maximum), extreme_of_all("min", np.minimum)
max_dim, min_dim = pick_along("max"), pick_along("min")
median_dim = pick_along("median", "MedianBackward1")


RESULTS = {name: return_type(name, "values", "indices") for name in ("max", "min", "median")}


def along(
    self: Tensor, dim: int, keepdim: bool, name: str, find: Any, take: Any
) -> tuple[Tensor, Tensor]:
    """The extreme elements along `dim` and their indices, as the result of the function `name`."""
    axis = wrap_dim(dim, self.ndim)
    if self.ndim:
        check_not_empty(self._data, axis, name)
    indices = find(self.byte() if self.dtype is dtypes.bool_ else self, axis, keepdim)
    indices = observers.made(name, (), indices)
    both: tuple[Tensor, Tensor] = RESULTS[name]((take(self, axis, keepdim, indices), indices))
    return both


def extremes(
    name: str, size: str, of_all: Any, of_two: Any, find: Any, take: Any
) -> Callable[..., Any]:
    """`max` or `min`, each of which is three functions in one."""

    def function(
        input: Tensor, dim: Any = MISSING, keepdim: bool = False, *, other: Any = MISSING
    ) -> Any:
        other = dim if isinstance(dim, Tensor) else other
        if other is not MISSING:
            return of_two(input, other)
        if isinstance(dim, int):
            return along(input, dim, keepdim, name, find, take)
        if dim is not MISSING or keepdim:
            raise TypeError
        return of_all(input)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"""The {size} element of all, along a dimension, or of two tensors.

`{name}(x)` → a 0-d tensor, equal elements share the gradient; `{name}(x, dim)` → values and
indices, without the dimension; `{name}(x, other)` is `{name}imum`. IndexError for no elements."""
    return export()(function)


max_ = extremes("max", "largest", max_all, functions.maximum, reductions.argmax, max_dim)
min_ = extremes("min", "smallest", min_all, functions.minimum, reductions.argmin, min_dim)


# Median


def median_index(self: Any, dim: int) -> Any:
    """The index of the median along `dim`, the lower one of two, or of the first nan if any."""
    if not self.ndim:
        return np.int64(0)
    order = np.argsort(self, dim, kind="stable")
    index = np.take(order, (self.shape[dim] - 1) // 2, dim)
    missing = np.isnan(self)
    return np.where(missing.any(dim), missing.argmax(dim), index)


def median_kernel(self: Any) -> Any:
    if not self.size:
        return self.dtype.type(np.nan if self.dtype.kind == "f" else np.iinfo(self.dtype).min)
    flat = self.reshape(-1)
    if self.dtype.kind == "f" and np.isnan(flat).any():
        return self.dtype.type(np.nan)
    place = (flat.size - 1) // 2
    return np.partition(flat, place)[place]


median_all = op(
    "median", median_kernel, self=lambda grad, self, result: share_of_all(grad, self, result)
)


def find_median(self: Tensor, axis: int, keepdim: bool) -> Tensor:
    index = median_index(self._data, axis)
    return new_tensor(np.expand_dims(index, axis) if keepdim and self.ndim else index)


@export()
def median(input: Tensor, dim: int = MISSING, keepdim: bool = False) -> Any:
    """The median, which is the lower one of two; with `dim`, (values, indices) along it."""
    if input.dtype is dtypes.bool_:
        name = "median_cpu" if dim is MISSING else "median_out"
        raise errors.not_implemented(name, dtypes.bool_)
    if dim is not MISSING:
        return along(input, dim, keepdim, "median", find_median, median_dim)
    if keepdim:
        raise TypeError
    return median_all(input)


# Norms


def norm_backward(
    grad: Tensor, self: Tensor, result: Tensor, p: float, dim: Dims, keepdim: bool
) -> Any:
    """The gradient with respect to the input of a norm of order `p`; 0 where the norm is 0."""
    grad = unsqueezed(grad, self.shape, dim, keepdim)
    norm = unsqueezed(result, self.shape, dim, keepdim)
    sign = elementwise.sgn(self)
    if p == 0:
        return None
    if p == 1:
        return sign * grad
    if p == 2:
        return grad * (self / norm).masked_fill(norm.eq(0), 0)
    if math.isinf(p):
        size = self.abs()
        largest_ones = elementwise.bitwise_or(size.eq(norm), elementwise.isnan(size))
        return sign * share(grad, largest_ones, dim)
    if p < 1:
        powers = sign * (self.abs() ** (p - 1)).masked_fill(self.eq(0), 0)
        return powers * grad * norm ** (1 - p)
    powers = sign * self.abs() ** (p - 1) if p < 2 else self * self.abs() ** (p - 2)
    return powers * (grad / norm ** (p - 1)).masked_fill(norm.eq(0), 0)


def norm_kernel(self: Any, ord: float, dim: Dims, keepdim: bool, dtype: dtype | None) -> Any:
    if self.dtype.kind != "f":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got"
            f" {from_numpy_dtype(self.dtype).legacy}"
        )
    self = self.astype(dtype.numpy) if dtype else self
    if ord == 2:
        return np.sqrt(total(self * self, dim, keepdim))
    if math.isinf(ord):
        check_identity(self, ord, dim)
        find: Any = np.maximum if ord > 0 else np.minimum
        return in_c_order(find.reduce(np.abs(self), axes(dim, self.ndim), keepdims=keepdim))
    if ord == 0:
        return total((self != 0).astype(self.dtype), dim, keepdim)
    return total(np.abs(self) ** ord, dim, keepdim) ** (1 / ord)


def check_identity(self: Any, p: float, dim: Dims) -> None:
    if any(self.shape[axis] == 0 for axis in axes(dim, self.ndim)):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {p} norm on an empty tensor because the"
            " operation does not have an identity"
        )


norm_p = op(
    "norm",
    norm_kernel,
    node="LinalgVectorNormBackward0",
    self=lambda grad, self, ord, dim, keepdim, result: norm_backward(
        grad, self, result, ord, dim, keepdim
    ),
)


@export()
def norm(
    input: Tensor, p: Any = "fro", dim: Dims = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of order `p` over `dim`, by default over all; "fro" and None mean order 2."""
    if p == "nuc":
        raise NotImplementedError("minigrad has no nuclear norm: it has no singular values")
    return norm_p(input, 2.0 if p in ("fro", None) else float(p), dim, keepdim, dtype)


# logsumexp, cumulative sums and products, softmax


def logsumexp_kernel(self: Any, dim: Dims, keepdim: bool = False) -> Any:
    top = np.maximum.reduce(self, axes(dim, self.ndim), keepdims=True, initial=-np.inf)
    top = np.where(np.isinf(top), self.dtype.type(0), top)
    rest = np.log(total(np.exp(self - top), dim, keepdim))
    return rest + top.reshape(np.shape(rest))


logsumexp = op(
    "logsumexp",
    logsumexp_kernel,
    promote="float",
    doc="log Σ e^x over `dim`, without overflow; `keepdim` keeps it at length 1.",
    self=lambda grad, self, dim, keepdim, result: (
        unsqueezed(grad, self.shape, dim, keepdim)
        * exp(self - unsqueezed(result, self.shape, dim, keepdim))
    ),
)


def running_sum(self: Any, dim: int, dtype: dtype | None = None) -> Any:
    axis = wrap_dim(dim, self.ndim) if self.ndim else None
    sums = in_order(self).cumsum(axis, sum_dtype(self, dtype)).reshape(self.shape)
    if self.ndim and sums.dtype.kind == "f":
        sums += 0.0  # PyTorch starts at 0, so no sum is -0
    return sums


cumsum_dim = op(
    "cumsum", running_sum, node="CumsumBackward0", self=lambda grad, dim: sum_from_end(grad, dim)
)


def sum_from_end(tensor: Tensor, dim: int) -> Tensor:
    """The cumulative sums of `tensor` along `dim`, starting from the end."""
    if tensor.numel() <= 1 or tensor.shape[dim] == 1:
        return tensor
    return cumsum_dim(tensor.flip(dim), dim).flip(dim)


@export()
def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Cumulative sums along `dim`, including the element. Integers and bools give int64."""
    wrap_dim(dim, input.ndim)
    return cumsum_dim(input, dim, dtype)


@export(name="cumsum", only="in-place")
def cumsum_for_in_place(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """`cumsum` for its in-place form, for which PyTorch has no bool kernel."""
    wrap_dim(dim, input.ndim)
    if input._data.dtype.kind == "b":
        if input.ndim and input.numel():
            raise errors.not_implemented("cumsum_out_cpu", dtypes.bool_)
        return input.clone()  # PyTorch does not reach its kernel
    return cumsum_dim(input, dim, dtype)


def cumprod_backward(grad: Tensor, self: Tensor, result: Tensor, dim: int) -> Any:
    """grad_x[i] = sum over k ≥ i of grad[k] · prod(x[:k+1]) / x[i]."""
    if not self.ndim or not self.numel() or self.shape[dim] == 1:
        return grad
    if self._data.all():
        return sum_from_end(result * grad, dim) / self
    if not is_grad_enabled():  #@10
        return cumprod_backward_at_zeros(grad, self, result, dim)  #@10
    # One row for each element: the cumulative products with a 1 in its place.
    last = self.transpose(dim, -1)
    own = new_tensor(np.eye(last.shape[-1], dtype=bool))
    rows = last.unsqueeze(-2).expand((*last.shape[:-1], last.shape[-1], last.shape[-1]))
    products = cumprod_dim(elementwise.where_(own, 1.0, rows), -1)
    terms = (products * grad.transpose(dim, -1).unsqueeze(-2)).triu()
    return terms.sum(-1).transpose(dim, -1)


def cumprod_backward_at_zeros(grad: Tensor, self: Tensor, result: Tensor, dim: int) -> Any:
    """The same, as PyTorch computes it if there are zeros.

    Elements after the first zero only contribute to the gradient of that zero, and elements after
    the second zero to none.
    """
    where: Any = elementwise.where_
    is_zero = elementwise.eq(self, 0)
    zeros: Any = cumsum_dim(is_zero, dim)
    before, between = zeros == 0, zeros == 1
    first = between & is_zero
    up_to = where(before, sum_from_end(where(before, result * grad, 0.0), dim) / self, 0.0)
    running = where(between & ~first, self, 1.0).cumprod(dim)
    reached = (running * where(between, grad, 0.0)).sum(dim, keepdim=True)
    return where(first, where(before, self, 1.0).prod(dim, keepdim=True) * reached, up_to)


def running_product(self: Any, dim: int, dtype: dtype | None = None) -> Any:
    axis = wrap_dim(dim, self.ndim) if self.ndim else None
    return in_order(self).cumprod(axis, sum_dtype(self, dtype)).reshape(self.shape)


cumprod_dim = op(
    "cumprod",
    running_product,
    node="CumprodBackward0",
    self=lambda grad, self, dim, result: cumprod_backward(grad, self, result, dim),
)


@export()
def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """Cumulative products along `dim`, including the element. Integers and bools give int64."""
    wrap_dim(dim, input.ndim)
    return cumprod_dim(input, dim, dtype)


def below_zero(self: Any, dim: int, name: str) -> tuple[Any, int]:
    """`self` minus its maximum along `dim`, so that exp cannot overflow, and the wrapped `dim`.

    NotImplementedError, naming PyTorch's kernel, unless floating point.
    """
    axis = wrap_dim(dim, self.ndim)
    if self.dtype.kind != "f":
        last = "lastdim_" * (axis == max(self.ndim - 1, 0))
        functions.floating(self, f"{name}_{last}kernel_impl")
    self = in_order(self)
    return self - np.maximum.reduce(self, axis, keepdims=True, initial=-np.inf), axis


def softmax_kernel(self: Any, dim: int) -> Any:
    below, axis = below_zero(self, dim, "softmax")
    powers = np.exp(below)
    powers /= np.add.reduce(powers, axis, keepdims=True)
    return powers


def log_softmax_kernel(self: Any, dim: int) -> Any:
    below, axis = below_zero(self, dim, "log_softmax")
    below -= np.log(np.add.reduce(np.exp(below), axis, keepdims=True))
    return below


def softmax_slope(grad_output: Any, output: Any, dim: int) -> Any:
    slope = grad_output - np.add.reduce(grad_output * output, dim, keepdims=True)
    slope *= output
    return slope


def log_softmax_slope(grad_output: Any, output: Any, dim: int) -> Any:
    slope = np.exp(output)
    slope *= -np.add.reduce(grad_output, dim, keepdims=True)
    slope += grad_output
    return slope


softmax_dim = op(
    "softmax",
    softmax_kernel,
    node="SoftmaxBackward0",
    self=lambda grad, dim, result: softmax_backward_data(grad, result, dim),
)
log_softmax_dim = op(
    "log_softmax",
    log_softmax_kernel,
    node="LogSoftmaxBackward0",
    self=lambda grad, dim, result: log_softmax_backward_data(grad, result, dim),
)


softmax_backward_data = op(
    "softmax_backward_data",
    softmax_slope,
    node="SoftmaxBackwardDataBackward0",
    grad_output=lambda grad, output, dim: softmax_backward_data(grad, output, dim),
    output=lambda grad, grad_output, output, dim: (
        grad_output * grad
        - sum_dim(output * grad_output, dim, True) * grad
        - grad_output * sum_dim(output * grad, dim, True)
    ),
)
log_softmax_backward_data = op(
    "log_softmax_backward_data",
    log_softmax_slope,
    node="LogSoftmaxBackwardDataBackward0",
    grad_output=lambda grad, output, dim: grad - sum_dim(grad * exp(output), dim, True),
    output=lambda grad, grad_output, output, dim: (
        -sum_dim(grad_output, dim, True) * exp(output) * grad
    ),
)


@export()
def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """exp(x) / Σ exp(x) along `dim`: positive numbers that sum to 1."""
    return along_in_dtype(softmax_dim, input, dim, dtype)


@export(page="torch.nn.functional.log_softmax")
def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """x - log Σ exp(x) along `dim`: the logarithm of `softmax`, computed without overflow."""
    return along_in_dtype(log_softmax_dim, input, dim, dtype)


def along_in_dtype(function: Any, input: Tensor, dim: int, dtype: Any) -> Tensor:
    """`function` of `input`, in `dtype` unless that is None. TypeError if it is not a dtype."""
    if dtype is not None:
        input = input.to(dtypes.as_dtype(function.__name__, dtype))
    if input.numel() == 0 and not input.dtype.is_floating_point:
        return input.clone()  # PyTorch's kernel would reject integers, but it is not reached
    return function(input, dim)  # type: ignore[no-any-return]
