"""Creating tensors: from numbers, lists and arrays, from constants, and at random.

The same seed gives the same random numbers as in PyTorch, see `support.random`.
"""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import tensor as plain
from ..core.tensor import Tensor, new_tensor
from ..support import devices, dtypes, errors, observers
from ..rows.arguments import MISSING, Number, Sizes, quick_wraps, sizes_of, with_checked_arguments
from ..support.checks import check_flag
from ..rows.data import as_data, is_sequence
from ..rows.declarations import export
from ..support.dtypes import Size, dtype
from ..rows.layouts import new_like
from ..rows.operands import checked_convert
from ..support.shapes import broadcast_shape
from ..support.random import Generator, stream_of
from ..rows.silence import silent
from .indexing import alias


FACTORIES: dict[str, Callable[..., Tensor]] = {}  # by public name


def factory(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Decorate a function that creates a tensor: check the common arguments, and accept `device=`.

    RuntimeError for a device that is not the CPU, TypeError for arguments of wrong types.
    """
    name = function.__name__
    checked = with_checked_arguments(function, name)

    def make(*args: Any, device: Any = None, **kwargs: Any) -> Tensor:
        if device is not None:
            devices.device(device)
        flag = kwargs.get("requires_grad", False)
        if flag is None and name != "tensor":
            kwargs["requires_grad"] = False
        else:
            check_flag(flag, name)
        made: Tensor = observers.made(name, (), checked(*args, **kwargs))
        return made

    FACTORIES[name] = quick_wraps(function, make, name)
    return FACTORIES[name]


tensor = factory(plain.tensor)


@factory
def as_tensor(data: Any, *, dtype: dtype | None = None) -> Tensor:
    """`data` as a tensor: `data` itself if it is one, and sharing memory if it is an array."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray):
        shared = from_numpy(data)
        return shared if dtype is None else shared.to(dtype)
    return tensor(data, dtype=dtype)


def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares memory with `array`.

    TypeError for an unsupported dtype, ValueError for negative strides.
    """
    if not isinstance(array, np.ndarray):
        kind = type(array)
        module = "numpy." if kind.__module__ == "numpy" else ""
        raise TypeError(f"expected np.ndarray (got {module}{kind.__name__})")
    dtypes.from_numpy_dtype(array.dtype)
    if any(step < 0 for step in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative"
            " strides are not currently supported. (You can probably work around this by making a"
            " copy of your array  with array.copy().) "
        )
    return new_tensor(array)


def filled(
    sizes: tuple[int, ...], value: Any, kind: dtype | None, requires_grad: bool, name: str = ""
) -> Tensor:
    """A tensor of shape `sizes` filled with `value`; errors name the function `name`."""
    if name == "zeros" and any(length < 0 for length in sizes):
        raise RuntimeError("zeros: Dimension size must be non-negative.")
    check_sizes(sizes)
    kind = kind_of_new(kind, requires_grad)
    return new_tensor(np.full(sizes, value, kind.numpy), requires_grad)


def filled_like(input: Tensor, value: Any, kind: dtype | None, requires_grad: bool) -> Tensor:
    """The same in the shape and memory layout of `input`."""
    kind = kind_of_new(kind or input.dtype, requires_grad)
    made = new_like(input._data, kind.numpy)
    made[...] = value
    return new_tensor(made, requires_grad)


def check_sizes(sizes: tuple[int, ...]) -> None:
    for length in sizes:
        if length < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {length}: {list(sizes)}"
            )


def kind_of_new(kind: dtype | None, requires_grad: bool) -> dtype:
    """`kind`, or the default dtype. RuntimeError if it should require grad but is no float."""
    kind = kind or dtypes.default
    if requires_grad and not kind.is_floating_point:
        raise errors.only_floats_require_grad()
    return kind


def get_default_dtype() -> dtype:
    """The dtype of tensors made from Python floats."""
    return dtypes.default


def set_default_dtype(d: dtype, /) -> None:
    """Set the dtype of tensors made from Python floats, and of quotients of integers."""
    if not isinstance(d, dtype):
        raise TypeError(
            "invalid dtype object: only floating-point types are supported as the default type"
        )
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    dtypes.default = d


# Constants


@factory
def zeros(
    *sizes: Sizes, size: Any = None, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of this shape filled with zeros."""
    return filled(sizes_of(sizes, size), 0, dtype, requires_grad, "zeros")


@factory
def ones(
    *sizes: Sizes, size: Any = None, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor of this shape filled with ones."""
    return filled(sizes_of(sizes, size), 1, dtype, requires_grad)


@factory
def empty(
    *sizes: Sizes, size: Any = None, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """The same as `zeros`, so that programs which read uninitialized memory stay reproducible."""
    return filled(sizes_of(sizes, size), 0, dtype, requires_grad)


@factory
@silent
def full(
    size: Any, fill_value: Number, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor filled with `fill_value`, in its dtype unless another one is given."""
    kind, value = dtype_of(fill_value), number(fill_value)
    value = checked_convert(value, (dtype or kind).numpy, rounding=True)
    return filled(sizes_of((size,)), value, dtype or kind, requires_grad)


def number(value: Any) -> Any:
    """A number, or a 0-d tensor that does not require grad, as a number. TypeError for others."""
    if isinstance(value, Tensor) and not value.ndim and not value.requires_grad:
        return value.item()
    if isinstance(value, (int, float, np.number, np.bool_)):
        return value
    raise TypeError


def dtype_of(value: Any) -> dtype:
    return value.dtype if isinstance(value, Tensor) else dtypes.of_number(value)


@factory
def zeros_like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """A tensor filled with zeros, in the shape and dtype of `input`."""
    return filled_like(input, 0, dtype, requires_grad)


@factory
def ones_like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """A tensor filled with ones, in the shape and dtype of `input`."""
    return filled_like(input, 1, dtype, requires_grad)


@factory
def empty_like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """The same as `zeros_like`; see `empty`."""
    return filled_like(input, 0, dtype, requires_grad)


@factory
@silent
def full_like(
    input: Tensor, fill_value: Number, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor filled with `fill_value`, in the shape and dtype of `input`."""
    value = checked_convert(number(fill_value), (dtype or input.dtype).numpy)
    return filled_like(input, value, dtype, requires_grad)


@factory
def eye(
    n: int, m: int | None = None, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """The (n, m) matrix with ones on its diagonal and zeros elsewhere; m defaults to n."""
    for name, length in (("n", n), ("m", n if m is None else m)):
        if length < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {length}")
    kind = kind_of_new(dtype, requires_grad)
    return new_tensor(np.eye(n, m, dtype=kind.numpy), requires_grad)


# Sequences


@factory
@silent
def arange(
    start: Number = 0,
    end: Number = MISSING,
    step: Number = 1,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers from `start` (default 0) up to but not including `end`, in steps of `step`.

    The dtype is int64, unless one of the three is a float.
    """
    if end is MISSING:
        start, end = 0, start
    own = [dtype_of(each) for each in (start, end, step)]
    start, end, step = number(start), number(end), number(step)
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start} -> {end}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is None:
        dtype = dtypes.default if any(kind.is_floating_point for kind in own) else dtypes.int64
    if dtype is dtypes.bool_:
        raise errors.not_implemented("arange_cpu", dtypes.bool_)
    kind = kind_of_new(dtype, requires_grad)
    return new_tensor(np.arange(start, end, step).astype(kind.numpy), requires_grad)


@factory
@silent
def linspace(
    start: Any,
    end: Any,
    steps: int,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """`steps` numbers from `start` to `end`, both included, evenly spaced."""
    # PyTorch counts from both ends to the middle, with a fused multiply-add. Computing in a wider
    # type and rounding at the end gives the same numbers.
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    kind = kind_of_new(dtype, requires_grad)
    own: Any = kind.numpy.type if kind.is_floating_point else np.float64
    wide: Any = np.longdouble if own is np.float64 else np.float64
    start, end = own(number(start)), own(number(end))
    step = wide((end - start) / own(max(steps - 1, 1)))
    index = np.arange(steps)
    up, down = wide(start) + step * index, wide(end) - step * (steps - 1 - index)
    numbers = np.where(index < max(steps // 2, 1), up, down)
    return new_tensor(numbers.astype(kind.numpy), requires_grad)


# At random


def random_factory(name: str, kernel: str, doc: str) -> Callable[..., Tensor]:
    """`randn` or `rand`: what the method `kernel` of a stream draws, in any shape."""

    def make(
        *sizes: Sizes,
        size: Any = None,
        generator: Generator | None = None,
        dtype: dtype | None = None,
        requires_grad: bool = False,
    ) -> Tensor:
        draw = getattr(stream_of(generator), kernel)
        return drawn(draw, KERNELS[kernel], sizes_of(sizes, size), dtype, requires_grad)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = doc
    return factory(make)


KERNELS = {"normal": "normal_kernel_cpu", "uniform": "check_uniform_bounds"}  # PyTorch's names
randn = random_factory(
    "randn", "normal", "Normally distributed random numbers with mean 0 and variance 1."
)
rand = random_factory("rand", "uniform", "Random numbers, uniformly distributed over [0, 1).")


@silent
def drawn(
    draw: Any, kernel: str, sizes: tuple[int, ...], kind: dtype | None, requires_grad: bool
) -> Tensor:
    """Random numbers from `draw`. NotImplementedError, naming `kernel`, unless floating point."""
    check_sizes(sizes)
    kind = kind or dtypes.default
    if not kind.is_floating_point:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{kind.legacy}'")
    return new_tensor(draw(sizes, kind.numpy), requires_grad)


@factory
def randn_like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """`randn` in the shape and dtype of `input`."""
    return randn(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@factory
def rand_like(input: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """`rand` in the shape and dtype of `input`."""
    return rand(input.shape, dtype=dtype or input.dtype, requires_grad=requires_grad)


@factory
def normal(
    mean: Number,
    std: Number = 1.0,
    size: Any = None,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Normally distributed random numbers with this mean and standard deviation.

    If `size` is given, both are numbers. Otherwise at least one is a tensor, and the result has the
    shape to which they broadcast.
    """
    mean, std = (each.detach() if isinstance(each, Tensor) else each for each in (mean, std))
    lowest = std.min() if isinstance(std, Tensor) and std.numel() else std
    if not isinstance(lowest, Tensor) and lowest < 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {lowest:g}")
    if isinstance(lowest, Tensor) and lowest < 0:
        raise RuntimeError("normal expects all elements of std >= 0.0")
    if size is not None:
        draw = functools.partial(stream_of(generator).normal, mean=mean, std=std)
        return drawn(draw, "normal_kernel_cpu", tuple(size), dtype, requires_grad)
    size = broadcast_shape(*(getattr(each, "shape", ()) for each in (mean, std)))
    numbers: Tensor = randn(size, generator=generator, dtype=dtype) * std + mean
    return numbers.requires_grad_(requires_grad)


@factory
def randint(
    low: int = 0,
    high: int = MISSING,
    size: Any = MISSING,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random integers from `low` (default 0) up to but not including `high`, in this shape."""
    if size is MISSING:  # randint(high, size)
        low, high, size = 0, low, high
    elif high is MISSING:  # randint(high, size=size)
        low, high = 0, low
    if not isinstance(size, (list, tuple)):
        raise TypeError
    low, high = operator.index(low), operator.index(high)
    sizes = tuple(map(operator.index, size))
    check_sizes(sizes)
    if low >= high:
        raise RuntimeError(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}"
        )
    kind = kind_of_new(dtype or dtypes.int64, requires_grad)
    numbers = stream_of(generator).integers(low, high, sizes)
    return new_tensor(np.asarray(numbers, kind.numpy), requires_grad)


@factory
def randperm(n: int, *, generator: Generator | None = None, dtype: dtype | None = None) -> Tensor:
    """A random permutation of the integers from 0 to n - 1."""
    check_sizes((n,))
    order = stream_of(generator).permutation(operator.index(n))
    return new_tensor(order.astype((dtype or dtypes.int64).numpy))


# Methods that create tensors in the dtype of another tensor


def in_own_dtype(make: Callable[..., Tensor], text: str) -> Callable[..., Tensor]:
    """The method `new_zeros` for `zeros`, and so on."""

    def new(
        self: Tensor,
        *sizes: Sizes,
        size: Any = None,
        dtype: dtype | None = None,
        device: Any = None,
        requires_grad: bool = False,
    ) -> Tensor:
        own = self.dtype if dtype is None else dtype
        return make(sizes_of(sizes, size), dtype=own, device=device, requires_grad=requires_grad)

    new.__name__ = new.__qualname__ = f"new_{make.__name__}"
    new.__doc__ = text
    return new


@export(name="new_tensor", only="method")
def new_from(
    self: Tensor,
    data: Any,
    *,
    dtype: dtype | None = None,
    device: Any = None,
    requires_grad: bool = False,
) -> Tensor:
    """A new leaf that holds a copy of `data`, in this tensor's dtype."""
    own = self.dtype if dtype is None else dtype
    return tensor(data, dtype=own, device=device, requires_grad=requires_grad)


@export(only="method")
def new(self: Tensor, *values: Any) -> Tensor:
    """A tensor of this dtype with these values, or of this shape; see `new_tensor`."""
    return legacy_constructor(self.dtype)(*values)  # type: ignore[no-any-return]


for _make, _doc in [
    (zeros, "A tensor of this shape filled with zeros, in this tensor's dtype."),
    (ones, "A tensor of this shape filled with ones, in this tensor's dtype."),
    (empty, "The same as `new_zeros`; see `empty`."),
]:
    export(only="method")(in_own_dtype(_make, _doc))


def legacy_constructor(kind: dtype) -> Any:
    """`FloatTensor` and so on: a constructor that takes values or a shape."""

    def construct(*values: Any) -> Tensor:
        first = values[0] if len(values) == 1 else None
        if isinstance(first, Tensor) and first.dtype is kind:
            return alias(first)
        if isinstance(first, (str, bytes)):
            raise TypeError(f"new(): invalid data type '{type(first).__name__}'")
        is_data = is_sequence(first) and not isinstance(first, Size)
        if is_data or isinstance(first, (np.ndarray, Tensor)):
            return new_tensor(np.array(silent(as_data)(first, kind)))
        sizes = first if isinstance(first, Size) else values
        if not all(isinstance(length, int) for length in sizes):
            raise TypeError(f"new(): data must be a sequence (got {type(first).__name__})")
        return empty(sizes if values else (0,), dtype=kind)

    construct.__name__ = construct.__qualname__ = f"{kind.legacy}Tensor"
    construct.__doc__ = (
        f"A tensor of dtype {kind} with values, `{construct.__name__}([1, 2])`, or of a shape,"
        f" `{construct.__name__}(2, 3)`."
    )
    return construct
