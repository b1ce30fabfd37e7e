"""Making tensors: from numbers, lists and arrays, of constants, and at random.

Random numbers are drawn from `minigrad.random`: the same seed gives those of PyTorch.
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import devices, dtypes, errors, grad_mode
from .dtypes import dtype
from .random import Generator, stream_of
from .tensor import Tensor, new_tensor


def factory(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """Check the arguments that all functions take that make a tensor, and let them have `device=`.

    RuntimeError for a device that is not the CPU, TypeError for a dtype or flag that is none.
    """
    name = function.__name__

    @functools.wraps(function)
    def make(*args: Any, device: Any = None, **kwargs: Any) -> Tensor:
        if device is not None:
            devices.device(device)
        if kwargs.get("dtype") is not None:
            kwargs["dtype"] = as_dtype(name, kwargs["dtype"])
        flag = kwargs.get("requires_grad", False)
        if flag is None and name != "tensor":
            kwargs["requires_grad"] = False
        elif not isinstance(flag, bool):
            kind = type(flag).__name__
            raise TypeError(f"{name}(): argument 'requires_grad' must be bool, not {kind}")
        made = function(*args, **kwargs)
        if grad_mode.threads_off:
            grad_mode.leave_out(made)
        return made

    return make


def as_dtype(function: str, value: Any) -> dtype:
    """`value` as a dtype; Python's float, int and bool stand for float64, int64 and bool."""
    if isinstance(value, dtype):
        return value
    try:
        return {float: dtypes.float64, int: dtypes.int64, bool: dtypes.bool_}[value]
    except (KeyError, TypeError):
        kind = type(value).__name__
        raise TypeError(f"{function}(): argument 'dtype' must be torch.dtype, not {kind}") from None


@factory
def tensor(data: Any, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """A new leaf that holds a copy of `data`.

    Args:
        data: a number, nested lists of numbers of one shape, an array, or a tensor.
        dtype: of the elements; by default float32 for Python floats, int64 for ints, an array's
            own.
        requires_grad: record operations on it. RuntimeError unless the dtype is floating point.

    Raises:
        ValueError: ragged lists. TypeError: elements that are no numbers.
    """
    if isinstance(data, Tensor):
        warnings.warn(
            "To copy construct from a tensor, it is recommended to use"
            " sourceTensor.detach().clone() or sourceTensor.detach().clone().requires_grad_(True),"
            " rather than torch.tensor(sourceTensor).",
            UserWarning,
            stacklevel=2,
        )
    values = as_data(data, dtype)
    if requires_grad and values.dtype.kind != "f":
        raise errors.only_floats_require_grad()
    return new_tensor(values, requires_grad)


def as_data(data: Any, kind: dtype | None) -> Any:
    """A copy of `data` as a NumPy array, or scalar for a single number, of dtype `kind`."""
    if isinstance(data, Tensor):
        array = data._data
    elif isinstance(data, (np.ndarray, np.generic)):
        array = data
    elif isinstance(data, (bool, int, float)):
        return as_number(data, kind or dtypes.of_number(data))
    elif isinstance(data, (list, tuple, range)):
        return from_nested(data, kind)
    elif isinstance(data, complex):
        raise TypeError("minigrad has no complex tensors")
    elif isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    else:
        raise RuntimeError(f"Could not infer dtype of {type(data).__name__}")
    target = kind or dtypes.from_numpy_dtype(array.dtype)
    return array.astype(target.numpy)  # always copies


def as_number(value: Any, kind: dtype) -> Any:
    """A Python number as a NumPy scalar. ValueError or RuntimeError if `kind` cannot hold it."""
    if isinstance(value, SEQUENCES):
        got = type(value).__name__
        raise TypeError(
            f"must be real number, not {got}"
            if kind.is_floating_point
            else f"'{got}' object cannot be interpreted as an integer"
        )
    try:
        return kind.numpy.type(value)
    except OverflowError:
        if kind is dtypes.int64:
            raise ValueError("Overflow when unpacking long long") from None
        raise RuntimeError(
            f"value cannot be converted to type {kind.name} without overflow"
        ) from None


SEQUENCES = (list, tuple, range)


def from_nested(data: Any, kind: dtype | None) -> np.ndarray[Any, Any]:
    """The array of nested sequences; by default in PyTorch's dtype for the numbers they hold."""
    shape: list[int] = []
    first = data
    while isinstance(first, SEQUENCES) or (isinstance(first, np.ndarray) and first.ndim):
        shape.append(len(first))
        first = first[0] if len(first) else None
    numbers = list(numbers_in(data, shape, 0))
    own = [number_dtype(number) for number in numbers]
    if kind is None:
        kind = dtypes.float32 if not own else functools.reduce(dtypes.promote, own)
    return np.array([as_number(number, kind) for number in numbers], kind.numpy).reshape(shape)


def numbers_in(data: Any, shape: list[int], dim: int) -> Iterator[Any]:
    """The numbers in nested sequences, in order. ValueError or TypeError unless of this shape."""
    if dim == len(shape):
        yield one_number(data)
        return
    if not isinstance(data, (*SEQUENCES, np.ndarray)):
        raise TypeError("not a sequence")
    if len(data) != shape[dim]:
        raise ValueError(f"expected sequence of length {shape[dim]} at dim {dim} (got {len(data)})")
    for item in data:
        yield from numbers_in(item, shape, dim + 1)


def one_number(value: Any) -> Any:
    """An element of a list: a number, or a tensor of one element."""
    if isinstance(value, Tensor):
        number = float(value) if value.dtype.is_floating_point else value.__index__()
        return value.dtype.numpy.type(number)
    if isinstance(value, SEQUENCES):
        return value  # deeper than the first: `as_number` refuses it, in the words for its dtype
    if isinstance(value, str):
        raise ValueError("too many dimensions 'str'")
    if not isinstance(value, (bool, int, float, np.number, np.bool_)):
        raise RuntimeError(f"Could not infer dtype of {type(value).__name__}")
    return value


def number_dtype(number: Any) -> dtype:
    if isinstance(number, SEQUENCES):
        return functools.reduce(dtypes.promote, map(number_dtype, number), dtypes.bool_)
    if isinstance(number, np.generic):
        return dtypes.from_numpy_dtype(number.dtype)
    return dtypes.of_number(number)


@factory
def as_tensor(data: Any, *, dtype: dtype | None = None) -> Tensor:
    """`data` as a tensor; shares memory with an array, and is `data` itself if that is a tensor."""
    if isinstance(data, Tensor):
        return data if dtype is None else data.to(dtype)
    if isinstance(data, np.ndarray):
        shared = from_numpy(data)
        return shared if dtype is None else shared.to(dtype)
    return tensor(data, dtype=dtype)


def from_numpy(array: np.ndarray[Any, Any]) -> Tensor:
    """A tensor that shares memory with `array`. TypeError for what no tensor can hold."""
    if not isinstance(array, np.ndarray):
        kind = type(array)
        module = "numpy." if kind.__module__ == "numpy" else ""
        raise TypeError(f"expected np.ndarray (got {module}{kind.__name__})")
    dtypes.from_numpy_dtype(array.dtype)
    return new_tensor(array)


def filled(
    name: str, shape: tuple[Any, ...], value: float, kind: dtype | None, requires_grad: bool
) -> Tensor:
    """A tensor of `shape` (numbers, or one sequence of them) with every element `value`."""
    sizes = ops.shapes.sizes_of(shape)
    if name == "zeros" and any(length < 0 for length in sizes):
        raise RuntimeError("zeros: Dimension size must be non-negative.")
    check_sizes(sizes)
    kind = kind_of_new(kind, requires_grad)
    return new_tensor(np.full(sizes, value, kind.numpy), requires_grad)


def check_sizes(sizes: tuple[int, ...]) -> None:
    for length in sizes:
        if length < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {length}: {list(sizes)}"
            )


