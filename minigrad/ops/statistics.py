"""More reductions: spread, products, extremes, norms; and what runs along a dimension.

`max(dim)` and `min(dim)` pick one element and send the gradient there. `max()`, `amax` and the norm
of order infinity share it evenly among equals. The norms have slope 0 at 0.

Source: https://github.com/pytorch/pytorch/blob/v2.13.0/torch/csrc/autograd/FunctionsManual.cpp
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any, ClassVar, TypeVar

import numpy as np

from .. import dtypes, errors
from ..arguments import MISSING, Dims
from ..dtypes import dtype, from_numpy_dtype
from ..node import FREED, HandWrittenNode, check_saved
from ..tensor import Tensor, new_tensor, version_counter, wrap_dim
from . import elementwise, functions, picking, reductions
from .elementwise import div_number, mul_number
from .layouts import in_order
from .reductions import axes, count, restore, total, unsqueezed
from .results import return_type
from .runtime import finish, saved_tensor
from .table import ARRAYS, TENSORS, op


def helper(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let rules call `function`, which is written for tensors; it returns one, or None.

    Of arrays, which want no graph, it makes tensors first: slower than a rule by some microseconds,
    and as exact.
    """

    @functools.wraps(function)
    def on_arrays(*args: Any) -> Any:
        tensors = [new_tensor(each) if isinstance(each, ARRAY) else each for each in args]
        result = function(*tensors)
        return result if result is None else result._data

    ARRAYS[function.__name__], TENSORS[function.__name__] = on_arrays, function
    return function


ARRAY = (np.ndarray, np.generic)
Result = TypeVar("Result")

# Variance


def variance(self: Any, dim: Dims, correction: float, keepdim: bool) -> Any:
    deviation = self - reductions.average(self, dim, True, None)
    freedom = count(self.shape, dim) - correction
    return total(deviation * deviation, dim, keepdim, None) / self.dtype.type(max(freedom, 0))


def slope_of_variance(shape: tuple[int, ...], dim: Dims, correction: float) -> float:
    freedom = count(shape, dim) - correction
    return 2 / freedom if freedom else math.inf


ARRAYS["slope_of_variance"] = TENSORS["slope_of_variance"] = slope_of_variance

SPREAD = (
    "slope_of_variance(self.shape, dim, correction)"
    " * unsqueezed({}, self.shape, dim, keepdim or self.ndim < 2)"
    " * (self - (mean_all(self, None) if dim is None else mean_dim(self, dim, True, None)))"
)
var_dim = op(
    "var_dim(self, dim, correction, keepdim)",
    variance,
    node="VarBackward0",
    self=SPREAD.format("grad"),
)
std_dim = op(
    "std_dim(self, dim, correction, keepdim)",
    lambda self, dim, correction, keepdim: np.sqrt(variance(self, dim, correction, keepdim)),
    node="StdBackward0",
    self=SPREAD.format("masked_fill_number(grad / (result * 2), result == 0, 0)"),
)


def spread(
    name: str,
    operation: Callable[..., Result],
    self: Tensor,
    dim: Any,
    unbiased: bool | None,
    keepdim: bool,
    correction: float | None,
) -> Result:
    """`operation` with arguments in any of the forms that `var` takes."""
    if isinstance(dim, bool):  # var(unbiased)
        dim, unbiased = None, dim
    if correction is None:
        correction = 1 if unbiased is None else int(unbiased)
    if not self.dtype.is_floating_point:
        what = name if name == "var_mean" else "std and var"
        raise RuntimeError(f"{what} only support floating point and complex dtypes")
    if (count(self.shape, dim) if self.numel() else 0) <= correction:
        errors.warn(
            f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the"
            " reduction factor (input numel divided by output numel)."
        )
    return operation(self, dim, correction, keepdim)


