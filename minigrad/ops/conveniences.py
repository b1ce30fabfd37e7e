"""Short names for what a longer expression says as well; most are made of other operations.

Source: https://docs.pytorch.org/docs/2.13/torch.html
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..core.broadcasting import sum_to  # 12
from ..core.operation import op
from ..core.tensor import Tensor, new_tensor
from ..support.arguments import Dims, Number, Sizes, is_integer, sizes_of
from ..support.operands import held
from ..support.shapes import expandable, wrap_dim
from . import contractions, elementwise, indexing, layouts, reductions, shapes
from .elementwise import exp, isnan, logical_not, pow_number, zeros_like
from .functions import floating
from .picking import index_select
from .products import dot_kernel
from .reductions import sum_all, total, unsqueezed
from .shapes import expand, in_order

# Questions


def isclose(
    input: Tensor, other: Tensor, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False
) -> Tensor:
    """Where |input - other| <= atol + rtol * |other|. RuntimeError if the dtypes differ."""
    if input.dtype is not other.dtype:
        raise RuntimeError(f"{input.dtype.legacy} did not match {other.dtype.legacy}")
    close: Any = input == other
    if equal_nan:
        close |= elementwise.bitwise_and(isnan(input), isnan(other))
    error, allowed = (input - other).abs().detach(), atol + (rtol * other).abs().detach()
    close |= elementwise.bitwise_and(error.isfinite(), error <= allowed)
    result: Tensor = close
    return result


def is_complex(input: Tensor) -> bool:
    """Whether the elements are complex numbers: they never are."""
    return input.dtype.is_complex


def is_signed(self: Tensor) -> bool:
    """Whether the elements can be negative."""
    return self.dtype.is_signed


def is_nonzero(input: Tensor) -> bool:
    """Whether the one element is not zero. RuntimeError for more of them, and for none."""
    return bool(input)


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Whether two tensors have the same shape."""
    return input.shape == other.shape


# Numbers


def positive(input: Tensor) -> Tensor:
    """The tensor itself. RuntimeError for bools."""
    if input.dtype.category == 0:
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


def real(input: Tensor) -> Tensor:
    """The tensor itself: all numbers are real."""
    return input


def conj(input: Tensor) -> Tensor:
    """The tensor itself: all numbers are real."""
    return input


sgn = op(  # of complex numbers the slope would need what it saves
    "sgn", elementwise.sign_kernel, self=lambda grad, self, result: zeros_like(grad)
)
erfc = op(
    "erfc",
    lambda self: np.asarray(erfc_of_each(self), self.dtype),
    promote="float",
    self=lambda grad, self: -1.1283791670955126 * exp(-pow_number(self, 2)) * grad,  # 2 / √π
)
erfc_of_each = np.frompyfunc(math.erfc, 1, 1)
frac = op("frac", lambda self: floating(self, "frac_cpu") - np.trunc(self), self=lambda grad: grad)
deg2rad = op(
    "deg2rad",
    lambda self: self * self.dtype.type(math.pi / 180),
    node="Deg2RadBackward0",
    promote="float",
    self=lambda grad: grad * 0.017453292519943295,
)
rad2deg = op(
    "rad2deg",
    lambda self: self * self.dtype.type(180 / math.pi),
    node="Rad2DegBackward0",
    promote="float",
    self=lambda grad: grad * 57.29577951308232,
)
vdot = op(
    "vdot",
    lambda self, other: dot_kernel(self, other),
    self=lambda grad, other: grad * other,
    other=lambda grad, self: grad * self,
)


def sum_of_numbers(self: Any, dim: Dims, keepdim: bool) -> Any:
    return total(np.where(np.isnan(self), self.dtype.type(0), self), dim, keepdim)


nansum_dim = op(
    "nansum",
    sum_of_numbers,
    self=lambda grad, self, dim, keepdim: (
        expand(unsqueezed(grad, self.shape, dim, keepdim), self.shape) * logical_not(isnan(self))
    ),
)


