"""The numeric limits of a dtype: `finfo` and `iinfo`.

Source: https://docs.pytorch.org/docs/2.13/type_info.html
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import dtypes
from .dtypes import dtype


class finfo:  # noqa: N801 - PyTorch's spelling
    """Limits of a floating-point dtype, by default of the default dtype. TypeError for others.

    Attributes:
        bits: the size of a number in bits.
        eps: the difference between 1 and the next larger number.
        max, min: the largest number and the most negative number.
        tiny, smallest_normal: the smallest positive number with full precision.
        resolution: the decimal resolution near 1, for example 1e-6 for float32.
        dtype: the name of the dtype.
    """

    __module__ = "torch"

    def __init__(self, type: dtype | None = None) -> None:
        type = dtypes.default if type is None else type
        if not require_dtype(type, "finfo").is_floating_point:
            raise TypeError(
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle"
                " 'torch.finfo'"
            )
        limits = np.finfo(type.numpy)
        self.bits, self.dtype = limits.bits, type.name
        self.eps, self.max, self.min = float(limits.eps), float(limits.max), float(limits.min)
        self.tiny = self.smallest_normal = float(limits.tiny)
        self.resolution = 10.0**-limits.precision

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g},"
            f" eps={self.eps:g}, smallest_normal={self.tiny:g}, tiny={self.tiny:g},"
            f" dtype={self.dtype})"
        )


class iinfo:  # noqa: N801 - PyTorch's spelling
    """Limits of an integer dtype: `bits`, `min`, `max` and the name, `dtype`. TypeError for others.

    The repr rounds them to six digits, as PyTorch's does.
    """

    __module__ = "torch"

    def __init__(self, type: dtype) -> None:
        if require_dtype(type, "iinfo").is_floating_point:
            raise TypeError(
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle"
                " 'torch.iinfo'"
            )
        if type.category == 0:
            raise TypeError("torch.bool is not supported by torch.iinfo")
        limits = np.iinfo(type.numpy)
        self.bits, self.dtype = limits.bits, type.name
        self.min, self.max = int(limits.min), int(limits.max)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __repr__(self) -> str:
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


def require_dtype(value: Any, function: str) -> dtype:
    if not isinstance(value, dtype):
        kind = type(value).__name__
        raise TypeError(
            f"{function}(): argument 'type' (position 1) must be torch.dtype, not {kind}"
        )
    return value