def var(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The variance, of all or over `dim`: a sum divided by n - `correction`, by default n - 1."""
    return spread("var", var_dim, input, dim, unbiased, keepdim, correction)


def std(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Tensor:
    """The standard deviation: the square root of `var`."""
    return spread("std", std_dim, input, dim, unbiased, keepdim, correction)


def var_mean(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> tuple[Tensor, Tensor]:
    """The variance and the mean, which one node computes."""
    return spread("var_mean", variance_and_mean, input, dim, unbiased, keepdim, correction)


class VarMeanBackward0(HandWrittenNode):
    """Adds what comes from the variance to what comes from the mean."""

    __slots__ = ("arguments", "counter_self", "saved_self", "version_self")
    __module__ = "builtins"
    saved: ClassVar[dict[str, Any]] = {"self": 0}

    arguments: tuple[Dims, float, bool]
    saved_self: Any
    counter_self: list[Any]
    version_self: int

    def backward(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        check_saved(self, "self")
        grads = [None if each is None else new_tensor(each) for each in grad]
        edge, result = self.backward_graph(grads, keep)
        return (edge, result._data)

    def backward_graph(self, grad: Any, keep: bool) -> tuple[Any, ...]:
        x = saved_tensor(self, "self")
        dim, correction, keepdim = self.arguments
        result = None
        for each, part in ((grad[0], var_part), (grad[1], mean_part)):
            if each is not None:
                each = part(unsqueezed(each, x.shape, dim, keepdim), x, dim, correction)
                result = each if result is None else result + each
        if not keep:
            self.saved_self = FREED
        return self.along([result])


def var_part(grad: Tensor, x: Tensor, dim: Dims, correction: float) -> Tensor:
    mean = x.mean() if dim is None else x.mean(dim, True)
    return mul_number(grad, slope_of_variance(x.shape, dim, correction)) * (x - mean)


def mean_part(grad: Tensor, x: Tensor, dim: Dims, correction: float) -> Tensor:
    return div_number(grad.expand(x.shape), count(x.shape, dim))


def variance_and_mean(
    self: Tensor, dim: Dims, correction: float, keepdim: bool
) -> tuple[Tensor, Tensor]:
    data = self._data
    results = (
        new_tensor(variance(data, dim, correction, keepdim)),
        new_tensor(reductions.average(data, dim, keepdim, None)),
    )
    node = VarMeanBackward0()
    node.arguments = (dim, correction, keepdim)
    if self.requires_grad:
        node.saved_self, node.counter_self = data, version_counter(self)
        node.version_self = node.counter_self[0]
    variance_, mean_ = finish("var_mean", node, [self], results)
    return variance_, mean_


# A layer made of them


def layer_norm_kernel(self: Any, weight: Any, bias: Any, dims: Dims, eps: float) -> Any:
    form, _ = normal_form(in_order(self), dims, eps)
    form *= weight
    form += bias
    return form


def normal_form(self: Any, dims: Dims, eps: float) -> tuple[Any, Any]:
    """`self` less its mean over `dims` and divided by its standard deviation, and the latter."""
    form = self - reductions.average(self, dims, True, None)
    spread = np.sqrt(reductions.average(form * form, dims, True, None) + self.dtype.type(eps))
    form /= spread
    return form, spread


def normalized(self: Tensor, dims: Dims, eps: float) -> Tensor:
    """The normal form of a tensor."""
    deviation = self - self.mean(dims, True)
    return deviation / ((deviation * deviation).mean(dims, True) + eps).sqrt()


def layer_norm_backward_kernel(grad: Any, self: Any, weight: Any, dims: Dims, eps: float) -> Any:
    form, spread = normal_form(self, dims, eps)
    grad = grad * weight
    along_form = reductions.average(grad * form, dims, True, None)
    grad -= reductions.average(grad, dims, True, None)
    form *= along_form
    grad -= form
    grad /= spread
    return grad


def layer_norm_backward(
    grad: Tensor, self: Tensor, weight: Tensor, dims: Dims, eps: float
) -> Tensor:
    """The gradient without its parts along the mean and the normal form, divided by the spread."""
    grad, form = grad * weight, normalized(self, dims, eps)
    spread = ((self - self.mean(dims, True)) ** 2).mean(dims, True) + eps
    along_form = form * (grad * form).mean(dims, True)
    result: Tensor = (grad - grad.mean(dims, True) - along_form) / spread.sqrt()
    return result


ARRAYS["normalized"] = lambda self, dims, eps: normal_form(self, dims, eps)[0]
ARRAYS["layer_norm_backward"] = layer_norm_backward_kernel
TENSORS.update(normalized=normalized, layer_norm_backward=layer_norm_backward)

layer_norm = op(
    "layer_norm(self, weight, bias, dims, eps)",
    layer_norm_kernel,
    node="NativeLayerNormBackward0",
    self="layer_norm_backward(grad, self, weight, dims, eps)",
    weight="grad * normalized(self, dims, eps)",
    bias="grad",
)

# Products


@helper
def product_of_others(self: Tensor, result: Tensor, dim: int | None) -> Tensor:
    """For each element the product of all others (along `dim`): `result / self` without zeros."""
    if self.ndim == 0:
        return new_tensor(np.ones_like(self._data)[()])
    if self._data.all():
        return result / self
    dim = None if dim is None else wrap_dim(dim, self.ndim)
    flat = self.reshape(1, -1) if dim is None else self.unsqueeze(-1).transpose(dim, -1)
    # For each of the n elements a row of all n, with a 1 in its own place.
    rows = flat.unsqueeze(-2).expand(*flat.shape[:-1], flat.shape[-1], flat.shape[-1])
    own = new_tensor(np.eye(flat.shape[-1], dtype=bool))
    others = prod_dim(elementwise.where(own, 1.0, rows), rows.ndim - 1, False, None)
    if dim is None:
        return others.reshape(self.shape)
    return others.transpose(dim, -1).squeeze(-1)


def product(self: Any, dim: Any, keepdim: bool, dtype: dtype | None) -> Any:
    kind: Any = dtype.numpy if dtype else None if self.dtype.kind == "f" else np.int64
    return np.multiply.reduce(self, axes(dim, self.ndim), kind, keepdims=keepdim)  # type: ignore[call-overload]


prod_all = op(
    "prod_all(self, dtype)",
    lambda self, dtype: product(self, None, False, dtype),
    node="ProdBackward0",
    gives="kernel",
    self="grad * product_of_others(self, result, None)",
)
prod_dim = op(
    "prod_dim(self, dim, keepdim, dtype)",
    product,
    node="ProdBackward1",
    gives="kernel",
    self=(
        "unsqueezed(grad, self.shape, dim, keepdim)"
        " * product_of_others(self, unsqueezed(result, self.shape, dim, keepdim), dim)"
    ),
)


def prod(input: Tensor, dim: int = MISSING, keepdim: bool = False, *, dtype: Any = None) -> Tensor:
    """The product of all elements, or over the dimension `dim`."""
    if isinstance(dim, int):
        return prod_dim(input, dim, keepdim, dtype)
    if dim is not MISSING or keepdim:
        raise TypeError
    return prod_all(input, dtype)


# Extremes


@helper
def share(grad: Tensor, equals: Tensor, dim: Dims) -> Tensor:
    """`grad` shared evenly among the `equals` (along `dim`)."""
    return grad / equals.sum(dim, True) * equals


@helper
def share_of_all(grad: Tensor, equals: Tensor) -> Any:
    """`grad`, of one number, shared evenly among the `equals`."""
    nowhere = new_tensor(np.zeros(equals.shape, grad.dtype.numpy)[()])
    return picking.masked_fill_tensor(nowhere, equals, grad / equals.sum())


def extreme(find: Any, name: str) -> Any:
    """The kernel for the largest or smallest elements. IndexError where there is none."""

    def kernel(self: Any, dim: Dims, keepdim: bool) -> Any:
        check_not_empty(self, dim, name)
        return find.reduce(self, axes(dim, self.ndim), keepdims=keepdim)

    return kernel


def check_not_empty(self: Any, dim: Dims, name: str) -> None:
    reduced = axes(dim, self.ndim)
    if self.size == 0 and (dim is None or dim == ()):
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the"
            " reduction dim with the 'dim' argument."
        )
    for axis in reduced:
        if self.shape[axis] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size.")


EVENLY = (
    "share(restore(grad, self.shape, dim, keepdim),"
    " restore(result, self.shape, dim, keepdim) == self, dim)"
)
EVENLY_OF_ALL = "share_of_all(grad, (self == result) | isnan(self) & isnan(result))"

amax = op("amax(self, dim=(), keepdim=False)", extreme(np.maximum, "amax"), self=EVENLY)
amin = op("amin(self, dim=(), keepdim=False)", extreme(np.minimum, "amin"), self=EVENLY)
max_all = op(
    "max_all(self)",
    lambda self: extreme(np.maximum, "max")(self, None, False),
    node="MaxBackward1",
    self=EVENLY_OF_ALL,
)
min_all = op(
    "min_all(self)",
    lambda self: extreme(np.minimum, "min")(self, None, False),
    node="MinBackward1",
    self=EVENLY_OF_ALL,
)
PICK = (
    "put_back(unsqueezed(grad, self.shape, dim, keepdim), self.shape, dim,"
    " unsqueezed(indices, self.shape, dim, keepdim))"
)


def pick(self: Any, dim: int, keepdim: bool, indices: Any) -> Any:
    index = restore(indices, self.shape, dim, keepdim)
    return picking.gathered(self, dim, index).reshape(indices.shape)[()]


max_dim = op("max_dim(self, dim, keepdim, indices: Tensor)", pick, node="MaxBackward0", self=PICK)
min_dim = op("min_dim(self, dim, keepdim, indices: Tensor)", pick, node="MinBackward0", self=PICK)
MaxResult = return_type("max", "values", "indices")
MinResult = return_type("min", "values", "indices")


def along(
    self: Tensor, dim: int, keepdim: bool, name: str, find: Any, take: Any, made: Any
) -> tuple[Tensor, Tensor]:
    """The extreme elements along `dim`, and where they are."""
    axis = wrap_dim(dim, self.ndim)
    if self.ndim:
        check_not_empty(self._data, axis, name)
    indices = find(self, axis, keepdim)
    both: tuple[Tensor, Tensor] = made((take(self, axis, keepdim, indices), indices))
    return both


def max_(input: Tensor, dim: Any = MISSING, keepdim: bool = False, *, other: Any = MISSING) -> Any:
    """The largest element; with `dim` the largest along it and their indices; or `maximum`.

    `max(x)`, `max(x, dim)` → (values, indices), `max(x, other)`.
    """
    other = dim if isinstance(dim, Tensor) else other
    if other is not MISSING:
        return functions.maximum(input, other)
    if isinstance(dim, int):
        return along(input, dim, keepdim, "max", reductions.argmax, max_dim, MaxResult)
    if dim is not MISSING or keepdim:
        raise TypeError
    return max_all(input)


def min_(input: Tensor, dim: Any = MISSING, keepdim: bool = False, *, other: Any = MISSING) -> Any:
    """The smallest element; with `dim` the smallest along it and their indices; or `minimum`."""
    other = dim if isinstance(dim, Tensor) else other
    if other is not MISSING:
        return functions.minimum(input, other)
    if isinstance(dim, int):
        return along(input, dim, keepdim, "min", reductions.argmin, min_dim, MinResult)
    if dim is not MISSING or keepdim:
        raise TypeError
    return min_all(input)


# The middle


def middle(self: Any, dim: int) -> Any:
    """Where along `dim` the median is, the lower of two; the first nan if there is one."""
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


median_all = op("median_all(self)", median_kernel, node="MedianBackward0", self=EVENLY_OF_ALL)
median_dim = op(
    "median_dim(self, dim, keepdim, indices: Tensor)", pick, node="MedianBackward1", self=PICK
)
MedianResult = return_type("median", "values", "indices")


def find_middle(self: Tensor, axis: int, keepdim: bool) -> Tensor:
    index = middle(self._data, axis)
    return new_tensor(np.expand_dims(index, axis) if keepdim and self.ndim else index)


def median(input: Tensor, dim: int = MISSING, keepdim: bool = False) -> Any:
    """The middle element, of two the lower; with `dim` along it, and their indices."""
    if input.dtype is dtypes.bool_:
        raise NotImplementedError("\"median_cpu\" not implemented for 'Bool'")
    if dim is not MISSING:
        return along(input, dim, keepdim, "median", find_middle, median_dim, MedianResult)
    if keepdim:
        raise TypeError
    return median_all(input)


nonzero_count = op(
    "nonzero_count(self: Tensor, dim)",
    lambda self, dim: np.asarray(np.count_nonzero(self, axes(dim, self.ndim)), np.int64)[()],
    gives="kernel",
)


def count_nonzero(input: Tensor, dim: Dims = None) -> Tensor:
    """How many elements are not zero, of all or over `dim`."""
    return nonzero_count(input, dim)


# Norms


@helper
def norm_backward(
    grad: Tensor, self: Tensor, result: Tensor, p: float, dim: Dims, keepdim: bool
) -> Any:
    """The gradient of the norm of order `p`: by cases, as the norm itself; 0 where that is 0."""
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


def norm_kernel(self: Any, p: float, dim: Dims, keepdim: bool, dtype: dtype | None) -> Any:
    if self.dtype.kind != "f":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got"
            f" {from_numpy_dtype(self.dtype).legacy}"
        )
    self = self.astype(dtype.numpy) if dtype else self
    if p == 2:
        return np.sqrt(total(self * self, dim, keepdim, None))
    if math.isinf(p):
        check_identity(self, p, dim)
        find: Any = np.maximum if p > 0 else np.minimum
        return find.reduce(np.abs(self), axes(dim, self.ndim), keepdims=keepdim)
    if p == 0:
        return total((self != 0).astype(self.dtype), dim, keepdim, None)
    powers = total(np.abs(self) ** p, dim, keepdim, None)
    return powers ** (1 / p)


def check_identity(self: Any, p: float, dim: Dims) -> None:
    if any(self.shape[axis] == 0 for axis in axes(dim, self.ndim)):
        raise RuntimeError(
            f"linalg.vector_norm cannot compute the {p} norm on an empty tensor because the"
            " operation does not have an identity"
        )


norm_p = op(
    "norm_p(self, p, dim, keepdim, dtype)",
    norm_kernel,
    gives="kernel",
    node="LinalgVectorNormBackward0",
    self="norm_backward(grad, self, result, p, dim, keepdim)",
)


def norm(
    input: Tensor, p: Any = "fro", dim: Dims = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """The norm of order `p` (2, "fro" or None; 1; inf; any other number), of all or over `dim`."""
    if p == "nuc":
        raise NotImplementedError("minigrad has no nuclear norm: it has no singular values")
    return norm_p(input, 2.0 if p in ("fro", None) else float(p), dim, keepdim, dtype)


# Along a dimension: log of a sum of exps, running sums, softmax


def logsumexp_kernel(self: Any, dim: Dims, keepdim: bool) -> Any:
    top = np.maximum.reduce(self, axes(dim, self.ndim), keepdims=True, initial=-np.inf)
    top = np.where(np.isinf(top), self.dtype.type(0), top)
    rest = np.log(total(np.exp(self - top), dim, keepdim, None))
    return (rest + top.reshape(rest.shape))[()]


logsumexp = op(
    "logsumexp(self, dim, keepdim=False)",
    logsumexp_kernel,
    promote="float",
    self=(
        "unsqueezed(grad, self.shape, dim, keepdim)"
        " * exp(self - unsqueezed(result, self.shape, dim, keepdim))"
    ),
)


def running_sum(self: Any, dim: int, dtype: dtype | None) -> Any:
    kind: Any = dtype.numpy if dtype else self.dtype if self.dtype.kind == "f" else np.int64
    axis = wrap_dim(dim, self.ndim)
    sums = np.cumsum(in_order(self), axis if self.ndim else None, kind)
    return sums.reshape(self.shape)[()]


cumsum_dim = op(
    "cumsum_dim(self, dim, dtype)",
    running_sum,
    node="CumsumBackward0",
    gives="kernel",
    self="sum_from_end(grad, dim)",
)


def sum_from_end(tensor: Tensor, dim: int) -> Tensor:
    """The running sums of `tensor` along `dim`, from the end."""
    if tensor.numel() <= 1:
        return tensor
    return cumsum_dim(tensor.flip(dim), dim, None).flip(dim)


def sums_from_end(grad: Any, dim: int) -> Any:
    """The same of an array."""
    if not grad.ndim:
        return grad
    sums = np.empty(grad.shape, grad.dtype)
    np.cumsum(np.flip(grad, dim), dim, out=np.flip(sums, dim))
    return sums


ARRAYS["sum_from_end"], TENSORS["sum_from_end"] = sums_from_end, sum_from_end


def cumsum(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The sums of the elements up to each, along `dim`. Integers and bools give int64."""
    return cumsum_dim(input, dim, dtype)


@helper
def cumprod_backward(grad: Tensor, self: Tensor, result: Tensor, dim: int) -> Any:
    """For each element the sum, over what comes from it on, of the gradient times the others."""
    if not self.ndim or not self.numel():
        return grad
    if self._data.all():
        return sum_from_end(result * grad, dim) / self
    # A row for each element: the running products with a 1 in its place.
    last = self.transpose(dim, -1)
    own = new_tensor(np.eye(last.shape[-1], dtype=bool))
    rows = last.unsqueeze(-2).expand((*last.shape[:-1], last.shape[-1], last.shape[-1]))
    products = cumprod_dim(elementwise.where(own, 1.0, rows), -1, None)
    terms = (products * grad.transpose(dim, -1).unsqueeze(-2)).triu()
    return terms.sum(-1).transpose(dim, -1)


def running_product(self: Any, dim: int, dtype: dtype | None) -> Any:
    kind: Any = dtype.numpy if dtype else self.dtype if self.dtype.kind == "f" else np.int64
    axis = wrap_dim(dim, self.ndim)
    return np.cumprod(in_order(self), axis if self.ndim else None, kind).reshape(self.shape)[()]


cumprod_dim = op(
    "cumprod_dim(self, dim, dtype)",
    running_product,
    node="CumprodBackward0",
    gives="kernel",
    self="cumprod_backward(grad, self, result, dim)",
)


def cumprod(input: Tensor, dim: int, *, dtype: Any = None) -> Tensor:
    """The products of the elements up to each, along `dim`. Integers and bools give int64."""
    return cumprod_dim(input, dim, dtype)


def below_zero(self: Any, dim: int, name: str) -> tuple[Any, int]:
    """`self` minus the largest elements along `dim`, so that no exp is too large, and its axis.

    NotImplementedError, naming PyTorch's kernel, unless floating point.
    """
    axis = wrap_dim(dim, self.ndim)
    if self.dtype.kind != "f":
        last = "lastdim_" * (axis == max(self.ndim - 1, 0))
        functions.floating(self, f"{name}_{last}kernel_impl")
    self = in_order(self)
    return self - np.maximum.reduce(self, axis, keepdims=True, initial=-np.inf), axis


def softmax_kernel(self: Any, dim: int) -> Any:
    powers, axis = below_zero(self, dim, "softmax")
    powers = np.exp(powers)
    powers /= np.add.reduce(powers, axis, keepdims=True)
    return powers


def log_softmax_kernel(self: Any, dim: int) -> Any:
    result, axis = below_zero(self, dim, "log_softmax")
    result -= np.log(np.add.reduce(np.exp(result), axis, keepdims=True))
    return result


softmax_dim = op(
    "softmax_dim(self, dim)",
    softmax_kernel,
    node="SoftmaxBackward0",
    self="softmax_backward_data(grad, result, dim)",
)
log_softmax_dim = op(
    "log_softmax_dim(self, dim)",
    log_softmax_kernel,
    node="LogSoftmaxBackward0",
    self="log_softmax_backward_data(grad, result, dim)",
)


def softmax_backward_kernel(grad_output: Any, output: Any, dim: int) -> Any:
    slope = grad_output - np.add.reduce(grad_output * output, dim, keepdims=True)
    slope *= output
    return slope


def log_softmax_backward_kernel(grad_output: Any, output: Any, dim: int) -> Any:
    slope = np.exp(output)
    slope *= -np.add.reduce(grad_output, dim, keepdims=True)
    slope += grad_output
    return slope


op(
    "softmax_backward_data(grad_output, output, dim)",
    softmax_backward_kernel,
    node="SoftmaxBackwardDataBackward0",
    grad_output="softmax_backward_data(grad, output, dim)",
    output=(
        "grad_output * grad - sum_dim(output * grad_output, dim, True, None) * grad"
        " - grad_output * sum_dim(output * grad, dim, True, None)"
    ),
)
op(
    "log_softmax_backward_data(grad_output, output, dim)",
    log_softmax_backward_kernel,
    node="LogSoftmaxBackwardDataBackward0",
    grad_output="grad - sum_dim(grad * exp(output), dim, True, None)",
    output="-sum_dim(grad_output, dim, True, None) * exp(output) * grad",
)


def softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """exp(x) / Σ exp(x) along `dim`: positive numbers of sum 1."""
    return softmax_dim(in_dtype(input, "softmax", dtype), dim)


def log_softmax(input: Tensor, dim: int, dtype: Any = None) -> Tensor:
    """x - log Σ exp(x) along `dim`: the logarithm of `softmax`, computed safely."""
    return log_softmax_dim(in_dtype(input, "log_softmax", dtype), dim)


def in_dtype(tensor: Tensor, function: str, dtype: Any) -> Tensor:
    """`tensor` in `dtype`, if it is not None. TypeError, naming the function, if it is no dtype."""
    return tensor if dtype is None else tensor.to(dtypes.as_dtype(function, dtype))


FUNCTIONS: dict[str, Any] = {
    "var": var,
    "std": std,
    "prod": prod,
    "amax": amax,
    "amin": amin,
    "max": max_,
    "min": min_,
    "norm": norm,
    "logsumexp": logsumexp,
    "cumsum": cumsum,
    "cumprod": cumprod,
    "median": median,
    "count_nonzero": count_nonzero,
    "softmax": softmax,
    "log_softmax": log_softmax,
}
