"""Changing the shape or dtype of a tensor. Most results are views, which share its memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.broadcasting import sum_to
from ..core.operation import op
from ..core.tensor import Tensor
from ..support import devices, dtypes, errors
from ..rows.arguments import MISSING, Dims, Sizes, is_integer, sizes_of
from ..rows.declarations import export
from ..support.devices import is_device
from ..support.dtypes import dtype, from_numpy_dtype
from ..rows.layouts import copied
from ..support.methods import property_of
from ..support.shapes import wrap_dim


# The dimensions of a reduction


def axes(dim: Dims, ndim: int) -> tuple[int, ...]:
    """The dimensions to reduce as non-negative numbers; all of them for None or an empty list."""
    if dim.__class__ is int and 0 <= dim < ndim:  # the common case
        return (dim,)
    if dim is None:
        return tuple(range(ndim))
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


def in_c_order(reduced: Any) -> Any:
    """The result of a reduction in C order, whatever the memory layout of the input."""
    return np.ascontiguousarray(reduced) if reduced.ndim > 1 else reduced


def count(shape: tuple[int, ...], dim: Dims) -> int:
    """The number of elements that a reduction over `dim` combines into one."""
    return math.prod(shape[axis] for axis in axes(dim, len(shape)))


def restored(shape: tuple[int, ...], dim: Dims) -> list[int]:
    """`shape` with length 1 in the reduced dimensions."""
    reduced = axes(dim, len(shape))
    return [1 if axis in reduced else length for axis, length in enumerate(shape)]


# Views and copies


def resolve(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """`shape` with -1 replaced so that it has `size` elements. RuntimeError if impossible."""
    if math.prod(shape) == size and (not shape or min(shape) >= 0):
        return shape
    known = math.prod(length for length in shape if length != -1)
    if shape.count(-1) > 1:
        raise RuntimeError("only one dimension can be inferred")
    if any(length < -1 for length in shape):
        bad = min(shape)
        raise RuntimeError(
            f"invalid shape dimension {bad} at index {shape.index(bad)} of shape {list(shape)}"
        )
    if -1 in shape and known == 0 and size == 0:
        raise RuntimeError(
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous"
        )
    if (known == 0 or size % known) if -1 in shape else size != known:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {size}")
    return tuple(size // known if length == -1 else length for length in shape)


def view_kernel(self: Any, shape: tuple[int, ...]) -> Any:
    try:
        return self.reshape(shape, copy=False)
    except ValueError:
        raise RuntimeError(
            "view size is not compatible with input tensor's size and stride (at least one"
            " dimension spans across two contiguous subspaces). Use .reshape(...) instead."
        ) from None


def expand_kernel(self: Any, shape: tuple[int, ...]) -> Any:
    if not self.ndim and -1 not in shape:  # the common case: the gradient of a sum
        return np.ndarray(shape, self.dtype, np.asarray(self), 0, (0,) * len(shape))
    lead = len(shape) - self.ndim
    if lead < 0:
        name = errors.tensor_type(from_numpy_dtype(self.dtype))
        raise RuntimeError(
            f"expand({name}{{{list(self.shape)}}},"
            f" size={list(shape)}): the number of sizes provided ({len(shape)}) must be greater or"
            f" equal to the number of dimensions in the tensor ({self.ndim})"
        )
    sizes: list[int] = []
    steps: list[int] = []
    for dim, length in reversed(list(enumerate(shape))):  # PyTorch reports the last mismatch
        existing = self.shape[dim - lead] if dim >= lead else None
        if length == -1 and existing is None:
            raise RuntimeError(
                "The expanded size of the tensor (-1) isn't allowed in a leading, non-existing"
                f" dimension {dim}"
            )
        if existing not in (None, 1, length) and length != -1:
            raise RuntimeError(
                f"The expanded size of the tensor ({length}) must match the existing size"
                f" ({existing}) at non-singleton dimension {dim}.  Target sizes: {list(shape)}. "
                f" Tensor sizes: {list(self.shape)}"
            )
        sizes.append(length if length != -1 or existing is None else existing)
        steps.append(self.strides[dim - lead] if existing == sizes[-1] else 0)
    if self.flags.c_contiguous:  # this takes a fifth of the time of `as_strided`
        return np.ndarray(sizes[::-1], self.dtype, np.asarray(self), 0, steps[::-1])
    # Unlike `np.broadcast_to`, this returns a writable array.
    return np.lib.stride_tricks.as_strided(self, sizes[::-1], steps[::-1])


def inverse(dims: Sequence[int]) -> list[int]:
    """The permutation that undoes `dims`."""
    wrapped = [wrap_dim(dim, len(dims)) for dim in dims]
    return [wrapped.index(dim) for dim in range(len(dims))]


def swap(self: Any, dim0: int, dim1: int) -> Any:
    first, second = wrap_dim(dim0, self.ndim), wrap_dim(dim1, self.ndim)
    return self.swapaxes(first, second) if self.ndim else self


def squeeze_kernel(self: Any, dim: Any) -> Any:
    dims = [wrap_dim(each, self.ndim) for each in ([dim] if isinstance(dim, int) else dim)]
    return self.reshape([n for axis, n in enumerate(self.shape) if axis not in dims or n != 1])


def permute_kernel(self: Any, dims: tuple[int, ...]) -> Any:
    if len(dims) != self.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the"
            f" length of the desired ordering of dimensions i.e. input.dim() = {self.ndim} is not"
            f" equal to len(dims) = {len(dims)}"
        )
    wrapped = [wrap_dim(dim, self.ndim) for dim in dims]
    if len(set(wrapped)) < len(wrapped):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return self.transpose(wrapped)


def unsqueeze_kernel(self: Any, dim: int) -> Any:
    dim = wrap_dim(dim, self.ndim + 1)
    if dim < self.ndim or self.flags.c_contiguous:
        return self.reshape((*self.shape[:dim], 1, *self.shape[dim:]))
    # NumPy gives the new last dimension the stride of the one before it, PyTorch gives it 1.
    steps = (*self.strides, self.itemsize)
    return np.lib.stride_tricks.as_strided(self, (*self.shape, 1), steps)


def unsqueeze_to(grad: Tensor, shape: tuple[int, ...], dim: Dims) -> Tensor:
    """`grad` with the dimensions restored that `squeeze(dim)` removed from a tensor of `shape`."""
    if grad.ndim == len(shape):
        return grad
    for axis in sorted(axes(dim, len(shape))):
        if shape[axis] == 1:
            grad = unsqueeze(grad, axis)
    return grad


view_as_shape, reshape_alias = (
    op(name, view_kernel, view=True, self=lambda grad, self_shape: reshape(grad, self_shape))
    for name in ("view", "reshape_alias")
)
unsafe_view = op(
    "unsafe_view",
    lambda self, shape: self.reshape(shape),
    self=lambda grad, self_shape: reshape(grad, self_shape),
)
expand_to = op(
    "expand",
    expand_kernel,
    view=True,
    self=lambda grad, self_shape: sum_to(grad, self_shape),
)
transpose = op(
    "transpose",
    swap,
    view=True,
    doc="A view with two dimensions swapped. IndexError for one that does not exist.",
    self=lambda grad, dim0, dim1: transpose(grad, dim0, dim1),
)
t_ = op(
    "t",
    lambda self: self.T,
    view=True,
    self=lambda grad: t_(grad),
)
permute_to = op(
    "permute",
    permute_kernel,
    view=True,
    self=lambda grad, dims: permute_to(grad, inverse(dims)),
)
unsqueeze = op(
    "unsqueeze",
    unsqueeze_kernel,
    view=True,
    doc=(
        "A view with a new dimension of length 1 at `dim`.\n\n"
        "IndexError unless -ndim - 1 <= dim <= ndim."
    ),
    self=lambda grad, dim: squeeze(grad, dim),
)
squeeze_all = op(
    "squeeze",
    lambda self: self.squeeze(),
    node="SqueezeBackward0",
    view=True,
    self=lambda grad, self_shape: unsqueeze_to(grad, self_shape, None),
)
squeeze_dim, squeeze_dims = (
    op(
        "squeeze",
        squeeze_kernel,
        node=node,
        view=True,
        self=lambda grad, self_shape, dim: unsqueeze_to(grad, self_shape, dim),
    )
    for node in ("SqueezeBackward1", "SqueezeBackward2")
)
clone = op(
    "clone", lambda self: copied(self), doc="A copy, through which gradients flow back to `input`",
    self=lambda grad: grad,
)  # fmt: skip
in_order = op("in_order", lambda self: self.copy(), node="CloneBackward0", self=lambda grad: grad)
to_copy = op("to_copy", lambda self, dtype: copied(self, dtype.numpy), self=lambda grad: grad)
cast = op("cast", lambda self, dtype: copied(self, dtype.numpy), tensor_args=("self",))


@export(only="method")
def view(self: Tensor, *sizes: Sizes, size: Any = None) -> Tensor:
    """The same memory in another shape; one length may be -1. RuntimeError if impossible."""
    return view_as_shape(self, resolve(sizes_of(sizes, size), self._data.size))


@export()
def reshape(input: Tensor, *lengths: Sizes, shape: Any = None) -> Tensor:
    """The same elements in another shape: a view where possible, else a copy."""
    sizes = resolve(sizes_of(lengths, shape), input._data.size)
    if input._data.flags.c_contiguous:
        return view_as_shape(input, sizes)
    try:
        return reshape_alias(input, sizes)
    except RuntimeError:
        return unsafe_view(in_order(input), sizes)


@export()
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """The same elements, with the dimensions from `start_dim` to `end_dim` flattened into one."""
    lengths = input._data.shape
    start, end = wrap_dim(start_dim, len(lengths)), wrap_dim(end_dim, len(lengths))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not lengths:
        return reshape(input, 1)
    if start == end:
        return input
    joined = math.prod(lengths[start : end + 1])
    return reshape(input, (*lengths[:start], joined, *lengths[end + 1 :]))


@export(only="method")
def expand(self: Tensor, *sizes: Sizes, size: Any = None) -> Tensor:
    """A view with dimensions of length 1 repeated, without copies; -1 keeps a length."""
    return expand_to(self, sizes_of(sizes, size))


@export(only="method")
def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """`expand` to the shape of `other`."""
    return expand(self, other.shape)


@export(only="method")
def view_as(self: Tensor, other: Tensor) -> Tensor:
    """`view` in the shape of `other`."""
    return view(self, other.shape)


@export()
def permute(input: Tensor, *order: Sizes, dims: Any = None) -> Tensor:
    """A view with the dimensions in another order."""
    return permute_to(input, sizes_of(order, dims))


@export()
def t(input: Tensor) -> Tensor:
    """The transpose of a matrix. RuntimeError above two dimensions."""
    if input._data.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return t_(input)


@property_of(Tensor, "T")
def reversed_dims(self: Tensor) -> Tensor:
    """`x.T`: the dimensions in reverse order. Warns unless there are two, as PyTorch does."""
    if self.ndim == 0:
        errors.warn(
            "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases."
        )
    elif self.ndim != 2:
        errors.warn(
            "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is"
            " deprecated and it will throw an error in a future release. Consider `x.mT` to"
            " transpose batches of matrices or `x.permute(*torch.arange(x.ndim - 1, -1, -1))` to"
            " reverse the dimensions of a tensor."
        )
    return permute(self, tuple(range(self.ndim))[::-1])


def matrix_transpose(name: str, most: float, only: str, advice: str) -> None:
    """Declare the property `name`, which swaps the last two of up to `most` dimensions."""

    def swapped(self: Tensor) -> Tensor:
        if self.ndim == 0:
            errors.warn(f"Tensor.{name} is deprecated on 0-D tensors. {advice}")
            return self
        if not 2 <= self.ndim <= most:
            more = " For batches of matrices, consider using tensor.mH" * (self.ndim > most)
            raise RuntimeError(
                f"tensor.{name} is only supported on {only}. Got {self.ndim}-D tensor.{more}"
            )
        return transpose(self, -2, -1)

    swapped.__doc__ = f"`x.{name}`: swap the last two dimensions. RuntimeError for one dimension."
    property_of(Tensor, name)(swapped)


IDENTITY, CONJ = "This function is the identity in these cases.", "Consider using x.conj()."
matrix_transpose("mT", math.inf, "matrices or batches of matrices", IDENTITY)
matrix_transpose("mH", math.inf, "matrices or batches of matrices", CONJ)
matrix_transpose("H", 2, "matrices (2-D tensors)", CONJ)


@export()
def squeeze(input: Tensor, dim: Dims = MISSING) -> Tensor:
    """A view without the dimensions of length 1, or only without `dim` if its length is 1."""
    if dim is MISSING:
        return squeeze_all(input)
    return squeeze_dim(input, dim) if isinstance(dim, int) else squeeze_dims(input, dim)


@export(only="method")
def contiguous(self: Tensor) -> Tensor:
    """The tensor itself if it is contiguous, else a contiguous copy."""
    return self if self.is_contiguous() else in_order(self)


@export(only="method")
def to(
    self: Tensor,
    *targets: Any,
    dtype: dtype | None = None,
    device: Any = None,
    non_blocking: bool = False,
    copy: bool = False,
) -> Tensor:
    """The tensor in another dtype or that of another tensor; itself if it already has it.

    Args:
        targets: a dtype, a device (the CPU), or a tensor, in any order.
        dtype, device: the same by name.
        non_blocking: has no effect on the CPU.
        copy: always return a new tensor.
    """
    for target in (*targets, device):
        if isinstance(target, Tensor):
            dtype = target.dtype
        elif is_device(target):
            devices.device(target)  # raises unless it is the CPU
        elif target is not None and not isinstance(target, bool):
            dtype = dtypes.as_dtype("to", target)
    flags = [target for target in targets if isinstance(target, bool)]  # non_blocking, copy
    copy = copy or flags[1:] == [True]
    if dtype is None or dtype is self.dtype:
        return to_copy(self, self.dtype) if copy else self
    return to_copy(self, dtype) if dtype.is_floating_point else cast(self, dtype)


def conversion(target: dtype) -> Any:
    """The method that converts to one dtype: `float`, `long`, …"""

    def convert(self: Tensor) -> Tensor:
        return to(self, target)

    convert.__name__ = convert.__qualname__ = target.legacy.lower()
    convert.__doc__ = f"The tensor in {target}; itself if it already has that dtype."
    return convert


@export(only="method")
def cpu(self: Tensor) -> Tensor:
    """The tensor itself, because there is only the CPU."""
    return self


@export(only="method")
def type_(self: Tensor, dtype: Any = None) -> Any:
    """The tensor's type, such as "torch.FloatTensor", or with an argument, the tensor in it."""
    if dtype is None:
        return f"torch.{self.dtype.legacy}Tensor"
    named = {f"torch.{kind.legacy}Tensor": kind for kind in dtypes.ALL}
    if isinstance(dtype, str) and dtype not in named:
        raise ValueError(f"invalid type: '{dtype}'")
    return to(self, dtypes.as_dtype("type", named.get(dtype, dtype)))


@export(only="method")
def type_as(self: Tensor, other: Tensor) -> Tensor:
    """The tensor in the dtype of `other`."""
    return to(self, other)
