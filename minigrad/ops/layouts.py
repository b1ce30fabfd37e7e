"""More operations on shapes: repeat, flip, roll, triangles and diagonals, join, split.

`diagonal`, `narrow`, `split` and `chunk` return views. Like the views of `unbind`, those of one
`split` or `chunk` cannot be changed in place if they require grad.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.node import Node
from ..core.operation import op
from ..core.tensor import Tensor, as_array, new_tensor
from ..support import dtypes, errors
from ..rows.arguments import Dims, Sizes, sizes_of
from ..rows.declarations import export
from ..rows.layouts import new_like
from ..support.shapes import broadcast_shape, wrap_dim
from . import indexing, shapes
from .indexing import tensor_list
from .shapes import axes, expand

# Copies with rearranged elements


def in_order(self: Any) -> Any:
    """The array in C order, for operations whose results do not preserve the memory layout."""
    return np.asarray(self, order="C")


def laid_out_as(self: Any, array: Any) -> Any:
    """`array`, copied to the memory layout of `self`, which has the same shape."""
    copy = new_like(self, array.dtype)
    copy[...] = array
    return copy


def interleaved(repeats: tuple[int, ...], shape: tuple[int, ...]) -> list[int]:
    """(r0, n0, r1, n1, …): the shape of a repeated tensor, with each length split into factors."""
    padded = (1,) * (len(repeats) - len(shape)) + tuple(shape)
    return [length for pair in zip(repeats, padded, strict=True) for length in pair]


def repeat_kernel(self: Any, repeats: tuple[int, ...]) -> Any:
    if len(repeats) < self.ndim:
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of"
            " tensor"
        )
    return np.tile(self, repeats)


def flip_kernel(self: Any, dims: tuple[int, ...]) -> Any:
    return laid_out_as(self, np.flip(self, axes(dims, self.ndim) if dims else ()))


def roll_kernel(self: Any, shifts: tuple[int, ...], dims: tuple[int, ...]) -> Any:
    if dims and not self.ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    if len(shifts) != len(dims) and (dims or len(shifts) != 1):
        raise RuntimeError(
            f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}"
        )
    if not self.size and len(dims) == 1:
        return self.copy()  # even if the dimension does not exist
    return np.roll(in_order(self), shifts, axes(dims, self.ndim) if dims else None)


def negated(shifts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(-shift for shift in shifts)


def matrices(name: str, self: Any) -> Any:
    """`self`. RuntimeError unless it is a matrix or a batch of matrices."""
    if self.ndim < 2:
        raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
    return self


def triangle(cut: Any, self: Any, diagonal: int) -> Any:
    """The result of `np.tril` or `np.triu`, in C order for a batch of matrices."""
    return cut(self, diagonal) if self.ndim == 2 else in_order(cut(self, diagonal))


def repeat_backward(grad: Any, repeats: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    """The sum over all copies, for an array or a tensor; new dimensions are summed one by one."""
    in_front = len(repeats) - len(shape)
    for _ in range(in_front):
        grad = grad.sum(0)
    if not shape:
        return grad
    apart = grad.reshape(interleaved(repeats[in_front:], shape))
    return apart.sum(tuple(range(0, 2 * len(shape), 2)))


repeat_ = op(
    "repeat",
    repeat_kernel,
    self=lambda grad, self_shape, repeats: repeat_backward(grad, repeats, self_shape),
)
flip_ = op("flip", flip_kernel, self=lambda grad, dims: flip_(grad, dims))
roll_ = op("roll", roll_kernel, self=lambda grad, shifts, dims: roll_(grad, negated(shifts), dims))
tril = op(
    "tril",
    lambda self, diagonal=0: triangle(np.tril, matrices("tril", self), diagonal),
    doc=(
        "The lower triangle: zeros above the diagonal, or above the one `diagonal` over it.\n\n"
        "Shapes: (…, n, m) → (…, n, m). RuntimeError for fewer dimensions."
    ),
    in_place=True,
    self=lambda grad, diagonal: tril(grad, diagonal),
)
triu = op(
    "triu",
    lambda self, diagonal=0: triangle(np.triu, matrices("triu", self), diagonal),
    doc=(
        "The upper triangle: zeros below the diagonal, or below the one `diagonal` over it.\n\n"
        "Shapes: (…, n, m) → (…, n, m). RuntimeError for fewer dimensions."
    ),
    in_place=True,
    self=lambda grad, diagonal: triu(grad, diagonal),
)


@export(only="method")
def repeat(self: Tensor, *times: Sizes, repeats: Any = None) -> Tensor:
    """Copies of the tensor next to each other, `repeats` of them along each dimension."""
    return repeat_(self, sizes_of(times, repeats))


@export()
def flip(input: Tensor, *axes: Sizes, dims: Any = None) -> Tensor:
    """A copy with the elements in reverse order along `dims`."""
    return flip_(input, sizes_of(axes, dims))


@export()
def roll(input: Tensor, shifts: Dims, dims: Dims = ()) -> Any:
    """A copy with the elements shifted by `shifts` along `dims`, wrapping around at the end."""
    return roll_(input, sizes_of((shifts,)), () if dims is None else sizes_of((dims,)))


# Diagonals


def diagonal_kernel(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    first, second = wrap_dim(dim1, self.ndim), wrap_dim(dim2, self.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    part = self.diagonal(offset, first, second)
    part.flags.writeable = self.flags.writeable  # NumPy returns a read-only view
    return part


def diagonal_backward_kernel(
    self: Any, shape: tuple[int, ...], offset: int, dim1: int, dim2: int
) -> Any:
    grad = np.zeros(shape, self.dtype)
    diagonal_kernel(grad, offset, dim1, dim2)[...] = self
    return grad


def diag_embed_kernel(self: Any, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Any:
    """The matrix of zeros with the vector `self` on a diagonal."""
    side = self.size + abs(offset)
    return diagonal_backward_kernel(self, (side, side), offset, dim1, dim2)


diagonal = op(
    "diagonal",
    diagonal_kernel,
    view=True,
    doc=(
        "A view of the diagonal of two dimensions, `offset` above the main diagonal.\n\n"
        "Shapes: the two dimensions are replaced by the diagonal, which comes last."
    ),
    self=lambda grad, self_shape, offset, dim1, dim2: diagonal_backward(
        grad, self_shape, offset, dim1, dim2
    ),
)
diagonal_copy = op(
    "diagonal_copy",
    lambda self, offset=0, dim1=0, dim2=1: diagonal_kernel(self, offset, dim1, dim2).copy(),
    node="DiagonalBackward0_copy",
    self=lambda grad, self_shape, offset, dim1, dim2: diagonal_backward(
        grad, self_shape, offset, dim1, dim2
    ),
)
diagonal_backward = op(
    "diagonal_backward",
    diagonal_backward_kernel,
    node="DiagonalBackwardBackward0",
    self=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)
diag_embed = op(
    "diag_embed",
    diag_embed_kernel,
    self=lambda grad, offset, dim1, dim2: diagonal(grad, offset, dim1, dim2),
)


def trace_kernel(self: Any) -> Any:
    return self.trace(dtype=np.int64 if self.dtype.kind in "iu" else None)


trace_ = op(
    "trace",
    trace_kernel,
    self=lambda grad, self_shape: diagonal_backward(
        expand(grad, min(self_shape)), self_shape, 0, 0, 1
    ),
)


@export()
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """A copy of the diagonal of a matrix, or the matrix that has a vector on its diagonal."""
    if input.ndim not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {input.ndim}D")
    return diag_embed(input, diagonal) if input.ndim == 1 else diagonal_copy(input, diagonal, 0, 1)


@export()
def trace(input: Tensor) -> Any:
    """The sum of the diagonal of a matrix."""
    if input.dtype is dtypes.bool_:
        raise errors.not_implemented("trace", dtypes.bool_)
    if input.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {input.ndim}")
    return trace_(input)


# More views


@export()
def broadcast_to(input: Tensor, size: Sequence[int]) -> Tensor:
    """A view in a larger shape, without copies; the same as `expand`."""
    return shapes.expand(input, size)


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Views of all tensors in their common broadcast shape, or the tensors that already have it."""
    shape = broadcast_shape(*(each.shape for each in tensors))
    return tuple(each if each.shape == shape else shapes.expand(each, shape) for each in tensors)


