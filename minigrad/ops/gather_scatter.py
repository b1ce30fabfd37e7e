"""Selecting elements by index tensors or masks, writing them back, and sorting.

All of these copy, and they are each other's derivatives: the gradient of `gather` is a
`scatter_add`, and that of `scatter` is a `gather`. `sort` and `topk` find their indices first and
then gather.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from ..support import dtypes, errors, observers
from ..rows.arguments import MISSING, Number, is_integer
from ..rows.declarations import export
from ..rows.operands import NUMBERS, checked_convert
from ..support.shapes import broadcast_shape, wrap_dim
from . import functions, indexing
from .elementwise import filled, masked_fill_number, scaled, where_
from .flat import add_at, places, true_in
from .layouts import laid_out_as
from .reductions import sum_all
from .results import return_type
from .shapes import expand, in_order, unsqueeze

# One index for each element, along one dimension


INDEX_DTYPES = (np.dtype(np.int64), np.dtype(np.int32))


def check_index(self: Any, dim: int, index: Any, name: str) -> None:
    """RuntimeError for an index with a wrong dtype or shape, or that is out of bounds."""
    dim = wrap_dim(dim, self.ndim)
    check_index_dtype(index, name)
    if index.size == 0:
        return
    check_rank(self, index, "input" if name == "gather" else "self")
    size = self.shape[dim] if self.ndim else 1
    for axis in range(self.ndim):
        if axis != dim and index.shape[axis] > self.shape[axis] and name == "gather":
            raise RuntimeError(
                f"Size does not match at dimension {axis} expected index {list(index.shape)} to be"
                f" no larger than self {list(self.shape)} apart from dimension {dim}"
            )
    check_bounds(index, dim, size)


def check_bounds(index: Any, dim: int, size: int) -> None:
    if index.size and (index.min() < 0 or index.max() >= size):
        outside = index[(index < 0) | (index >= size)]
        raise RuntimeError(
            f"index {outside.flat[0]} is out of bounds for dimension {dim} with size {size}"
        )


def check_index_dtype(index: Any, name: str) -> None:
    if index.dtype not in INDEX_DTYPES:
        raise RuntimeError(f"{name}(): Expected dtype int32/int64 for index")


def check_rank(self: Any, index: Any, name: str) -> None:
    if max(index.ndim, 1) != max(self.ndim, 1):
        raise RuntimeError(f"Index tensor must have the same number of dimensions as {name} tensor")


def check_source(self: Any, dim: int, index: Any, src: Any, name: str) -> None:
    dim = wrap_dim(dim, self.ndim)
    check_index_dtype(index, name)
    if src.dtype != self.dtype:
        raise RuntimeError(f"{name}(): Expected self.dtype to be equal to src.dtype")
    if index.size == 0:
        return
    check_rank(self, index, "self")
    check_rank(src, index, "src")
    fits_src = all(n <= m for n, m in zip(index.shape, src.shape, strict=False))
    fits_self = all(
        n <= m
        for axis, (n, m) in enumerate(zip(index.shape, self.shape, strict=False))
        if axis != dim
    )
    if not (fits_src and fits_self):
        raise RuntimeError(
            f"Expected index {list(index.shape)} to be no larger than self {list(self.shape)} apart"
            f" from dimension {dim} and to be no larger size than src {list(src.shape)}"
        )


def gathered(self: Any, dim: int, index: Any) -> Any:
    """The elements at the positions `index` along `dim`."""
    check_index(self, dim, index, "gather")
    if index.size == 0:
        return np.empty(index.shape, self.dtype)
    return self.reshape(-1).take(places(self.shape, dim, index))


def part_for(index: Any, src: Any) -> Any:
    """The part of `src` for which there is an index."""
    return src if src.shape == index.shape else np.atleast_1d(src)[tuple(map(slice, index.shape))]


def scatter_kernel(self: Any, dim: int, index: Any, src: Any) -> Any:
    """A copy with `src` written to the positions `index` along `dim`."""
    if isinstance(src, (np.ndarray, np.generic)):
        check_source(self, dim, index, src, "scatter")
        src = part_for(index, src)
    check_index(self, dim, index, "scatter")
    result = np.array(self, order="C")
    if index.size:
        result.reshape(-1)[places(self.shape, dim, index)] = src
    return result[()]


def scatter_add_kernel(self: Any, dim: int, index: Any, src: Any) -> Any:
    """A copy with `src` added at the positions `index` along `dim`."""
    check_source(self, dim, index, src, "scatter_add")
    check_index(self, dim, index, "scatter_add")
    result = np.array(self, order="C")
    if index.size:
        found = places(self.shape, dim, index).reshape(-1)
        np.add.at(result.reshape(-1), found, part_for(index, src).reshape(-1))
    return result[()]


gather = op(
    "gather",
    gathered,
    tensor_args=("index",),
    doc=(
        "The elements of `input` at the positions `index` along `dim`, in the shape of `index`.\n\n"
        "`out[i, j] = input[index[i, j], j]` for dim 0, `input[i, index[i, j]]` for dim 1.\n"
        "RuntimeError for an index out of bounds, or with another number of dimensions."
    ),
    self=lambda grad, self, dim, index: gather_backward(grad, self.shape, dim, index),
)
scatter_src = op(
    "scatter",
    scatter_kernel,
    tensor_args=("index",),
    self=lambda grad, dim, index: scatter_number(grad, dim, index, 0),
    src=lambda grad, dim, index: gather(grad, dim, index),
)
scatter_number = op(
    "scatter",
    scatter_kernel,
    node="ScatterBackward1",
    tensor_args=("index",),
    self=lambda grad, dim, index: scatter_number(grad, dim, index, 0),
)
scatter_add = op(
    "scatter_add",
    scatter_add_kernel,
    tensor_args=("index",),
    doc=(
        "A copy with the elements of `src` added at the positions `index` along `dim`.\n\n"
        "`out[index[i, j], j] += src[i, j]` for dim 0, `out[i, index[i, j]] += …` for dim 1.\n"
        "RuntimeError for an index out of bounds, or larger than `src`."
    ),
    in_place=True,
    self=lambda grad: grad,
    src=lambda grad, dim, index: gather(grad, dim, index),
)

# Gradients: scattered into zeros, or added to zeros if an element can occur twice


def zeros(shape: tuple[int, ...], like: Tensor) -> Tensor:
    return new_tensor(np.zeros(shape, like.dtype.numpy))


def gather_backward(grad: Tensor, shape: tuple[int, ...], dim: int, index: Tensor) -> Tensor:
    """The gradient with respect to the input of `gather`."""
    return scatter_add(zeros(shape, grad), dim, index, grad)


def put_back(grad: Tensor, shape: tuple[int, ...], dim: int, index: Tensor) -> Tensor:
    """The same if each element was selected at most once."""
    return scatter_src(zeros(shape, grad), dim, index, grad)


@export(in_place=True)
def scatter(
    input: Tensor, dim: int, index: Tensor, src: Number = MISSING, *, value: Number = MISSING
) -> Tensor:
    """A copy with `src`, a tensor or a number, written to the positions `index` along `dim`.

    `out[index[i, j], j] = src[i, j]` for dim 0, `out[i, index[i, j]] = src[i, j]` for dim 1. If a
    position occurs twice, it is undefined which element remains.
    """
    src = value if src is MISSING else src
    if isinstance(src, NUMBERS) and isinstance(input, Tensor):
        src = checked_convert(src, input.dtype.numpy).item()
    return (scatter_src if isinstance(src, Tensor) else scatter_number)(input, dim, index, src)


def short(shape: tuple[int, ...], dim: int) -> tuple[int, ...]:
    """`shape` with length 1 in dimension `dim`."""
    return (*shape[:dim], 1, *shape[dim + 1 :])


@export()
def take_along_dim(input: Tensor, indices: Tensor, dim: int | None = None) -> Tensor:
    """The elements at `indices` along `dim`, as `argsort` returns them; the rest broadcasts.

    Along `dim`, as in PyTorch, indices wrap around, whatever their size; without it, both tensors
    are flattened. RuntimeError unless `indices` is int64 and has as many dimensions as `input`.
    """
    if indices.dtype is not dtypes.int64:
        raise RuntimeError(
            "torch.take_along_dim(): dtype of indices should be Long but got"
            f" {indices.dtype.legacy}"
        )
    if dim is None:
        return gather(input.view(-1), 0, indices.view(-1))
    if input.ndim != indices.ndim:
        raise RuntimeError(
            "torch.take_along_dim(): input and indices should have the same number of dimensions,"
            f" but got {input.ndim} dimensions for input, and {indices.ndim} dimensions for indices"
        )
    dim = wrap_dim(dim, input.ndim)
    rest = [short(each.shape, dim) for each in (input, indices)]
    own, wanted = ([*broadcast_shape(*rest)] for _ in range(2))
    own[dim], wanted[dim] = input.shape[dim], indices.shape[dim]
    indices = functions.remainder(indices, input.shape[dim]) if indices.numel() else indices
    return gather(expand(input, own), dim, expand(indices, wanted))


# Whole slices


def embedding_backward_kernel(self: Any, shape: tuple[int, ...], indices: Any, ignored: int) -> Any:
    grad = np.zeros(shape, self.dtype)
    add_at(grad, 0, indices, self)
    if ignored >= 0:
        grad[ignored] = 0
    return grad


def embedding_kernel(self: Any, indices: Any, ignored: int) -> Any:
    if indices.size and not (indices.min() >= 0 and indices.max() < len(self)):
        raise IndexError("index out of range in self")
    return self.take(indices, 0)


embedding = op(
    "embedding",
    embedding_kernel,
    tensor_args=("indices",),
    self=lambda grad, self_shape, indices, ignored: embedding_backward(
        grad, self_shape, indices, ignored
    ),
)
embedding_backward = op(
    "embedding_backward",
    embedding_backward_kernel,
    node="EmbeddingDenseBackwardBackward0",
    tensor_args=("indices",),
    self=lambda grad, indices, ignored: where_(
        unsqueeze(indices == ignored, -1), 0.0, embedding(grad, indices, ignored)
    ),
)


def index_add_kernel(self: Any, dim: int, index: Any, source: Any, alpha: float) -> Any:
    result, axis, name = np.array(self, order="C"), wrap_dim(dim, self.ndim), "index_add_(): "
    if index.dtype not in INDEX_DTYPES:
        kind = dtypes.from_numpy_dtype(index.dtype).legacy
        raise RuntimeError(f"{name}Expected dtype int32/int64 for index but got: {kind}")
    if not self.ndim:
        return self + alpha * source
    if source.shape[axis] != index.size:
        raise RuntimeError(
            f"{name}Number of indices ({index.size}) should be equal to source.size(dim):"
            f" ({source.shape[axis]}), for dim: {axis}"
        )
    if short(source.shape, axis) != short(self.shape, axis):
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension."
            f" Got self.shape = {list(self.shape)} source.shape = {list(source.shape)}"
        )
    check_bounds(index, axis, self.shape[axis])
    add_at(result, axis, np.atleast_1d(index), source if alpha == 1 else alpha * source)
    return result


index_add_ = op(
    "index_add",
    index_add_kernel,
    tensor_args=("index",),
    self=lambda grad: grad,
    source=lambda grad, dim, index, source, alpha: scaled(
        expand(index_select(grad, dim, index), source.shape), alpha
    ),
)


def index_select_kernel(self: Any, dim: int, index: Any) -> Any:
    dim = wrap_dim(dim, self.ndim)
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index.dtype not in INDEX_DTYPES:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not self.ndim and index.size != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {index.size} value(s)"
        )
    size = self.shape[dim] if self.ndim else 1
    if self.ndim > 1 and index.size and not size:
        raise RuntimeError("index_select(): self indexing axis dim should be positive")
    if index.size and not (index.min() >= 0 and index.max() < size):
        if self.ndim > 1 and (dim == 1 or not self.size):
            first = index[(index < 0) | (index >= size)].flat[0]
            raise RuntimeError(f"INDICES element is out of DATA bounds, id={first} axis_dim={size}")
        raise IndexError("index out of range in self")
    return np.take(self, np.atleast_1d(index), dim) if self.ndim else self.copy()


index_select = op(
    "index_select",
    index_select_kernel,
    tensor_args=("index",),
    doc=(
        "The slices of `input` at the positions `index` along `dim`, where `index` is a vector.\n\n"
        "Shapes: (…, n, …), (k) → (…, k, …). IndexError or RuntimeError if out of bounds."
    ),
    self=lambda grad, self_shape, dim, index: index_select_backward(grad, self_shape, dim, index),
)


def index_select_backward(grad: Tensor, shape: tuple[int, ...], dim: int, index: Tensor) -> Tensor:
    """The gradient with respect to the input of `index_select`."""
    return index_add_(zeros(shape, grad), dim, index, grad, 1)


@export(in_place=True)
def index_add(
    input: Tensor, dim: int, index: Tensor, source: Tensor, *, alpha: float = 1
) -> Tensor:
    """A copy with `alpha * source`, slice by slice, added at the positions `index` along `dim`."""
    return index_add_(input, dim, index, source, alpha)


@export()
def repeat_interleave(
    input: Tensor, repeats: Any = None, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Each slice along `dim`, or each element of the flat input, `repeats` times in a row.

    `repeats` is a number, or a tensor with one for each slice. Without it, `input` is that tensor,
    and the result the indices 0, 1, …, each repeated. RuntimeError if the length along `dim` is
    not the `output_size` that was expected.
    """
    if repeats is None:
        input, repeats = new_tensor(np.arange(input.numel())), input
    if dim is None:
        input, dim = input.flatten(), 0
    dim, shape = wrap_dim(dim, input.ndim), input.shape
    if not isinstance(repeats, Tensor):
        if not is_integer(repeats):
            raise TypeError
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        check_output_size(output_size, shape[dim] * repeats)
        wide = expand(unsqueeze(input, dim + 1), (*shape[: dim + 1], repeats, *shape[dim + 1 :]))
        return in_order(wide).view(*shape[:dim], shape[dim] * repeats, *shape[dim + 1 :])
    times = repeats._data
    if times.dtype not in INDEX_DTYPES:
        raise errors.not_implemented("repeat_interleave_cpu", repeats.dtype)
    if times.ndim > 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if times.size not in (1, shape[dim]):
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got repeats.size(0) ="
            f" {times.size} and input.size({dim}) = {shape[dim]}"
        )
    if times.min(initial=0) < 0:
        raise RuntimeError("repeats can not be negative")
    index = np.repeat(np.arange(shape[dim]), np.broadcast_to(times, shape[dim]))
    check_output_size(output_size, index.size)
    return index_select(input, dim, new_tensor(index))


