"""Indexing, and joining and splitting tensors.

As in PyTorch, an index is split into operations: an integer becomes `select`, a slice `slice` and
None `unsqueeze`, which are all views, while all integer arrays, lists and masks together become one
`index`, which copies. That way the graph has the same nodes.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.checks import check_followed
from ..core.grad_mode import mode
from ..core.inplace import made_with_others, track_view
from ..core.node import Node
from ..core.operation import op
from ..core.tensor import Tensor, as_array, new_tensor
from ..support import errors
from ..rows.data import is_sequence
from ..rows.declarations import export
from ..support.version_counters import counts_no_versions
from ..support.dtypes import result_type
from ..rows.layouts import indexed
from ..support.shapes import wrap_dim
from .flat import MANY, add_at, is_large, join_dims, one_index
from .results import finish

# One dimension at a time: views


def select_kernel(self: Any, dim: int, index: int) -> Any:
    if self.ndim == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, self.ndim)
    if not -self.shape[dim] <= index < self.shape[dim]:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(self.shape)} at"
            f" dimension {dim}"
        )
    picked = (slice(None),) * dim + (index,)
    return self[(*picked, ...)]  # with the ellipsis, a single element is a view, not a scalar


def select_backward_kernel(self: Any, shape: tuple[int, ...], dim: int, index: int) -> Any:
    grad = np.zeros(shape, self.dtype)
    select_kernel(grad, dim, index)[...] = self
    return grad


def slice_kernel(self: Any, dim: int, start: int, end: int, step: int) -> Any:
    return self[(slice(None),) * wrap_dim(dim, self.ndim) + (slice(start, end, step),)]


def slice_backward_kernel(
    self: Any, shape: tuple[int, ...], dim: int, start: int, end: int, step: int
) -> Any:
    grad = np.zeros(shape, self.dtype)
    slice_kernel(grad, dim, start, end, step)[...] = self
    return grad


select = op(
    "select",
    select_kernel,
    view=True,
    doc=(
        "A view at `index` along `dim`, without that dimension: `input[:, index]` for dim 1.\n\n"
        "IndexError for an index out of range."
    ),
    self=lambda grad, self_shape, dim, index: select_backward(grad, self_shape, dim, index),
)
select_backward = op(
    "select_backward",
    select_backward_kernel,
    node="SelectBackwardBackward0",
    self=lambda grad, dim, index: select(grad, dim, index),
)
slice_ = op(
    "slice",
    slice_kernel,
    node="SliceBackward0",
    view=True,
    self=lambda grad, self_shape, dim, start, end, step: slice_backward(
        grad, self_shape, dim, start, end, step
    ),
)
slice_backward = op(
    "slice_backward",
    slice_backward_kernel,
    node="SliceBackwardBackward0",
    self=lambda grad, dim, start, end, step: slice_(grad, dim, start, end, step),
)
alias = op(
    "alias",
    lambda self: self.view(),
    view=True,
    self=lambda grad: grad,
)

# Several dimensions by arrays of indices or masks: copies


class Indices(tuple[Any, ...]):
    """An index made of arrays, which remembers the tensors they came from.

    Backward needs the same index as forward, so the tensors count as saved.
    """

    tensors: dict[int, Tensor]  # by position
    versions: dict[int, int]  # by position, at the time of forward  #@11
    fits = True  # whether all indices are in bounds

    def check(self) -> None:
        """RuntimeError if one of the tensors has been changed in place since forward."""
        for position, version in self.versions.items():  #@11
            tensor = self.tensors[position]
            if tensor._version != version:
                raise errors.stale(tensor._data, "", tensor._version, version)

    def as_tensors(self) -> tuple[Tensor | None, ...]:
        """The index as PyTorch saves it: a tensor for each array, and None for a full slice."""
        return tuple(
            None if isinstance(item, slice) else self.tensors.get(position, new_tensor(item))
            for position, item in enumerate(self)
        )

    def made_of(self, tensors: dict[int, Tensor]) -> Indices:  #@rare
        """The same index with other tensors, which do not need a version check."""
        items = list(self)
        for position, tensor in tensors.items():
            items[position] = tensor._data
        made = Indices(items)
        made.tensors, made.versions = tensors, {}
        made.fits = self.fits
        return made


def checked(indices: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """`indices` into an array of `shape`, after a check that they are still valid.

    RuntimeError if one of their tensors has been changed since, IndexError if they are out of
    bounds, which PyTorch also checks this late.
    """
    if not isinstance(indices, Indices):
        return indices
    indices.check()
    return indices if indices.fits else naming_nothing(indices, shape)


def numbers_of(indices: tuple[Any, ...]) -> dict[int, Any]:
    """The arrays of an index by the dimension that they index, with masks as integers."""
    numbers: dict[int, Any] = {}
    dim = 0
    for item in indices:
        if isinstance(item, np.ndarray):
            parts = item.nonzero() if item.dtype.kind == "b" else (item,)
            numbers |= {dim + place: part for place, part in enumerate(parts)}
        dim += consumed(item)
    return numbers


def shape_at(indices: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of the result of indexing an array of `shape`, even if `indices` are out of bounds.

    IndexError for a mask of the wrong shape, for arrays that do not broadcast, and for any element
    of a dimension of length 0.
    """
    dim = 0
    for item in indices:
        check_mask(item, shape, dim)
        dim += consumed(item)
    numbers = numbers_of(indices)
    taken = common_shape(list(numbers.values()))
    if 0 not in taken and 0 in (shape[dim] for dim in numbers):
        raise IndexError("index is out of bounds for dimension with size 0")
    one_each = [1 if dim in numbers else length for dim, length in enumerate(shape)]
    shape = np.broadcast_to(False, one_each)[first_of(numbers, taken)].shape
    return shape