def kind_of_new(kind: dtype | None, requires_grad: bool) -> dtype:
    """`kind`, by default float32. RuntimeError if it cannot require the gradient it is to."""
    kind = kind or dtypes.float32
    if requires_grad and not kind.is_floating_point:
        raise errors.only_floats_require_grad()
    return kind


@factory
def zeros(*shape: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    return filled("zeros", shape, 0, dtype, requires_grad)


@factory
def ones(*shape: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    return filled("ones", shape, 1, dtype, requires_grad)


@factory
def empty(*shape: Any, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    """Like `zeros`: nobody needs the contents of fresh memory, and runs stay reproducible."""
    return filled("empty", shape, 0, dtype, requires_grad)


def get_default_dtype() -> dtype:
    """The dtype of tensors made from Python floats: float32, always."""
    return dtypes.float32


@factory
def full(
    shape: Any, value: Any, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """A tensor with every element `value`; the dtype is the value's unless given."""
    return filled("full", (shape,), value, dtype or dtypes.of_number(value), requires_grad)


@factory
def zeros_like(other: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    return filled("zeros", (other.shape,), 0, dtype or other.dtype, requires_grad)


@factory
def ones_like(other: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    return filled("ones", (other.shape,), 1, dtype or other.dtype, requires_grad)


@factory
def empty_like(other: Tensor, *, dtype: dtype | None = None, requires_grad: bool = False) -> Tensor:
    return filled("empty", (other.shape,), 0, dtype or other.dtype, requires_grad)


@factory
def full_like(
    other: Tensor, value: Any, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    return filled("full", (other.shape,), value, dtype or other.dtype, requires_grad)


@factory
def eye(
    n: int, m: int | None = None, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """The (n, m) matrix with ones on its diagonal; m defaults to n."""
    kind = kind_of_new(dtype, requires_grad)
    return new_tensor(np.eye(n, m, dtype=kind.numpy), requires_grad)


@factory
def arange(
    start: float,
    end: float | None = None,
    step: float = 1,
    *,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Numbers from `start` (default 0) up to, without, `end`; int64 unless one is a float."""
    if end is None:
        start, end = 0, start
    if step == 0:
        raise RuntimeError("step must be nonzero")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if dtype is None:
        dtype = (
            dtypes.int64
            if all(isinstance(each, int) for each in (start, end, step))
            else dtypes.float32
        )
    kind = kind_of_new(dtype, requires_grad)
    return new_tensor(np.arange(start, end, step).astype(kind.numpy), requires_grad)


@factory
def linspace(
    start: float, end: float, steps: int, *, dtype: dtype | None = None, requires_grad: bool = False
) -> Tensor:
    """`steps` numbers from `start` to `end`, both included, evenly spaced."""
    kind = kind_of_new(dtype, requires_grad)
    return new_tensor(np.linspace(start, end, steps).astype(kind.numpy), requires_grad)


@factory
def randn(
    *shape: Any,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Normally distributed random numbers of mean 0 and variance 1."""
    return drawn(
        stream_of(generator).normal,
        "normal_kernel_cpu",
        shape,
        dtype,
        requires_grad,
    )


@factory
def rand(
    *shape: Any,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Random numbers, evenly distributed over [0, 1)."""
    return drawn(stream_of(generator).uniform, "check_uniform_bounds", shape, dtype, requires_grad)


def drawn(
    draw: Any, kernel: str, shape: tuple[Any, ...], kind: dtype | None, requires_grad: bool
) -> Tensor:
    """Floating point numbers from `draw`; the error about other dtypes names the `kernel`."""
    sizes = ops.shapes.sizes_of(shape)
    check_sizes(sizes)
    kind = kind or dtypes.float32
    if not kind.is_floating_point:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{kind.legacy}'")
    return new_tensor(draw(sizes, kind.numpy), requires_grad)


@factory
def randn_like(other: Tensor, *, requires_grad: bool = False) -> Tensor:
    return randn(other.shape, dtype=other.dtype, requires_grad=requires_grad)


@factory
def rand_like(other: Tensor, *, requires_grad: bool = False) -> Tensor:
    return rand(other.shape, dtype=other.dtype, requires_grad=requires_grad)


def normal(
    mean: float,
    std: float,
    size: Any,
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """Normally distributed random numbers of this mean and standard deviation."""
    numbers = empty(size, dtype=dtype).normal_(mean, std, generator=generator)
    return numbers.requires_grad_(requires_grad)


@factory
def randint(
    low: int,
    high: int | None = None,
    size: Any = (),
    *,
    generator: Generator | None = None,
    dtype: dtype | None = None,
) -> Tensor:
    """Random integers from `low` (default 0) up to, without, `high`."""
    if high is None or isinstance(high, (tuple, list)):
        low, high, size = 0, low, size if high is None else high
    numbers = stream_of(generator).integers(low, high, tuple(size))
    return new_tensor(np.asarray(numbers, (dtype or dtypes.int64).numpy))


@factory
def randperm(n: int, *, generator: Generator | None = None) -> Tensor:
    """The integers below `n` in random order."""
    check_sizes((n,))
    return new_tensor(stream_of(generator).permutation(n))


def new_zeros(self: Tensor, *shape: Any, dtype: dtype | None = None, **options: Any) -> Tensor:
    """Zeros of this tensor's dtype."""
    return zeros(*shape, dtype=dtype or self.dtype, **options)


def new_ones(self: Tensor, *shape: Any, dtype: dtype | None = None, **options: Any) -> Tensor:
    """Ones of this tensor's dtype."""
    return ones(*shape, dtype=dtype or self.dtype, **options)


def new_empty(self: Tensor, *shape: Any, dtype: dtype | None = None, **options: Any) -> Tensor:
    """Like `new_zeros`; see `empty`."""
    return empty(*shape, dtype=dtype or self.dtype, **options)


def new_full(
    self: Tensor, shape: Any, value: Any, *, dtype: dtype | None = None, **options: Any
) -> Tensor:
    """A tensor of this one's dtype with every element `value`."""
    return full(shape, value, dtype=dtype or self.dtype, **options)


def new_from(self: Tensor, data: Any, *, dtype: dtype | None = None, **options: Any) -> Tensor:
    """A new leaf that holds a copy of `data`, in this tensor's dtype."""
    return tensor(data, dtype=dtype or self.dtype, **options)


METHODS = {
    "new_zeros": new_zeros,
    "new_ones": new_ones,
    "new_empty": new_empty,
    "new_full": new_full,
    "new_tensor": new_from,
}


def legacy_constructor(kind: dtype) -> Any:
    """`FloatTensor` and its like: a tensor of the given values, or of the given shape."""

    def construct(*values: Any) -> Tensor:
        if len(values) == 1 and isinstance(values[0], (list, tuple, np.ndarray, Tensor)):
            return new_tensor(as_data(values[0], kind))
        if not all(isinstance(length, int) for length in values):
            raise TypeError(f"new(): data must be a sequence (got {type(values[0]).__name__})")
        return empty(values, dtype=kind)

    construct.__name__ = construct.__qualname__ = f"{kind.legacy}Tensor"
    return construct


from . import ops  # noqa: E402