def check_output_size(expected: int | None, found: int) -> None:
    if expected is not None and expected != found:
        raise RuntimeError(
            f"repeat_interleave: Invalid output_size, expected {found} but got {expected}"
        )


@export()
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The different elements, or slices along `dim`, in ascending order. Not differentiable.

    On request, as a tuple with the index of each element among them and how often each occurs.
    """
    axis = None if dim is None else wrap_dim(dim, input.ndim)
    options: Any = {"return_inverse": True, "return_counts": True, "equal_nan": False}
    values, inverse, counts = np.unique(input._data, axis=axis, **options)
    inverse = inverse.reshape(input.shape if dim is None else -1)
    chosen = [values, *[inverse] * return_inverse, *[counts] * return_counts]
    results = tuple(new_tensor(np.asarray(each)) for each in chosen)
    return results if results[1:] else results[0]


@export()
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Tensor:
    """How often each of the numbers 0, 1, … occurs in a vector of integers, or with `weights` the
    sum of the weights of its occurrences. RuntimeError for negative numbers.
    """
    numbers = input._data
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if numbers.dtype.kind not in "iu":
        raise errors.not_implemented("bincount_cpu", input.dtype)
    if numbers.ndim != 1 or numbers.min(initial=0) < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None or not numbers.size:
        return new_tensor(np.bincount(numbers, minlength=minlength))
    if weights.shape != input.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    kind = np.float32 if weights.dtype is dtypes.float32 else np.float64
    return new_tensor(np.bincount(numbers, weights._data, minlength).astype(kind))


# By masks


def masked_select_kernel(self: Any, mask: Any) -> Any:
    array, chosen = np.broadcast_arrays(self, mask)
    return array.reshape(-1).take(true_in(chosen))


def masked_scatter_kernel(self: Any, mask: Any, source: Any) -> Any:
    """Zeros in the shape of `self`, with the elements of `source` in order where `mask` is true."""
    result = np.zeros(np.broadcast_shapes(self.shape, mask.shape), source.dtype)
    result[np.broadcast_to(mask, result.shape)] = source
    return result


masked_fill_tensor = op(
    "masked_fill",
    filled,
    node="MaskedFillBackward1",
    tensor_args=("mask",),
    self=lambda grad, mask: masked_fill_number(grad, mask, 0),
    value=lambda grad, mask: sum_all(masked_select_(grad, mask)),
)
masked_select_ = op(
    "masked_select",
    masked_select_kernel,
    tensor_args=("mask",),
    self=lambda grad, self, mask: masked_select_backward(grad, self.shape, mask),
)
masked_scatter = op(
    "masked_scatter",
    masked_scatter_kernel,
    tensor_args=("mask",),
    self=lambda grad, mask: masked_fill_number(grad, mask, 0),
    source=lambda grad, mask: masked_select_(grad, mask),
)


def masked_select_backward(grad: Tensor, shape: tuple[int, ...], mask: Tensor) -> Tensor:
    """The gradient with respect to the input of `masked_select`."""
    return masked_scatter(zeros(np.broadcast_shapes(shape, mask.shape), grad), mask, grad)


def check_is_mask(name: str, mask: Any) -> None:
    if not isinstance(mask, Tensor):
        raise errors.argument_type(name, "mask", 2, "Tensor", mask)


def check_filling(mask: Any, value: Any) -> None:
    """TypeError unless `mask` is a tensor and `value` is a tensor or number."""
    check_is_mask("masked_fill", mask)
    if not isinstance(value, (Tensor, *NUMBERS)):
        raise TypeError


@export(page="torch.Tensor.masked_fill")
def masked_fill(input: Tensor, mask: Tensor, value: Number) -> Tensor:
    """A copy with `value`, a number or 0-d tensor, where `mask` is true; both tensors broadcast."""
    check_filling(mask, value)
    broadcast_shape(mask.shape, input.shape)
    return masked_fill_for_in_place(input, mask, value)


@export(name="masked_fill", only="in-place")
def masked_fill_for_in_place(input: Tensor, mask: Tensor, value: Number) -> Tensor:
    """`masked_fill`, with the errors of its in-place form."""
    check_filling(mask, value)
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with"
            f" {value.ndim} dimension(s)."
        )
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError(
            f"masked_fill_ only supports boolean masks, but got mask with dtype {mask.dtype.c_name}"
        )
    broadcast_shape(input.shape, mask.shape)
    if isinstance(value, Tensor):
        return masked_fill_tensor(input, mask, value)
    checked_convert(value, input.dtype.numpy)
    return masked_fill_number(input, mask, value)


@export()
def masked_select(input: Tensor, mask: Tensor) -> Tensor:
    """A vector of the elements where `mask` is true; both tensors broadcast."""
    check_is_mask("masked_select", mask)
    if mask.dtype is not dtypes.bool_:
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    broadcast_shape(mask.shape, input.shape)
    return masked_select_(input, mask)


# Sorting


def order(self: Any, dim: int, descending: bool) -> Any:
    """The indices that sort `self` along `dim`: a stable sort, with nan as the largest."""
    dim = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return np.int64(0)
    if not descending:
        return laid_out_as(self, np.argsort(self, dim, kind="stable"))
    backward = np.argsort(np.flip(self, dim), dim, kind="stable")
    return laid_out_as(self, np.flip(self.shape[dim] - 1 - backward, dim))


def first_in_order(self: Any, k: int, dim: int, largest: bool) -> Any:
    """The indices of the `k` largest or smallest elements along `dim`, in order."""
    if not self.ndim:
        return order(self, dim, largest)
    return np.take(order(self, dim, largest), range(k), dim)


def sorted_values(self: Any, dim: int, indices: Any) -> Any:
    return laid_out_as(self, gathered(self, dim, indices))


argsort_ = op("argsort", order, tensor_args=("self",))
topk_indices = op("topk", first_in_order, tensor_args=("self",))


def selection(
    name: str, kernel: Callable[..., Any], node: str | None = None
) -> Callable[..., Tensor]:
    """A row that selects each element at most once, by `indices` along a dimension."""
    return op(
        name,
        kernel,
        node=node,
        tensor_args=("indices",),
        self=lambda grad, self_shape, dim, indices: put_back(grad, self_shape, dim, indices),
    )


sort_values = selection("sort", sorted_values)
sort_values_stable = selection("sort", sorted_values, "SortBackward1")
topk_values = selection("topk", lambda self, dim, indices: gathered(self, dim, indices))
SortResult = return_type("sort", "values", "indices")
TopkResult = return_type("topk", "values", "indices")


@export()
def argsort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Tensor:
    """The indices that sort the tensor along `dim`."""
    return argsort_(input, dim, descending)


@export()
def sort(
    input: Tensor, dim: int = -1, descending: bool = False, *, stable: bool | None = None
) -> Any:
    """The sorted elements along `dim` and their original indices, as (values, indices).

    The sort is always stable. In PyTorch it is only with `stable=True`, which also changes the name
    of the node, here as well.
    """
    indices = argsort_(input, dim, descending)
    pick = sort_values if stable is None else sort_values_stable
    return SortResult((pick(input, dim, indices), indices))


@export()
def topk(input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Any:
    """The `k` largest or smallest elements along `dim` in order, and their original indices."""
    axis = wrap_dim(dim, input.ndim)
    if input.dtype is dtypes.bool_:
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not 0 <= k <= (input.shape[axis] if input.ndim else 1):
        raise RuntimeError("selected index k out of range")
    indices = topk_indices(input, k, axis, largest)
    return TopkResult((topk_values(input, axis, indices), indices))


@export()
def nonzero(input: Tensor, *, as_tuple: bool = False) -> Any:
    """The indices of nonzero elements, one row for each, or one tensor for each dimension."""
    found = np.argwhere(np.atleast_1d(input._data) if as_tuple else input._data)
    indices = observers.made("nonzero", (input,), new_tensor(found))
    return indexing.unbind(indices, 1) if as_tuple else indices


@export(only="function")
def where(condition: Tensor, input: Any = None, other: Any = None) -> Any:
    """The elements of `input` where `condition` is true, else those of `other`; all broadcast.

    With a condition alone, the indices at which it is true, one tensor for each dimension.
    """
    if input is None and other is None:
        return nonzero(condition, as_tuple=True)
    if isinstance(condition, Tensor) and condition.dtype is not dtypes.bool_:
        raise RuntimeError(
            "where expected condition to be a boolean tensor, but got a tensor with dtype"
            f" {condition.dtype.legacy}"
        )
    for number, tensor in ((input, other), (other, input)):
        whole = isinstance(tensor, Tensor) and tensor.dtype.numpy.kind in "iu"
        if whole and isinstance(number, (int, np.integer)):
            checked_convert(number, tensor.dtype.numpy)
    result = where_(condition, input, other)
    if result is NotImplemented:
        raise TypeError
    return result


@export(name="where", only="method")
def where_method(self: Tensor, condition: Tensor, other: Any) -> Any:
    """The elements where `condition` is true, else those of `other`; all three broadcast."""
    return where(condition, self, other)