def common_shape(arrays: list[Any]) -> tuple[int, ...]:
    """The shape to which the arrays of an index broadcast. IndexError if they do not."""
    try:
        return np.broadcast_shapes(*(each.shape for each in arrays))
    except ValueError:
        raise IndexError(
            "shape mismatch: indexing tensors could not be broadcast together with shapes"
            f" {', '.join(str(list(each.shape)) for each in arrays)}"
        ) from None


def first_of(numbers: dict[int, Any], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """An index that has zeros of this shape instead of these arrays."""
    dims = range(max(numbers) + 1)
    return tuple(np.zeros(shape, int) if dim in numbers else slice(None) for dim in dims)


def naming_nothing(indices: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[Any, ...]:
    """A valid index to use instead of out-of-bounds `indices` that select no element.

    IndexError, naming the first number that is out of bounds, if they do select elements.
    """
    found, numbers = shape_at(indices, shape), numbers_of(indices)
    arrays = np.broadcast_arrays(*numbers.values())
    if 0 not in found:
        for element in np.nditer(arrays, order="K"):  # in memory order, as in PyTorch
            for place, (dim, number) in enumerate(zip(numbers, np.ravel(element), strict=True)):
                check_bounds(int(number), shape[dim], place)
    return first_of(numbers, arrays[0].shape)


def added_back(self: Any, shape: tuple[int, ...], indices: tuple[Any, ...]) -> Any:
    """Zeros with `self` added at `indices`, which accumulates if an element was selected twice."""
    grad, fitting = np.zeros(shape, self.dtype), checked(indices, shape)
    if self.size < MANY or (found := one_index(shape, fitting)) is None:
        np.add.at(grad, fitting, self)
    else:
        dim, count, places = found
        add_at(join_dims(grad, dim, count), dim, places, self)
    return grad


def index_kernel(self: Any, indices: tuple[Any, ...]) -> Any:
    """The elements at `indices`, in C order."""
    fitting = checked(indices, self.shape)
    try:
        if self.flags.c_contiguous and any(map(is_large, fitting)):
            found = one_index(self.shape, fitting)
            if found is not None:
                dim, count, places = found
                return join_dims(self, dim, count).take(places, dim)
        picked = np.asarray(self[fitting], order="C")
    except (IndexError, ValueError):
        common_shape(list(numbers_of(indices).values()))  # raises, in PyTorch's words
        raise
    return indexed(self, indices, picked)


index_ = op(
    "index",
    index_kernel,
    self=lambda grad, self_shape, indices: index_backward(grad, self_shape, indices),
)
index_put_add = op(
    "index_put_add",
    lambda self, indices, values: self + added_back(values, self.shape, indices),
    node="IndexPutImplBackward0",
    self=lambda grad: grad,
    values=lambda grad, indices: index_(grad, indices),
)


def index_backward(grad: Tensor, shape: tuple[int, ...], indices: Any) -> Tensor:
    """The gradient with respect to the input of `index`, which is added to zeros."""
    return index_put_add(new_tensor(np.zeros(shape, grad.dtype.numpy)), indices, grad)


def getitem(self: Tensor, index: Any) -> Tensor:
    """`self[index]` for an integer, slice, `...`, None, array, mask, or a tuple of these."""
    if isinstance(index, slice) and self.ndim:
        return take_slice(self, 0, index)
    result, arrays = take_apart(self, index)
    if arrays is not None:
        return index_(result, arrays)
    return alias(result) if result is self else result


def take_apart(self: Tensor, index: Any) -> tuple[Tensor, Indices | None]:
    """Apply the integers, slices and Nones of `index`.

    Returns the resulting view and the index made of the remaining arrays, or None.
    """
    given = items_of(index)
    try:
        items = [as_index(item) for item in given]
    except (IndexError, TypeError):  # PyTorch checks the number of indices first
        check_count(index, sum(consumed(item) for item in given), self.ndim)
        raise
    used = sum(consumed(item) for item in items)
    if used > self.ndim and isinstance(index, slice) and mode.recording:  #@11
        check_followed([self])  #@11
    check_count(index, used, self.ndim)
    result, dim = self, 0
    arrays: dict[int, Any] = {}
    sources: dict[int, Any] = {}
    for position, item in enumerate(items):
        if isinstance(item, int) and not isinstance(item, bool):
            check_bounds(item, result.shape[dim], position)
            result = select(result, dim, item)
        elif item is Ellipsis:
            dim += self.ndim - used
        elif isinstance(item, slice):
            if not covers(item, result.shape[dim]):
                result = take_slice(result, dim, item)
            dim += 1
        elif isinstance(item, np.ndarray):
            arrays[dim], sources[dim] = item, given[position]
            dim += consumed(item)
        else:  # None, or a bool, which selects all or nothing along a new dimension
            result = result.unsqueeze(dim)
            if item is not None:
                arrays[dim] = np.zeros(int(item), np.int64)
            dim += 1
    return result, fill_up(arrays, result.shape, sources) if arrays else None


def items_of(index: Any) -> Sequence[Any]:
    """The items of an index: those of a tuple, or of a list or str that PyTorch treats as one."""
    if isinstance(index, tuple):
        return index
    as_tuple = (Tensor, np.ndarray, list, tuple, range, slice, type(None), type(Ellipsis), str)
    if not isinstance(index, (list, str)) or len(index) >= 32:
        return (index,)
    if not any(isinstance(item, as_tuple) for item in index):
        return (index,)
    errors.warn(
        "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed"
        " in pytorch 2.9; use x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be"
        " interpreted as tensor index, x[torch.tensor(seq)], which will result either in an error"
        " or a different result"
    )
    return index


def covers(item: slice, length: int) -> bool:
    """Whether a slice selects the whole dimension, in which case PyTorch skips it."""
    all_from = item.start in (None, 0) and item.step in (None, 1)
    return all_from and (item.stop is None or item.stop >= length)


def check_count(index: Any, used: int, ndim: int) -> None:
    """IndexError if there are more indices than dimensions."""
    if used > ndim == 0 and isinstance(index, (int, np.integer)):
        raise IndexError(
            "invalid index of a 0-dim tensor. Use `tensor.item()` in Python or"
            " `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number"
        )
    if used > ndim == 0 and isinstance(index, slice):
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if used > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")


WHOLE = (0, 2**63 - 1, 1)  # start, end and step of a full slice


def take_slice(tensor: Tensor, dim: int, item: slice) -> Tensor:
    item.indices(0)  # raises unless start, stop and step are integers, and step is not zero
    given = zip((item.start, item.stop, item.step), WHOLE, strict=True)
    start, end, step = (usual if n is None else operator.index(n) for n, usual in given)
    if step < 0:
        raise ValueError("step must be greater than zero")
    return slice_(tensor, dim, start, end, step)


def fill_up(arrays: dict[int, Any], shape: tuple[int, ...], sources: dict[int, Any]) -> Indices:
    """One index into a tensor of `shape`, from arrays by dimension and full slices between them.

    `sources` are what the user passed for each dimension, to find the tensors among them.
    """
    full: list[Any] = []
    tensors: dict[int, Tensor] = {}
    dim = 0
    while dim <= max(arrays):
        source = sources.get(dim)
        if isinstance(source, Tensor):
            tensors[len(full)] = source
        full.append(arrays.get(dim, slice(None)))
        dim += consumed(full[-1])
    indices = Indices(full)
    indices.tensors = tensors
    indices.versions = {  #@11
        at: each._version for at, each in tensors.items() if not counts_no_versions(each)
    }
    indices.fits = all(fits(item, shape[dim:]) for dim, item in arrays.items())
    return indices


def arrays_at(self: Tensor, indices: Sequence[Tensor]) -> Indices:
    """The index into `self` that is made of these tensors. IndexError if there are too many."""
    parts = tensor_list("index_put", indices, name="indices")
    arrays = [np.asarray(as_index(each)) for each in parts]
    used = max(len(arrays), sum(map(consumed, arrays)))
    if used > self.ndim:
        raise IndexError(f"too many indices for tensor of dimension {self.ndim} (got {used})")
    by_dim: dict[int, Any] = {}
    sources: dict[int, Any] = {}
    dim = 0
    for item, source in zip(arrays, parts, strict=True):
        by_dim[dim], sources[dim] = item, source
        dim += consumed(item)
    return fill_up(by_dim, self.shape, sources)


def as_index(item: Any) -> Any:
    """One item of an index, with tensors and sequences as arrays. IndexError if it is invalid."""
    if item is None or item is Ellipsis or isinstance(item, (bool, slice)):
        return item
    if isinstance(item, (int, np.integer)):
        return int(item)
    array = item
    if isinstance(item, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(item).__name__}'")
    if isinstance(item, Tensor):
        array = np.asarray(item._data)
        if array.dtype.kind == "f":
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    elif is_sequence(item) and not isinstance(item, np.ndarray):
        array = np.asarray(list(item), None if len(item) else np.int64)
    if not isinstance(array, np.ndarray) or array.dtype.kind not in "iub":
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are"
            f" valid indices (got {errors.type_name(item)})"
        )
    if array.dtype == np.uint8:
        array = as_mask(array)
    return array if array.ndim else array.item()


def as_mask(item: Any) -> Any:
    """A uint8 array as a mask, because that was a mask before there was a bool dtype; warns."""
    if item.ndim:
        errors.warn(
            "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool"
            " instead."
        )
    return item.astype(bool)


def consumed(item: Any) -> int:
    """The number of dimensions that an item of an index applies to."""
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    return item.ndim if isinstance(item, np.ndarray) and item.dtype.kind == "b" else 1


def check_bounds(index: int, length: int, dim: int) -> None:
    if not -length <= index < length:
        raise IndexError(f"index {index} is out of bounds for dimension {dim} with size {length}")


def fits(item: Any, shape: tuple[int, ...]) -> bool:
    """Whether an array of an index is in bounds for the first of these dimensions."""
    if item.dtype.kind == "b":
        return bool(item.shape == shape[: item.ndim])
    return item.size == 0 or bool(-shape[0] <= item.min() and item.max() < shape[0])


def check_mask(item: Any, shape: tuple[int, ...], dim: int) -> None:
    """IndexError for a mask whose shape differs from that of its dimensions, from `dim` on."""
    if not isinstance(item, np.ndarray) or item.dtype.kind != "b":
        return
    for offset, (length, masked) in enumerate(zip(shape[dim:], item.shape, strict=False)):
        if length != masked:
            raise IndexError(
                f"The shape of the mask {list(item.shape)} at index {offset} does not match the"
                f" shape of the indexed tensor {list(shape)} at index {dim + offset}"
            )


# Joining and splitting: their inputs or outputs are lists, so they have handwritten nodes


class JoinNode(Node):
    """A node with one edge for each tensor in a list."""

    def __init__(self, dim: int, lengths: Sequence[int] = ()) -> None:
        self._saved_dim, self.lengths, self._saved = dim, lengths, {}


class StackBackward0(JoinNode):
    """Passes each stacked tensor its slice of the gradient."""

    __module__ = "builtins"

    def backward(self, grad: Tensor | None) -> list[Tensor | None]:
        if grad is None:
            return [None] * len(self.next_functions)
        return [select(grad, self._saved_dim, n) for n in range(len(self.next_functions))]


class CatBackward0(JoinNode):
    """Passes each concatenated tensor its part of the gradient."""

    __module__ = "builtins"

    def backward(self, grad: Tensor | None) -> list[Tensor | None]:
        if grad is None:
            return [None] * len(self.next_functions)
        start = 0
        grads: list[Tensor | None] = []
        for length in self.lengths:
            stretch = slice_(grad, self._saved_dim, start, start + length, 1)
            grads.append(stretch if length >= 0 else new_tensor(grad._data.reshape(-1)[:0]))
            start += max(length, 0)
        return grads


def join(function: str, tensors: Sequence[Tensor], data: Any, node: JoinNode) -> Tensor:
    """`data` as a tensor, recorded with `node` if one of `tensors` requires grad."""
    (result,) = finish(function, node, tensors, [new_tensor(data)])
    return result


def tensor_list(
    function: str, tensors: Any, argument: int = 0, name: str = "tensors"
) -> list[Tensor]:
    """`tensors` as a list. TypeError unless it is a list or tuple of tensors."""
    if not isinstance(tensors, (list, tuple)):
        raise errors.argument_type(function, name, 1, "tuple of Tensors", tensors)
    for position, tensor in enumerate(tensors):
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"expected Tensor as element {position} in argument {argument}, but got"
                f" {errors.type_name(tensor)}"
            )
    return list(tensors)