def nansum(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """The sum of the elements that are not nan."""
    return nansum_dim(input, dim, keepdim)


def nanmean(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Tensor:
    """The mean of the elements that are not nan. RuntimeError for integers."""
    if not input.dtype.is_floating_point:
        raise RuntimeError(
            "nanmean(): expected input to have floating point or complex dtype but got"
            f" {input.dtype.legacy}"
        )
    count = reductions.sum_dim(logical_not(isnan(input)), dim, keepdim)
    mean: Tensor = nansum_dim(input, dim, keepdim) / count
    return mean


def ger(input: Tensor, vec2: Tensor) -> Tensor:
    """`outer`, by its old name."""
    return contractions.outer(input, vec2)


# Layouts


def fliplr(input: Tensor) -> Tensor:
    """The columns in reverse order."""
    if input.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return layouts.flip_(input, (1,))


def flipud(input: Tensor) -> Tensor:
    """The rows in reverse order."""
    if input.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return layouts.flip_(input, (0,))


def tensor_split(
    input: Tensor, indices_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """Views of so many parts of about equal length, or of the stretches between these indices."""
    if input.ndim < 1:
        raise RuntimeError(
            "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims"
        )
    dim = wrap_dim(dim, input.ndim)
    length = input.shape[dim]
    if isinstance(indices_or_sections, int):
        parts = indices_or_sections
        if parts <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {parts}")
        more = length % parts  # so many parts are longer by one
        ends = [n * (length // parts) + min(n, more) for n in range(1, parts)]
    else:
        ends = list(sizes_of((indices_or_sections,)))
    pairs = zip([0, *ends], [*ends, length], strict=True)
    return tuple(indexing.slice_(input, dim, start, max(start, stop), 1) for start, stop in pairs)


def split_along(
    name: str, input: Tensor, least: int, dim: int, parts: int | Sequence[int]
) -> tuple[Tensor, ...]:
    if input.ndim < least:
        raise RuntimeError(
            f"torch.{name} requires a tensor with at least {least} dimension, but got a tensor with"
            f" {input.ndim} dimensions!"
        )
    if isinstance(parts, int) and (not parts or input.shape[dim] % parts):
        raise RuntimeError(
            f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension"
            f" {input.shape[dim]} is not divisible by the split_size {parts}!"
        )
    return tensor_split(input, parts, dim)


def hsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Equal parts along the columns, of a vector along itself, or stretches between indices."""
    return split_along("hsplit", input, 1, 0 if input.ndim == 1 else 1, indices_or_sections)


def vsplit(input: Tensor, indices_or_sections: int | Sequence[int]) -> tuple[Tensor, ...]:
    """Equal parts along the rows, or the stretches between indices."""
    return split_along("vsplit", input, 2, 0, indices_or_sections)


def at_least(ndim: int, tensor: Tensor) -> Tensor:
    """A view with dimensions of length 1 added: in front, and of three the last one behind."""
    if tensor.ndim >= ndim:
        return tensor
    if tensor.ndim == 0:
        return tensor.reshape((1,) * ndim)
    wide = tensor.unsqueeze(0) if tensor.ndim == 1 else tensor
    return wide.unsqueeze(-1) if ndim == 3 else wide


def of_each(ndim: int, tensors: tuple[Any, ...]) -> Any:
    """`at_least` of one tensor, or of all those that are given, in a tuple."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return at_least(ndim, tensors[0])
    given = tensors[0] if len(tensors) == 1 else tensors
    return tuple(at_least(ndim, each) for each in given)


def atleast_1d(*tensors: Any) -> Any:
    """Views with one dimension or more; a tuple of them if there are several tensors."""
    return of_each(1, tensors)


def atleast_2d(*tensors: Any) -> Any:
    """Views with two dimensions or more."""
    return of_each(2, tensors)


def atleast_3d(*tensors: Any) -> Any:
    """Views with three dimensions or more."""
    return of_each(3, tensors)


def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """`hstack`, of vectors as columns."""
    parts = indexing.tensor_list("column_stack", tensors)
    return layouts.hstack([t.reshape(t.numel(), 1) if t.ndim <= 1 else t for t in parts])


def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """`cat` along the third dimension."""
    return indexing.cat([at_least(3, t) for t in indexing.tensor_list("dstack", tensors)], 2)


def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """`reshape` to the shape of `other`."""
    return shapes.reshape(self, other.shape)


def sum_to_size(self: Tensor, *sizes: Sizes, size: Any = None) -> Tensor:
    """The sum over the dimensions along which a tensor of this size would be broadcast."""
    shape = sizes_of(sizes, size)
    if not expandable(shape, self.shape):
        raise RuntimeError(
            f"size {{{list(shape)}}} is not expandable to size {{{list(self.shape)}}}."
        )
    return self if self.shape == shape else sum_to(self, shape)


def repeat_interleave(
    input: Tensor, repeats: Any, dim: int | None = None, *, output_size: int | None = None
) -> Tensor:
    """Every element, or every slice along `dim`, so many times in a row."""
    if dim is None:
        input, dim = input.flatten(), 0
    dim = wrap_dim(dim, input.ndim)
    if not isinstance(repeats, Tensor):
        if not is_integer(repeats):
            raise TypeError
        if repeats < 0:
            raise RuntimeError("Repeats must be non-negative")
        shape = list(input.shape)
        wide = [*shape[: dim + 1], repeats, *shape[dim + 1 :]]
        shape[dim] *= repeats
        copies = in_order(shapes.expand(input.unsqueeze(dim + 1), wide))
        return copies.view(shape)
    if repeats.numel() not in (1, input.shape[dim]):
        raise RuntimeError("repeats must have the same size as input along dim")
    times = np.broadcast_to(repeats._data.reshape(-1), (input.shape[dim],))
    return index_select(input, dim, new_tensor(np.repeat(np.arange(input.shape[dim]), times)))


# Filled by an index along one dimension


def index_fill_kernel(self: Any, dim: int, index: Any, value: Any) -> Any:
    axis = wrap_dim(dim, self.ndim)
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    length = self.shape[axis] if self.ndim else 1
    for each in index.reshape(-1):
        if not -length <= each < length:
            raise IndexError(
                f"index {each} is out of bounds for dimension {axis} with size {length}"
            )
    filled = np.array(self)
    where: Any = ((slice(None),) * axis + (index.reshape(-1),)) if self.ndim else ...
    filled[where] = value
    return filled


index_fill_number = op(
    "index_fill",
    index_fill_kernel,
    tensors=("index",),
    self=lambda grad, dim, index: index_fill_number(grad, dim, index, 0),
)
index_fill_tensor = op(
    "index_fill",
    index_fill_kernel,
    node="IndexFillBackward1",
    tensors=("index",),
    self=lambda grad, dim, index: index_fill_number(grad, dim, index, 0),
    value=lambda grad, dim, index: sum_all(index_select(grad, dim, once(index))),
)


def once(index: Tensor) -> Tensor:
    """The indices in `index`, each once."""
    return new_tensor(np.unique(index._data))


def index_fill(input: Tensor, dim: int, index: Tensor, value: Number) -> Tensor:
    """A copy with a number, or a 0-d tensor, in the slices along `dim` that `index` names."""
    if isinstance(value, Tensor) and value.ndim:
        raise RuntimeError(
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with"
            f" {value.ndim} dimension(s)."
        )
    if not isinstance(value, Tensor):
        value = held(value, input.dtype.numpy).item()
    return (index_fill_tensor if isinstance(value, Tensor) else index_fill_number)(
        input, dim, index, value
    )


FUNCTIONS: dict[str, Any] = {
    "isclose": isclose,
    "is_complex": is_complex,
    "is_nonzero": is_nonzero,
    "is_same_size": is_same_size,
    "positive": positive,
    "conj": conj,
    "sgn": sgn,
    "erfc": erfc,
    "frac": frac,
    "deg2rad": deg2rad,
    "rad2deg": rad2deg,
    "vdot": vdot,
    "nansum": nansum,
    "nanmean": nanmean,
    "ger": ger,
    "fliplr": fliplr,
    "flipud": flipud,
    "tensor_split": tensor_split,
    "hsplit": hsplit,
    "vsplit": vsplit,
    "repeat_interleave": repeat_interleave,
    "index_fill": index_fill,
}

# No methods of these.
ONLY_FUNCTIONS: dict[str, Any] = {
    "real": real,
    "atleast_1d": atleast_1d,
    "atleast_2d": atleast_2d,
    "atleast_3d": atleast_3d,
    "column_stack": column_stack,
    "dstack": dstack,
    "row_stack": layouts.vstack,
}

METHODS: dict[str, Any] = {
    "is_signed": is_signed,
    "reshape_as": reshape_as,
    "sum_to_size": sum_to_size,
}
