"""In-place operations that record nothing, computed directly in the tensor's memory.

The plain form computes a result and then copies it. If nothing has to be recorded or converted, as
in an optimizer's update, NumPy can write the result straight into the tensor's memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core import grad_mode
from ..core.tensor import Tensor, count_change
from ..rows.silence import IGNORE, SETTINGS, silence
from ..support import observers
from ..support.checks import check_overlap
from ..support.version_counters import counts_no_versions

mode: Any = grad_mode.mode
UFUNCS: dict[str, Any] = {
    "add_": np.add, "sub_": np.subtract, "mul_": np.multiply, "div_": np.divide,
    "__iadd__": np.add, "__isub__": np.subtract, "__imul__": np.multiply,
    "__itruediv__": np.divide,
}  # fmt: skip


def in_place(name: str, plain: Callable[..., Any]) -> Callable[..., Any]:
    """Replaces the method `plain`, such as `add_`, which `core.inplace.in_place` returns."""
    ufunc = UFUNCS.get(name)
    if ufunc is None:
        return plain

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs and compute_in_place(name, ufunc, self, args[0]):
            return self
        return plain(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = plain.__doc__
    return method


def compute_in_place(name: str, ufunc: Any, tensor: Tensor, other: Any) -> bool:
    """Let `ufunc` overwrite `tensor`; returns False if that has to be recorded or converted."""
    if observers.active or not tensor.dtype.is_floating_point or counts_no_versions(tensor):
        return False
    recording = mode.recording
    if recording and tensor.requires_grad:
        return False
    data, operand = tensor._data, other
    if isinstance(other, Tensor):
        operand = other._data
        if other.dtype is not tensor.dtype or (recording and other.requires_grad):
            return False
        if operand.base is not None or data.base is not None:  # else they share all or nothing
            check_overlap(name, tensor, (other,))
    elif other.__class__ not in (int, float):
        return False
    if data.__class__ is not np.ndarray:
        if not compute_scalar_in_place(ufunc, tensor, operand):
            return False
    elif not data.flags.c_contiguous and 0 in data.strides:  # an expanded tensor
        return False
    else:
        before = SETTINGS.set(IGNORE)
        try:
            ufunc(data, operand, data)
        except ValueError:  # read-only, or too small for the result: `write` raises PyTorch's error
            return False
        finally:
            SETTINGS.reset(before)
    count_change(tensor)
    return True


def compute_scalar_in_place(ufunc: Any, tensor: Tensor, operand: Any) -> bool:
    """`compute_in_place` for a tensor that holds a NumPy scalar."""
    with silence():
        result = ufunc(tensor._data, operand)
    if not result.shape:
        tensor._data = tensor._data.dtype.type(result)
    return not result.shape