@export(only="function")
def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors of one shape along a new dimension. RuntimeError if the shapes differ."""
    parts = tensor_list("stack", tensors)
    if not parts:
        raise RuntimeError("stack expects a non-empty TensorList")
    for position, tensor in enumerate(parts):
        if tensor.shape != parts[0].shape:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(parts[0].shape)} at"
                f" entry 0 and {list(tensor.shape)} at entry {position}"
            )
    dim = wrap_dim(dim, parts[0].ndim + 1)
    kind = common_dtype(parts)
    data = np.stack([part._data for part in parts], axis=dim, dtype=kind)
    return join("stack", parts, np.ascontiguousarray(data), StackBackward0(dim))


@export(only="function", alias=("concat", "concatenate"))
def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along an existing dimension. RuntimeError if the other dimensions differ."""
    parts = tensor_list("cat", tensors)
    if not parts:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for position, tensor in enumerate(parts):
        if tensor.ndim == 0:
            raise RuntimeError(
                f"zero-dimensional tensor (at position {position}) cannot be concatenated"
            )
    shaped = [part for part in parts if part.shape != (0,)]  # PyTorch skips empty vectors
    if not shaped:
        shaped, dim = parts[:1], 0
    first = shaped[0]
    dim = wrap_dim(dim, first.ndim)
    for position, tensor in enumerate(parts):
        if tensor.shape == (0,):
            continue
        if tensor.ndim != first.ndim:
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {first.ndim} and {tensor.ndim}"
            )
        for axis, (expected, got) in enumerate(zip(first.shape, tensor.shape, strict=True)):
            if expected != got and axis != dim:
                raise RuntimeError(
                    f"Sizes of tensors must match except in dimension {dim}. Expected size"
                    f" {expected} but got size {got} for tensor number {position} in the list."
                )
    data = np.concatenate([part._data for part in shaped], axis=dim, dtype=common_dtype(parts))
    data = np.ascontiguousarray(data)
    skipped = [part.shape == (0,) for part in parts]
    lengths = [-1 if skip else part.shape[dim] for part, skip in zip(parts, skipped, strict=True)]
    return join("cat", parts, data, CatBackward0(dim, lengths))


