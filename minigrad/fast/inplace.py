"""In-place operations without history, computed right where they belong.

The plain form computes a result and copies it into the memory; what needs no history and no
conversion is written there at once, as an optimizer's update.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import grad_mode
from ..core.inplace import Part
from ..core.tensor import Tensor, count_change, new_tensor
from ..support import watching
from ..support.checks import check_overlap
from ..support.counters import counts_no_versions

mode: Any = grad_mode.mode
UFUNCS: dict[str, Any] = {
    "add_": np.add, "sub_": np.subtract, "mul_": np.multiply, "div_": np.divide,
    "__iadd__": np.add, "__isub__": np.subtract, "__imul__": np.multiply,
    "__itruediv__": np.divide,
}  # fmt: skip


def in_place(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    """What `core.inplace.in_place` returns for `add_` and its like."""
    ufunc = UFUNCS.get(name)
    if ufunc is None:
        return plain

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and compute_there(name, ufunc, self, args[0]):
            return self
        return plain(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = plain.__doc__
    return method


# Parts of gradients, in memory that is laid out as that of the base, so that no position has to be
# looked up. Where the gradients are to be recorded, operations do it.
of, put_into = Part.of, Part.put_into


def part_of(self: Part, grad: Tensor) -> Tensor:
    """`Part.of`."""
    if mode.recording:
        return of(self, grad)
    return new_tensor(shown(laid_out(self, grad._data), *self.view).copy())


def put_into_part(self: Part, grad: Tensor, values: Any) -> Tensor:
    """`Part.put_into`."""
    if mode.recording:
        return put_into(self, grad, values)
    memory = laid_out(self, grad._data)
    shown(memory, *self.view)[...] = values._data if isinstance(values, Tensor) else values
    whole = shown(memory, *self.base)
    return new_tensor(whole if whole.size == memory.size else whole.copy())


def laid_out(part: Part, array: Any) -> Any:
    """Memory as the base of a part has it, with the elements of `array` in it."""
    shape, strides, _ = part.base
    reach = sum((length - 1) * step for length, step in zip(shape, strides, strict=True)) + 1
    memory = np.empty(max(reach, 0), array.dtype)
    shown(memory, *part.base)[...] = array
    return memory


def shown(memory: Any, shape: Any, strides: Any, offset: int) -> Any:
    """The elements of `memory` that a tensor shows. ValueError if some are not there."""
    steps = [step * memory.itemsize for step in strides]
    return np.ndarray(shape, memory.dtype, memory, offset * memory.itemsize, steps)


def plug_in() -> None:
    """Let histories of edited views be walked here."""
    part: Any = Part
    part.of, part.put_into = part_of, put_into_part


def compute_there(name: str, ufunc: Any, tensor: Tensor, other: Any) -> bool:
    """Let `ufunc` write over `tensor`, if nothing is recorded or converted; whether it did."""
    if watching.active or not tensor.dtype.is_floating_point or counts_no_versions(tensor):
        return False
    recording = mode.recording
    if recording and tensor.requires_grad:
        return False
    data, operand = tensor._data, other
    if isinstance(other, Tensor):
        operand = other._data
        if other.dtype is not tensor.dtype or (recording and other.requires_grad):
            return False
        if operand.base is not None or data.base is not None:  # else they share nothing, or all
            check_overlap(name, tensor, (other,))
    elif other.__class__ not in (int, float):
        return False
    if data.__class__ is not np.ndarray:
        if not number_computed(ufunc, tensor, operand):
            return False
    elif not data.flags.c_contiguous and 0 in data.strides:  # as `expand` makes it
        return False
    else:
        try:
            ufunc(data, operand, data)
        except ValueError:  # read-only, or too small for the result: `write` says which
            return False
        except FloatingPointError:  # after the whole result has been written
            pass
    count_change(tensor)
    return True


def number_computed(ufunc: Any, tensor: Tensor, operand: Any) -> bool:
    """The same for a tensor that holds a NumPy scalar."""
    try:
        result = ufunc(tensor._data, operand)
    except FloatingPointError:  # `np.seterr` can want it
        return False
    if not result.shape:
        tensor._data = tensor._data.dtype.type(result)
    return not result.shape