@export(alias=("moveaxis",))
def movedim(input: Tensor, source: Dims, destination: Dims) -> Tensor:
    """A view with the dimensions `source` moved to `destination`, and the others in order."""
    sources, places = sizes_of((source,)), sizes_of((destination,))
    if len(sources) != len(places):
        raise RuntimeError(
            "movedim: Invalid source or destination dims: source"
            f" ({list(sources)} dims) should contain the same number of dims as destination"
            f" ({list(places)} dims)"
        )
    wrapped = []
    for name, dims in (("source", sources), ("destination", places)):
        wrapped.append([wrap_dim(dim, input.ndim) for dim in dims])
        if len(set(wrapped[-1])) < len(dims):
            raise RuntimeError(f"movedim: repeated dim in `{name}` ({list(dims)})")
    order = [dim for dim in range(input.ndim) if dim not in wrapped[0]]
    for place, dim in sorted(zip(wrapped[1], wrapped[0], strict=True)):
        order.insert(place, dim)
    return shapes.permute(input, order) if input.ndim else indexing.alias(input)


@export()
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A view of `length` elements along `dim`, from `start` on."""
    if input.ndim == 0:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    dim, start = wrap_dim(dim, input.ndim), int(start)
    size = input.shape[dim]
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    start += size if start < 0 else 0
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return indexing.slice_(input, dim, start, start + length, 1)


@export()
def ravel(input: Tensor) -> Tensor:
    """All elements in one dimension: a view if the tensor is contiguous, else a copy."""
    return shapes.view(shapes.contiguous(input), -1)


@export()
def tile(self: Tensor, *times: Sizes, dims: Any = None) -> Tensor:
    """Like `repeat`, but `dims` may be shorter, in which case the first dimensions are kept."""
    repeats = sizes_of(times, dims)
    return repeat(self, (1,) * (self.ndim - len(repeats)) + repeats)


# Grids and joined tensors


@export(only="function")
def meshgrid(*tensors: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Views of vectors, expanded to the grid that they span.

    With `indexing="ij"` the first vector runs along dimension 0 and the second along dimension 1;
    "xy" swaps these two, as for images. Shapes: (n), (m), … → (n, m, …) each. RuntimeError if the
    dtypes differ.
    """
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        tensors = tuple(tensors[0])
    tensor_list("meshgrid", tensors)
    if indexing is None:
        errors.warn(
            "torch.meshgrid: in an upcoming release, it will be required to pass the indexing"
            " argument."
        )
    if indexing not in (None, "ij", "xy"):
        raise RuntimeError(
            'torch.meshgrid: indexing must be one of "xy" or "ij", but received: ' + str(indexing)
        )
    if any(each.dtype is not tensors[0].dtype for each in tensors):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    dims = [*range(len(tensors))]
    if indexing == "xy":
        dims[:2] = dims[:2][::-1]
    shape = [tensors[dim].numel() for dim in dims]
    own_shapes = [[-1 if dim == own else 1 for dim in sorted(dims)] for own in dims]
    columns = [shapes.view(each, sizes) for each, sizes in zip(tensors, own_shapes, strict=True)]
    return tuple(shapes.expand(each, shape) for each in columns)