def common_dtype(parts: Sequence[Tensor]) -> np.dtype[Any]:
    return result_type([(part.dtype, 2 if part.ndim else 1) for part in parts]).numpy


class UnbindBackward0(Node):
    """Stacks the gradients of the slices, with zeros for those that received none."""

    __module__ = "builtins"

    def __init__(self, dim: int) -> None:
        self._saved_dim, self._saved = dim, {}

    def backward(self, *grads: Tensor | None) -> list[Tensor | None]:
        present = next((each for each in grads if each is not None), None)
        if present is None:
            return [None]
        nothing = new_tensor(np.zeros_like(present._data))
        parts = [nothing if each is None else each for each in grads]
        return [stack(parts, self._saved_dim)]


@export()
def unbind(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """The slices along `dim`, as views that cannot be changed in place if they require grad."""
    dim = wrap_dim(dim, input.ndim)
    if input.ndim == 0:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    array = as_array(input)
    slices = [select_kernel(array, dim, i) for i in range(array.shape[dim])]
    return several_views("unbind", UnbindBackward0(dim), input, slices)


def several_views(
    function: str, node: Node, source: Tensor, arrays: Sequence[Any]
) -> tuple[Tensor, ...]:
    """`arrays`, which share the memory of `source`, as views that one `node` records."""
    results = [new_tensor(array) for array in arrays]
    for result in results:  #@11
        track_view(result, source)  #@11
        made_with_others(result)  #@rare
    return finish(function, node, [source], results)