@export(only="function")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """`cat` along dimension 1, or along dimension 0 for vectors."""
    tensors = tensor_list("hstack", tensors)
    if not tensors:
        raise RuntimeError("hstack expects a non-empty TensorList")
    parts = [shapes.reshape(each, 1) if each.ndim == 0 else each for each in tensors]
    return indexing.cat(parts, 0 if parts[0].ndim == 1 else 1)


@export(only="function")
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """`cat` along dimension 0, with vectors as rows."""
    tensors = tensor_list("vstack", tensors)
    if not tensors:
        raise RuntimeError("vstack expects a non-empty TensorList")
    parts = [
        shapes.reshape(each, (1, 1)) if each.ndim == 0 else
        shapes.unsqueeze(each, 0) if each.ndim == 1 else each
        for each in tensors
    ]  # fmt: skip
    return indexing.cat(parts)


# Parts


class SplitBackward0(Node):
    """Concatenates the gradients of the parts, with zeros for those that received none."""

    __module__ = "builtins"

    def __init__(self, dim: int, lengths: Sequence[int]) -> None:
        self._saved_dim, self.lengths, self._saved = dim, lengths, {}

    def backward(self, *grads: Tensor | None) -> list[Tensor | None]:
        present = next((each for each in grads if each is not None), None)
        if present is None:
            return [None]
        parts = []
        for each, length in zip(grads, self.lengths, strict=True):
            shape = [*present.shape]
            shape[self._saved_dim] = length
            zeros = new_tensor(np.zeros(shape, present.dtype.numpy))
            parts.append(zeros if each is None else each)
        return [indexing.cat(parts, self._saved_dim)]


class SplitWithSizesBackward0(SplitBackward0):
    """The same for `split` with a list of lengths."""

    __module__ = "builtins"


def parts_of(self: Tensor, node: SplitBackward0) -> tuple[Any, ...]:
    """Views of the parts of `self`, whose gradients `node` will concatenate."""
    ends = [*itertools.accumulate(node.lengths)]
    pairs = zip([0, *ends], ends, strict=False)
    array, dim = as_array(self), node._saved_dim
    parts = [indexing.slice_kernel(array, dim, start, end, 1) for start, end in pairs]
    return indexing.several_views("split", node, self, parts)


@export(only="method")
def split(input: Tensor, split_size: int | Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Views of parts along `dim`, all of length `split_size` but the last, or of listed lengths."""
    if input.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if not isinstance(split_size, (int, np.integer)):
        return split_with_sizes(input, split_size, dim)
    dim = wrap_dim(dim, input.ndim)
    size = input.shape[dim]
    if split_size < 0:
        raise RuntimeError(
            f"split expects split_size be non-negative, but got split_size={split_size}"
        )
    if split_size == 0 and size:
        raise RuntimeError(
            f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}"
        )
    starts = range(0, size, split_size) if size else [0]
    lengths = [min(int(split_size), size - start) for start in starts]
    return parts_of(input, SplitBackward0(dim, lengths))


def split_with_sizes(input: Tensor, split_sizes: Sequence[int], dim: int = 0) -> tuple[Tensor, ...]:
    """Views of parts along `dim` with these lengths, which must add up to its length."""
    if input.ndim == 0:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if not isinstance(split_sizes, Sequence):
        raise TypeError
    lengths, dim = list(sizes_of((split_sizes,))), wrap_dim(dim, input.ndim)
    check_lengths(lengths, input.shape[dim], dim)
    return parts_of(input, SplitWithSizesBackward0(dim, lengths))


@export(name="split", only="function")
def split_function(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """`split` as a function, whose parameters are named differently from the method's."""
    return split(tensor, split_size_or_sections, dim)


def check_lengths(lengths: list[int], size: int, dim: int) -> None:
    if any(length < 0 for length in lengths):
        raise RuntimeError(
            "split_with_sizes expects split_sizes have only non-negative entries, but got"
            f" split_sizes={lengths}"
        )
    if sum(lengths) != size:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's size"
            f" at dimension {dim}), but got split_sizes={lengths}"
        )


@export()
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` views of equally long parts along `dim`; the last may be shorter."""
    if input.ndim == 0:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = input.shape[wrap_dim(dim, input.ndim)]
    return split(input, -(-size // chunks) if size else [0] * chunks, dim)
